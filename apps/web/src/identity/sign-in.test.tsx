import { signIn } from '@keepwatch/contract/identity/sessions';
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildBranding, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const signedIn = () => {
  const user = buildUser();
  return { success: true as const, token: 'new-token', userId: user.id, user };
};

test('signs in, keeps the session and goes on to the address that was asked for', async () => {
  const answers = createAnswers().on(signIn, signedIn);
  const { page, person, portal, address } = openPortal({ path: '/monitoring/forbidden', answers });
  await person.type(await page.findByLabelText('User name'), ' operator ');
  await person.type(page.getByLabelText('Password'), 'secret');
  await person.click(page.getByRole('button', { name: 'Log in' }));
  await page.findByText("You don't have access to this page");
  expect(address()).toBe('/monitoring/forbidden');
  expect(answers.asked(signIn).map(({ body }) => body)).toEqual([{ username: 'operator', password: 'secret' }]);
  expect(portal.session.get()?.token).toBe('new-token');
});

test('shows what the server says against the sign-in', async () => {
  const answers = createAnswers().refuse(signIn, 401, {
    code: 'WRONG_CREDENTIALS',
    message: 'The user name or the password is wrong.',
  });
  const { page, person } = openPortal({ path: '/login', answers });
  await person.type(await page.findByLabelText('User name'), 'operator');
  await person.type(page.getByLabelText('Password'), 'wrong{Enter}');
  expect((await page.findByRole('alert')).textContent).toBe('The user name or the password is wrong.');
});

test('fills the form with a demonstration account', async () => {
  const demonstration = { password: 'keepwatch-demo', accounts: [{ username: 'reader', role: 'read-only' }] };
  const { page, person } = openPortal({ path: '/login', branding: buildBranding({ demonstration }) });
  await person.click(await page.findByRole('button', { name: /reader/ }));
  expect(page.getByLabelText('User name')).toHaveProperty('value', 'reader');
  expect(page.getByLabelText('Password')).toHaveProperty('value', 'keepwatch-demo');
});

test('forgets the refusal of a sign-in when a demonstration account is chosen', async () => {
  const refusal = { code: 'WRONG_CREDENTIALS', message: 'Wrong user name or password.' } as const;
  const demonstration = { password: 'keepwatch-demo', accounts: [{ username: 'reader', role: 'Read-only' }] };
  const answers = createAnswers().refuse(signIn, 401, refusal);
  const { page, person } = openPortal({ path: '/login', answers, branding: buildBranding({ demonstration }) });
  await person.type(await page.findByLabelText('User name'), 'reader');
  await person.type(page.getByLabelText('Password'), 'wrong{Enter}');
  await page.findByRole('alert');
  await person.click(page.getByRole('button', { name: /reader/ }));
  await waitFor(() => expect(page.queryByRole('alert')).toBeNull());
});

test('shows no demonstration accounts outside the demonstration', async () => {
  const { page } = openPortal({ path: '/login' });
  await page.findByLabelText('User name');
  expect(page.queryByText('Demonstration accounts')).toBeNull();
});
