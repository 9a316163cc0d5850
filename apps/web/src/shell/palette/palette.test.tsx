import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { editProfile } from '@keepwatch/contract/identity/sessions';
import { search } from '@keepwatch/contract/search/search';
import { waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Screen } from '../../kit/screen.ts';
import { screens as realScreens } from '../../program/screens.ts';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';

/** The real addresses, with nothing that asks the server. */
const screens: Screen[] = realScreens.map((screen) => ({
  ...screen,
  load: async () => ({ default: () => <p>Screen {screen.path}</p> }),
}));

const acme = { kind: 'company', _id: buildId(7), name: 'Acme', companyName: null, detail: null } as const;
const job = { kind: 'job', _id: buildId(8), name: 'Acme nightly', companyName: 'Acme', detail: null } as const;

async function open({ user = buildUser(), answers = createAnswers() } = {}) {
  answers.on(editProfile, { success: true, data: user });
  answers.on(search, ({ query }) => ({
    success: true as const,
    data: [acme, job].filter(({ name }) => name.toLowerCase().includes(query.text)),
  }));
  answers.on(listReportingCompanies, { success: true, count: 0, data: [], query: { limit: 10, offset: 0 } });
  const opened = openPortal({ path: '/monitoring/change-password', user, screens, answers });
  await opened.page.findByText('Screen /monitoring/change-password');
  await opened.person.keyboard('{Control>}k{/Control}');
  const input = await opened.page.findByRole('combobox', { name: /^Search screens/ });
  const list = within(opened.page.getByRole('listbox', { name: 'Choices' }));
  const options = () => list.queryAllByRole('option').map((option) => option.textContent);
  return { ...opened, input, list, options };
}

test('goes to a screen by some letters of its name, with the keyboard alone', async () => {
  const { person, page, input, options } = await open();
  page.getByRole('dialog', { name: 'Command palette' });
  expect(document.activeElement).toBe(input);
  await person.keyboard('cal vi');
  expect(options()).toEqual(['Calendar viewMonitoring']);
  const [first] = page.getAllByRole('option');
  expect(input.getAttribute('aria-activedescendant')).toBe(first?.id);
  await person.keyboard('{Enter}');
  await page.findByText('Screen /monitoring/calendar-report');
  expect(page.queryByRole('listbox')).toBeNull();
});

test('offers only screens and actions that are open to the user', async () => {
  const { person, page, options } = await open();
  await person.keyboard('user');
  await page.findByText('Nothing found.');
  expect(options()).toEqual([]);
});

test('finds companies and jobs on the server, and opens what is chosen', async () => {
  const { person, page, options, address, answers } = await open();
  await person.keyboard('acme');
  await waitFor(() => expect(options()).toEqual(['Acme', 'Show only AcmeOn all screens', 'Acme nightlyAcme']));
  expect(answers.asked(search).at(-1)).toMatchObject({ query: { text: 'acme' } });
  await person.keyboard('{ArrowUp}{Enter}');
  await page.findByText('Screen /monitoring/daily-checks');
  expect(address()).toContain(`job=${job._id}`);
});

test('narrows all screens to a company, shows it in the header, and shows all again with one press', async () => {
  const { person, page, options, address, portal } = await open();
  await person.keyboard('acme');
  await waitFor(() => expect(options()).toContain('Show only AcmeOn all screens'));
  await person.keyboard('{ArrowDown}{Enter}');
  expect(portal.session.get()?.user.preferences['companies.scope']).toEqual([acme._id]);
  await person.click(page.getByRole('link', { name: 'Daily checks' }));
  await waitFor(() => expect(address()).toBe(`/monitoring/daily-checks?company=${acme._id}`));
  await person.click(page.getByRole('link', { name: 'Calendar view' }));
  await waitFor(() => expect(address()).toBe(`/monitoring/calendar-report?company=${acme._id}`));
  await person.click(await page.findByRole('button', { name: 'Clear the scope' }));
  await waitFor(() => expect(address()).toBe('/monitoring/calendar-report'));
  expect(portal.session.get()?.user.preferences['companies.scope']).toEqual([]);
});

test('lists first what was chosen last, and keeps it with the user', async () => {
  const recent = [
    { key: `company ${acme._id}`, label: 'Acme' },
    { key: 'screen /monitoring/calendar-report', label: 'Calendar view' },
  ];
  const user = buildUser({ roles: ['sub-sp', 'operator'], preferences: { 'palette.recent': recent } });
  const { person, page, options, portal, address } = await open({ user });
  expect(options().slice(0, 2)).toEqual(['Acme', 'Calendar viewMonitoring']);
  await person.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe(`/monitoring/companies/${acme._id}`));
  expect(portal.session.get()?.user.preferences['palette.recent']).toEqual(recent);
  await person.click(page.getByRole('button', { name: 'Search' }));
  await page.findByRole('combobox', { name: /^Search screens/ });
  await person.keyboard('switch to dark{Enter}');
  await page.findByRole('button', { name: 'Switch to light mode' });
  expect(portal.session.get()?.user.preferences['palette.recent']?.[0]).toEqual({
    key: 'action theme',
    label: 'Switch to dark mode',
  });
});

test('opens while a text is written, and not above a dialog', async () => {
  const { person, page } = await open();
  await person.keyboard('{Control>}k{/Control}');
  expect(page.getAllByRole('combobox')).toHaveLength(1);
  await person.keyboard('{Escape}');
  await waitFor(() => expect(page.queryByRole('combobox')).toBeNull());
});

test('goes from choice to choice in browsers whose scrolling is a promise', async () => {
  const scroll = vi.fn(() => Promise.resolve());
  Object.assign(Element.prototype, { scrollIntoView: scroll });
  onTestFinished(() => void Reflect.deleteProperty(Element.prototype, 'scrollIntoView'));
  const { person, page, input } = await open();
  await person.keyboard('a{ArrowDown}{ArrowDown}');
  expect(scroll).toHaveBeenCalled();
  expect(input.getAttribute('aria-activedescendant')).not.toBeNull();
  await person.keyboard('{Escape}');
  await waitFor(() => expect(page.queryByRole('listbox')).toBeNull());
  await page.findByText('Screen /monitoring/change-password');
});
