import { signOut } from '@keepwatch/contract/identity/sessions';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

test.each([
  ['o365_admin', 'is for Microsoft 365'],
  ['super-admin', 'is for Administration'],
] as const)(
  'tells a user who is only %s which application is theirs, without a link that leads back',
  async (role, text) => {
    const { page, address } = openPortal({ path: '/', user: buildUser({ roles: [role] }) });
    await page.findByText('Nothing is open to you here yet');
    expect(address()).toBe('/monitoring/forbidden');
    expect(page.getByRole('main').textContent).toContain(text);
    expect(page.getByRole('main').querySelector('a')).toBeNull();
  },
);

test('tells a user without any role whom to ask', async () => {
  const { page } = openPortal({ path: '/', user: buildUser({ roles: [] }) });
  await page.findByText(/has no role that opens a page/);
});

test('lets whoever finds nothing open log out', async () => {
  const answers = createAnswers().on(signOut, { success: true });
  const { page, person, address } = openPortal({ path: '/', user: buildUser({ roles: ['o365_admin'] }), answers });
  await person.click(await page.findByRole('button', { name: 'Log out' }));
  await page.findByLabelText('User name');
  expect(address()).toBe('/login');
});

test('leads whoever may open something back to it', async () => {
  const { page } = openPortal({ path: '/monitoring/companies', user: buildUser({ roles: ['operator'] }) });
  await page.findByText('You may not open this page');
  expect(page.getByRole('link', { name: 'Go to the start page' }).getAttribute('href')).toBe('/');
});
