import {
  changeOwnPassword,
  checkPasswordLink,
  requestPasswordLink,
  setPasswordByLink,
} from '@keepwatch/contract/identity/passwords';
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const NEW = 'a long enough password';
const link = (isValid: boolean, isInvitation = false) =>
  createAnswers().on(checkPasswordLink, { success: true, data: { isValid, isInvitation } });

test('asks for a link by mail, without saying whether there is such an account', async () => {
  const answers = createAnswers().on(requestPasswordLink, { success: true });
  const { page, person } = openPortal({ path: '/login', answers });
  await person.click(await page.findByRole('link', { name: 'Forgot password?' }));
  await person.type(await page.findByRole('textbox', { name: /User name or e-mail/ }), ' ada ');
  await person.click(page.getByRole('button', { name: 'Send link' }));
  await page.findByText(/^If there is an account for ada/);
  expect(answers.asked(requestPasswordLink)[0]?.body).toEqual({ login: 'ada' });
});

test('sets a password with the link of an invitation, and leads to the sign-in', async () => {
  const answers = link(true, true).on(setPasswordByLink, { success: true });
  const { page, person, address } = openPortal({ path: '/reset-password-db?hash=abc', answers });
  await page.findByRole('heading', { name: 'Welcome. Choose your password' });
  await person.type(page.getByLabelText(/^New password/, { selector: 'input' }), NEW);
  await person.click(page.getByRole('button', { name: 'Set password' }));
  await waitFor(() => expect(address()).toBe('/login'));
  expect(answers.asked(setPasswordByLink)[0]?.body).toEqual({ hash: 'abc', password: NEW });
});

test('says of a link that is spent what to do next', async () => {
  const { page } = openPortal({ path: '/reset-password-db?hash=abc', answers: link(false) });
  await page.findByRole('heading', { name: 'This link is not valid' });
  page.getByRole('link', { name: 'Ask for another link' });
});

test('changes the own password from the menu of the account, and stays signed in', async () => {
  const user = buildUser();
  const answers = createAnswers().on(changeOwnPassword, { success: true, data: { token: 'onward' } });
  const { page, person, portal } = openPortal({ path: '/monitoring/forbidden', user, answers });
  await person.click(await page.findByRole('button', { name: /^Account of/ }));
  await person.click(await page.findByRole('button', { name: 'Change password' }));
  await person.type(await page.findByLabelText(/^Current password/, { selector: 'input' }), 'old');
  await person.type(page.getByLabelText(/^New password/, { selector: 'input' }), NEW);
  await person.click(page.getByRole('button', { name: 'Change password' }));
  await page.findByText(/Your password has been changed/);
  expect(portal.session.get()?.token).toBe('onward');
  for (const name of [/^Current password/, /^New password/])
    expect(page.getByLabelText(name, { selector: 'input' })).toHaveProperty('value', '');
});

test('offers no new password to who logs in through an identity provider', async () => {
  const { page } = openPortal({ path: '/monitoring/change-password', user: buildUser({ hasPassword: false }) });
  await page.findByText(/You log in through an identity provider and have no password here/);
  expect(page.queryByLabelText(/^Current password/)).toBeNull();
});

test('shows nothing but the page for a new password to a user whose password another person set', async () => {
  const user = buildUser({ passwordReset: true });
  const answers = createAnswers().on(changeOwnPassword, { success: true, data: { token: 'onward' } });
  const { page, person, address } = openPortal({ path: '/monitoring/forbidden', user, answers });
  await page.findByRole('heading', { name: 'Choose a new password' });
  expect(address()).toContain('/monitoring/reset-password');
  await person.type(await page.findByLabelText(/^Current password/, { selector: 'input' }), 'given');
  await person.type(page.getByLabelText(/^New password/, { selector: 'input' }), NEW);
  await person.click(page.getByRole('button', { name: 'Change password' }));
  await waitFor(() => expect(address()).toBe('/monitoring/forbidden'));
});
