import { checkSetupLink, createFirstAccount, signIn } from '@keepwatch/contract/identity/sessions';
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const path = '/setup/one-time-token';
const done = { success: true } as const;
const user = buildUser({ roles: [] });

async function fillIn(answers: ReturnType<typeof createAnswers>) {
  const opened = openPortal({ path, answers: answers.on(checkSetupLink, done) });
  const { page, person } = opened;
  await person.type(await page.findByLabelText(/User name/), 'root ');
  await person.type(page.getByLabelText(/Full name/), 'Rosa Root');
  await person.type(page.getByLabelText(/E-mail/), 'rosa@example.test');
  await person.type(page.getByLabelText(/Password/), 'long enough for it');
  await person.click(page.getByRole('button', { name: 'Create account' }));
  return opened;
}

test('creates the first account and is signed in with it at once', async () => {
  const answers = createAnswers()
    .on(createFirstAccount, done)
    .on(signIn, { success: true, token: 'new-token', userId: user.id, user });
  const { page, address, portal } = await fillIn(answers);
  await page.findByText('The account root has been created. You are logged in with it.');
  await waitFor(() => expect(address()).toBe('/monitoring/forbidden'));
  expect(portal.session.get()?.token).toBe('new-token');
  const body = { username: 'root', name: 'Rosa Root', email: 'rosa@example.test', password: 'long enough for it' };
  expect(answers.asked(createFirstAccount)).toEqual([{ params: { token: 'one-time-token' }, query: undefined, body }]);
  expect(answers.asked(signIn)[0]?.body).toEqual({ username: 'root', password: 'long enough for it' });
});

test('goes to sign-in where the account is there and the sign-in went wrong', async () => {
  const answers = createAnswers()
    .on(createFirstAccount, done)
    .refuse(signIn, 500, { code: 'INTERNAL_ERROR', message: 'Signing in failed, try again later.' });
  const { page, address } = await fillIn(answers);
  await page.findByText('The account root has been created. Log in with it.');
  await page.findByRole('button', { name: 'Log in' });
  expect(address()).toBe('/login');
});

test('says of a link that is used or wrong what to do, instead of a form that cannot be sent', async () => {
  const message = 'The link was not found. It may have been removed.';
  const answers = createAnswers().refuse(checkSetupLink, 404, { code: 'NOT_FOUND', message });
  const { page } = openPortal({ path, answers });
  await page.findByRole('heading', { name: 'This link is not valid' });
  expect(page.queryByLabelText(/User name/)).toBeNull();
  expect(page.getByRole('link', { name: 'Go to sign-in' }).getAttribute('href')).toBe('/login');
});

test('shows beside a field what is wrong with it, and only there', async () => {
  const answers = createAnswers().refuse(createFirstAccount, 422, {
    code: 'INVALID_INPUT',
    message: 'The request has invalid fields. body.email: is in use already',
    errors: [{ path: 'body.email', message: 'is in use already' }],
  });
  const { page } = await fillIn(answers);
  expect(await page.findByText('is in use already')).toBeDefined();
  expect(page.queryByRole('alert')).toBeNull();
});

test('says what the server says where it is about no field', async () => {
  const message = 'The account could not be created, try again later.';
  const answers = createAnswers().refuse(createFirstAccount, 500, { code: 'INTERNAL_ERROR', message });
  const { page } = await fillIn(answers);
  expect((await page.findByRole('alert')).textContent).toBe(message);
});

test('shows the password that is typed, and hides it again', async () => {
  const { page, person } = openPortal({ path, answers: createAnswers().on(checkSetupLink, done) });
  const field = await page.findByLabelText(/Password/);
  expect(field).toHaveProperty('type', 'password');
  await person.click(page.getByRole('button', { name: 'Show the password' }));
  expect(field).toHaveProperty('type', 'text');
  await person.click(page.getByRole('button', { name: 'Hide the password' }));
  expect(field).toHaveProperty('type', 'password');
});
