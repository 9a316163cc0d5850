import { editGroups, listIdentityProviders } from '@keepwatch/contract/identity/identity-providers';
import { getSignInRules } from '@keepwatch/contract/identity/sign-in-rules';
import { beginSingleSignOn, finishSingleSignOn } from '@keepwatch/contract/identity/single-sign-on';
import { within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildBranding, buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';

const contoso = { id: buildId(1), name: 'Contoso' };

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

test('begins at an identity provider of the brand, and remembers where the visit goes on', async () => {
  const assign = vi.fn();
  vi.stubGlobal('location', { ...window.location, assign });
  const address = 'https://login.example.com/authorize?state=a';
  const answers = createAnswers().on(beginSingleSignOn, { success: true, data: { address } });
  const branding = buildBranding({ identityProviders: [contoso] });
  const { page, person } = openPortal({ path: '/login?next=%2Fmonitoring%2Fforbidden', answers, branding });
  await person.click(await page.findByRole('button', { name: 'Log in with Contoso' }));
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(address));
  expect(answers.asked(beginSingleSignOn).map(({ params }) => params)).toEqual([{ id: contoso.id }]);
  expect(sessionStorage.getItem('keepwatch.next')).toBe('/monitoring/forbidden');
  page.getByLabelText('User name');
});

test('has the form for passwords behind a button where passwords are for administrators alone', async () => {
  const branding = buildBranding({ identityProviders: [contoso], hasPasswords: false });
  const { page, person } = openPortal({ path: '/login', branding });
  const show = await page.findByRole('button', { name: 'Log in with a password (administrators)' });
  expect(page.queryByLabelText('User name')).toBeNull();
  await person.click(show);
  page.getByLabelText('User name');
});

test('has no such buttons without identity providers', async () => {
  const { page } = openPortal({ path: '/login' });
  await page.findByLabelText('User name');
  expect(page.queryByRole('button', { name: /^Log in with (?!a passkey)/ })).toBeNull();
});

test('ends the sign-in once, and goes on to the address that was meant', async () => {
  sessionStorage.setItem('keepwatch.next', '/monitoring/forbidden');
  const user = buildUser();
  const answers = createAnswers().on(finishSingleSignOn, { success: true, token: 'new', userId: user.id, user });
  const path = '/login/identity-provider?code=a%2Bb&state=s&iss=https%3A%2F%2Flogin.example.com';
  const { page, address, portal } = openPortal({ path, answers });
  await page.findByText("You don't have access to this page");
  expect(address()).toBe('/monitoring/forbidden');
  expect(portal.session.get()?.token).toBe('new');
  const [asked, ...more] = answers.asked(finishSingleSignOn);
  expect(Object.fromEntries(new URLSearchParams(asked?.body.query))).toEqual({
    code: 'a+b',
    state: 's',
    iss: 'https://login.example.com',
  });
  expect(more).toEqual([]);
});

test.each(['//evil.example.com/', '/\\evil.example.com', 'https://evil.example.com'])(
  'goes to no other site afterwards: %s',
  async (next) => {
    sessionStorage.setItem('keepwatch.next', next);
    const user = buildUser({ roles: [] });
    const answers = createAnswers().on(finishSingleSignOn, { success: true, token: 'new', userId: user.id, user });
    const { page, address } = openPortal({ path: '/login/identity-provider?code=a&state=s', answers });
    await page.findByText(/Nothing here yet|You don't have access/);
    expect(address()).not.toContain('evil');
  },
);

test('says why it did not work, and leads back', async () => {
  const message = 'Contoso did not confirm who you are. Log in again.';
  const answers = createAnswers().refuse(finishSingleSignOn, 401, { code: 'IDENTITY_PROVIDER_FAILED', message });
  const { page, person, address } = openPortal({ path: '/login/identity-provider?error=access_denied', answers });
  expect((await page.findByRole('alert')).textContent).toBe(message);
  await person.click(page.getByRole('link', { name: 'Back to sign-in' }));
  await page.findByLabelText('User name');
  expect(address()).toBe('/login');
});

test('asks for the second factor of the account', async () => {
  const secondFactor = { challenge: 'c', kinds: ['authenticator' as const], passkey: null, sms: null };
  const answers = createAnswers().on(finishSingleSignOn, { success: true, secondFactor });
  const { page } = openPortal({ path: '/login/identity-provider?code=a&state=s', answers });
  await page.findByText('Confirm that it is you');
});

test('sets what the groups of an identity provider give', async () => {
  const provider = { _id: contoso.id, name: 'Contoso', isEnabled: true, groups: [] };
  const redirectAddress = 'https://portal.test/login/identity-provider';
  const signedOutAddress = 'https://portal.test/login';
  const answers = createAnswers()
    .on(getSignInRules, { success: true, data: { requiresSecondFactor: false } })
    .on(listIdentityProviders, { success: true, data: [provider], redirectAddress, signedOutAddress })
    .on(editGroups, ({ body }) => ({ success: true as const, data: { ...provider, groups: body.groups } }));
  const { page, person } = openPortal({ path: '/admin/sign-in', user: buildUser({ roles: ['super-admin'] }), answers });
  await page.findByText(redirectAddress);
  page.getByText(signedOutAddress);
  page.getByText('No groups yet: no user can log in through it');
  await person.click(page.getByRole('button', { name: 'Groups of Contoso' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Groups of Contoso' }));
  expect(dialog.queryByRole('checkbox', { name: /super/i })).toBeNull();
  const save = dialog.getByRole('button', { name: 'Save groups' });
  await person.type(dialog.getByLabelText('Group'), 'Readers');
  await person.click(dialog.getByRole('checkbox', { name: 'Read-only' }));
  await person.click(dialog.getByRole('button', { name: 'Add a group' }));
  const second = within(dialog.getByRole('group', { name: 'Line 2' }));
  await person.type(second.getByLabelText('Group'), 'Operators');
  await person.click(second.getByRole('checkbox', { name: 'Operator' }));
  await person.click(second.getByRole('button', { name: 'Move line 2 up' }));
  await person.click(save);
  await page.findByText('The groups of Contoso have been changed.');
  expect(answers.asked(editGroups).map(({ body }) => body)).toEqual([
    {
      groups: [
        { group: 'Operators', roles: ['operator'], companyIds: null },
        { group: 'Readers', roles: ['read-only'], companyIds: null },
      ],
    },
  ]);
});
