import { signOut } from '@keepwatch/contract/identity/sessions';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { identityScreens } from './routes.ts';

test.each([
  [buildUser({ roles: ['o365_admin'] }), 'Microsoft 365 is not available in this portal yet.'],
  [buildUser({ roles: ['super-admin'], companyIds: [] }), 'Administration is not available in this portal yet.'],
] as const)(
  'names the application of a user who is only $acl.0.role, and offers no link that would lead straight back',
  async (user, text) => {
    const { page, address } = openPortal({ path: '/', user, screens: identityScreens });
    await page.findByText('Nothing here yet');
    expect(address()).toBe('/monitoring/forbidden');
    expect(page.getByRole('main').textContent).toContain(text);
    expect(page.getByRole('main').querySelector('a')).toBeNull();
  },
);

test('asks a user without any role to contact an administrator', async () => {
  const { page } = openPortal({ path: '/', user: buildUser({ roles: [] }) });
  await page.findByText(/has no role yet. Ask an administrator for one/);
});

test('lets a user without access to anything log out', async () => {
  const answers = createAnswers().on(signOut, { success: true, address: null });
  const { page, person, address } = openPortal({ path: '/', user: buildUser({ roles: [] }), answers });
  await person.click(await page.findByRole('button', { name: 'Log out' }));
  await page.findByLabelText('User name');
  expect(address()).toBe('/login');
});

test('links back to a screen that the user may open', async () => {
  const { page } = openPortal({ path: '/monitoring/forbidden', user: buildUser({ roles: ['operator'] }) });
  await page.findByText("You don't have access to this page");
  expect(page.getByRole('link', { name: 'Go to the start page' }).getAttribute('href')).toBe('/');
});

test('says in its heads which page it is, and which one was asked for', async () => {
  const { page } = openPortal({ path: '/monitoring/companies?search=a', user: buildUser({ roles: ['operator'] }) });
  await page.findByRole('heading', { level: 2, name: "You don't have access to Companies" });
  expect(page.getByRole('heading', { level: 1 }).textContent).toBe('No access');
  await expect.poll(() => document.title).toBe('No access · Keepwatch');
  expect(page.getByRole('main').textContent).toContain('It needs the Admin role; yours is Operator.');
});

test('names only pages of the portal, whatever the address says', async () => {
  const path = '/monitoring/forbidden?next=%2Fmonitoring%2FYour+account+is+closed';
  const { page } = openPortal({ path, user: buildUser({ roles: ['read-only', 'operator'] }) });
  await page.findByText("You don't have access to this page");
  expect(page.getByRole('main').textContent).toContain('It needs another role; yours are Read-only, Operator.');
  expect(page.queryByText(/closed/)).toBeNull();
});
