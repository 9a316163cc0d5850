import { type ListedUser, listUsers } from '@keepwatch/contract/directory/users';
import { exitImpersonation, impersonate } from '@keepwatch/contract/identity/impersonation';
import { getUserSecondFactors } from '@keepwatch/contract/identity/second-factors';
import { editProfile } from '@keepwatch/contract/identity/sessions';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dashboard } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';
import { SESSION_KEY } from '../kit/session.ts';
import { exitText } from '../kit/use-exit.ts';
import { createAnswers } from '../testing/answers.ts';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { directoryScreens } from './routes.ts';

const admin = buildUser({ roles: ['admin'], username: 'boss' });
const ada = buildUser({ id: buildId(7), username: 'ada.lovelace', name: 'Ada King', roles: ['operator'] });
const listed: ListedUser = {
  _id: ada.id,
  username: ada.username,
  name: ada.name,
  email: ada.email,
  acl: [{ role: 'operator' }],
  state: 'active',
  companies: null,
  authType: 'db',
  signsInElsewhere: false,
  companyName: null,
  createdAt: '2026-03-02T08:00:00.000Z',
};

const screens: readonly Screen[] = [
  declareScreen(dashboard, {
    title: 'Dashboard',
    entry: { icon: 'list-check' },
    load: async () => ({ default: () => <p>Figures</p> }),
  }),
  ...directoryScreens,
];
const path = `/monitoring/users?open=${ada.id}`;

function open({ user = listed } = {}) {
  const answers = createAnswers()
    .on(getUserSecondFactors, {
      success: true,
      data: { authenticator: null, passkeys: [], phone: null, canUsePhone: false, recoveryCodesLeft: 0 },
    })
    .on(listUsers, { success: true, count: 1, data: [user] })
    .on(impersonate, { success: true, token: 'token of ada', userId: ada.id, user: ada })
    .on(exitImpersonation, { success: true });
  return openPortal({ path, user: admin, answers, screens });
}

async function actAsAda() {
  const opened = open();
  const panel = within(await opened.page.findByRole('complementary', { name: ada.name }));
  await opened.person.click(panel.getByRole('button', { name: 'Sign in as this user' }));
  await opened.page.findByText('Figures');
  return opened;
}

test('signs in as a user, begins at that user’s start, and says as whom one acts', async () => {
  const { page, answers, portal, address } = await actAsAda();
  expect(answers.asked(impersonate)[0]?.body).toEqual({ userId: ada.id });
  expect([address(), portal.session.get()?.token]).toEqual(['/monitoring/dashboard', 'token of ada']);
  const bar = await page.findByRole('region', { name: 'Signed in as another user' });
  expect(bar.textContent).toContain('You act as Ada King (ada.lovelace). The users logs name you, boss, too.');
  expect(page.getByRole('button', { name: 'Account of Ada King' })).toBeDefined();
});

test('exits by the command palette, which offers no log-out, and keeps the own session', async () => {
  const { person, page, answers, portal } = await actAsAda();
  answers.on(editProfile, { success: true, data: ada });
  await person.keyboard('{Control>}k{/Control}');
  await page.findByRole('combobox', { name: /^Search screens/ });
  await person.keyboard('log out');
  expect(page.queryByRole('option', { name: /Log out/ })).toBeNull();
  await person.keyboard('{Control>}a{/Control}exit ada{Enter}');
  await waitFor(() => expect(portal.session.get()?.user.username).toBe('boss'));
  expect(answers.asked(exitImpersonation)).toHaveLength(1);
});

test('exits by the menu, which cuts a long name, and comes back to the page with the own session', async () => {
  const { page, person, answers, portal, address } = await actAsAda();
  await person.click(page.getByRole('button', { name: 'Account of Ada King' }));
  const menu = within(await page.findByRole('dialog', { name: 'Account' }));
  await menu.findByRole('button', { name: 'Exit ada.lovela...' });
  expect(menu.queryByRole('button', { name: 'Log out' })).toBeNull();
  expect(menu.queryByRole('button', { name: 'Change password' })).toBeNull();
  await person.click(menu.getByRole('button', { name: 'Exit ada.lovela...' }));
  await waitFor(() => expect(address()).toBe(path));
  expect(answers.asked(exitImpersonation)).toHaveLength(1);
  expect(portal.session.get()).toEqual({ token: 'token-of-the-test', user: admin });
  expect(page.queryByRole('region', { name: 'Signed in as another user' })).toBeNull();
});

test('comes back where the session as the user has ended, and says so', async () => {
  const { page, answers, portal, address } = await actAsAda();
  const message = 'Your session has expired. Please log in again to continue.';
  answers.refuse(editProfile, 401, { code: 'NOT_SIGNED_IN', message });
  await portal.api.request(editProfile, { params: { id: ada.id }, body: {} }).catch(() => null);
  await page.findByText('You no longer act as ada.lovelace: that session has ended.');
  await waitFor(() => expect(address()).toBe(path));
  expect(portal.session.get()?.token).toBe('token-of-the-test');
});

test('leads the other tabs along', async () => {
  const { page, address } = open();
  await page.findByRole('complementary', { name: ada.name });
  const own = { token: 'token-of-the-test', user: admin, page: path };
  localStorage.setItem(SESSION_KEY, JSON.stringify({ token: 'token of ada', user: ada, own }));
  window.dispatchEvent(new StorageEvent('storage', { key: SESSION_KEY }));
  await page.findByText('Figures');
  expect(address()).toBe('/monitoring/dashboard');
});

test('says why it was refused', async () => {
  const { page, person, answers } = open();
  const message = 'Ada King is disabled and cannot be signed in as. Enable the user first.';
  answers.refuse(impersonate, 409, { code: 'CONFLICT', message });
  await person.click(await page.findByRole('button', { name: 'Sign in as this user' }));
  await page.findByText(message);
});

test('is not offered for a disabled user', async () => {
  const { page } = open({ user: { ...listed, state: 'disabled' } });
  const panel = within(await page.findByRole('complementary', { name: ada.name }));
  await panel.findByRole('button', { name: 'Edit' });
  expect(panel.queryByRole('button', { name: 'Sign in as this user' })).toBeNull();
});

test.each([
  ['ada', 'Exit ada'],
  ['ten-letter', 'Exit ten-letter'],
  ['eleven-let1', 'Exit eleven-let...'],
])('reads of %s: %s', (username, text) => {
  expect(exitText(username)).toBe(text);
});
