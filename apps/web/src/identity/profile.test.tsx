import { listOwnLogs } from '@keepwatch/contract/audit/user-logs';
import { listApiKeys } from '@keepwatch/contract/identity/api-keys';
import { listOwnSessions } from '@keepwatch/contract/identity/own-sessions';
import { editProfile } from '@keepwatch/contract/identity/sessions';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

/** An account that is used nowhere else, by no program. */
const accountAnswers = () =>
  createAnswers()
    .on(listOwnSessions, { success: true, data: [] })
    .on(listApiKeys, { success: true, data: [] })
    .on(listOwnLogs, { success: true, count: 0, data: [] });

test.each(['/monitoring/profile', '/o365/profile', '/admin/profile'])(
  'changes details and landing page at %s',
  async (path) => {
    const user = buildUser({ roles: ['operator', 'o365_admin'] });
    const landingApp = { page: '/monitoring/daily-checks' };
    const changed = { ...user, name: 'Olga Peres', mobilePhone: '+1 555 0101', landingApp };
    const answers = accountAnswers().on(editProfile, { success: true, data: changed });
    const { page, person, portal } = openPortal({ path, user, answers });
    const details = within(await page.findByRole('region', { name: 'Details' }));
    await person.clear(details.getByLabelText(/^Full name/));
    await person.type(details.getByLabelText(/^Full name/), 'Olga Peres');
    await person.type(details.getByLabelText('Mobile phone'), '+1 555 0101');
    await person.selectOptions(details.getByLabelText('Begin with'), 'Monitoring: Daily checks');
    await person.click(details.getByRole('button', { name: 'Save' }));
    await page.findByText('Your profile has been changed.');
    expect(answers.asked(editProfile).map(({ body }) => body)).toEqual([
      {
        username: 'operator',
        name: 'Olga Peres',
        email: 'operator@example.test',
        mobilePhone: '+1 555 0101',
        officePhone: null,
        landingApp,
      },
    ]);
    expect(portal.session.get()?.user.name).toBe('Olga Peres');
  },
);

test('asks for the current password where the e-mail address is another one, and keeps nothing of it', async () => {
  const user = buildUser();
  const answers = accountAnswers().on(editProfile, ({ body }) => ({
    success: true as const,
    data: { ...user, email: body.email ?? user.email },
  }));
  const { page, person } = openPortal({ path: '/monitoring/profile', user, answers });
  const details = within(await page.findByRole('region', { name: 'Details' }));
  expect(details.queryByLabelText(/^Current password/)).toBeNull();
  await person.clear(details.getByLabelText(/^E-mail/));
  await person.type(details.getByLabelText(/^E-mail/), 'olga@example.test');
  await person.type(details.getByLabelText(/^Current password/, { selector: 'input' }), 'the password ');
  await person.click(details.getByRole('button', { name: 'Save' }));
  await page.findByText('Your profile has been changed.');
  expect(answers.asked(editProfile)[0]?.body).toMatchObject({ email: 'olga@example.test', password: 'the password ' });
  expect(details.queryByLabelText(/^Current password/)).toBeNull();
  await person.click(details.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(answers.asked(editProfile)).toHaveLength(2));
  expect(answers.asked(editProfile)[1]?.body).not.toHaveProperty('password');
});

test('says that a user name is in use', async () => {
  const message = 'The username already exists.';
  const answers = accountAnswers().refuse(editProfile, 409, { code: 'CONFLICT', message });
  const { page, person } = openPortal({ path: '/monitoring/profile', user: buildUser(), answers });
  await person.click(await page.findByRole('button', { name: 'Save' }));
  expect((await page.findByRole('alert')).textContent).toBe(message);
});

test('applies looks at once and saves them', async () => {
  const user = buildUser();
  const answers = accountAnswers().on(editProfile, { success: true, data: user });
  const { page, person } = openPortal({ path: '/monitoring/profile', user, answers });
  const looks = within(await page.findByRole('region', { name: 'Looks' }));
  await person.selectOptions(looks.getByLabelText('Mode'), 'Dark');
  await person.selectOptions(looks.getByLabelText('Colour of the sidebar'), 'Green');
  await person.click(looks.getByLabelText('Mini sidebar, with icons alone'));
  await page.findByRole('button', { name: 'Pin sidebar' });
  expect(page.getByRole('navigation', { name: 'Main' }).dataset['color']).toBe('green');
  expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark');
  expect(answers.asked(editProfile).map(({ body }) => body)).toEqual([
    { theme: { mode: 'dark' } },
    { theme: { sidebarColor: 'green' } },
    { theme: { sidebarMini: true } },
  ]);
});

test('offers no page of the own account to begin with', async () => {
  const { page } = openPortal({ path: '/monitoring/profile', user: buildUser(), answers: accountAnswers() });
  const pages = [...(await page.findByLabelText('Begin with')).querySelectorAll('option')].map(
    ({ textContent }) => textContent,
  );
  expect(pages).toContain('Monitoring: Calendar view');
  expect(pages.filter((name) => /Profile|password/.test(name))).toEqual([]);
});
