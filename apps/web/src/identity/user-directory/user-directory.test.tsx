import {
  checkSecretAnswers,
  findSecretQuestions,
  getOwnQuestions,
  SECRET_QUESTIONS,
  setOwnQuestions,
} from '@keepwatch/contract/identity/secret-questions';
import { signIn } from '@keepwatch/contract/identity/sessions';
import {
  changeExpiredPassword,
  changeOwnDirectoryPassword,
  resetDirectoryPassword,
  signInByDirectory,
  unlockAccount,
} from '@keepwatch/contract/identity/user-directory';
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildBranding, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';

const branding = buildBranding({ authType: 'ad' });
const OLD = 'the old password';
const NEW = 'a long enough password';
const [FIRST, SECOND, THIRD] = SECRET_QUESTIONS;
const questions = [FIRST, SECOND, THIRD];

const signedIn = () => {
  const user = buildUser({ authType: 'ad' });
  return { success: true as const, token: 'new-token', userId: user.id, user };
};

/** Opens the sign-in page and enters a name and a password. */
async function enter(answers: ReturnType<typeof createAnswers>) {
  const opened = openPortal({ path: '/login?next=/monitoring/forbidden', answers, branding });
  const { page, person } = opened;
  await person.type(await page.findByLabelText('User name'), 'alice');
  await person.type(page.getByLabelText('Password'), OLD);
  await person.click(page.getByRole('button', { name: 'Log in' }));
  return opened;
}

/** Opens a page for forgotten passwords, and answers the questions of a user. */
async function answerQuestions(path: string, answers: ReturnType<typeof createAnswers>) {
  const opened = openPortal({ path, answers, branding });
  const { page, person } = opened;
  await person.type(await page.findByLabelText('User name'), ' alice ');
  await person.click(page.getByRole('button', { name: 'Continue' }));
  for (const [at, question] of questions.entries())
    await person.type(await page.findByRole('textbox', { name: new RegExp(question.slice(0, -1)) }), `Answer ${at}`);
  await person.click(page.getByRole('button', { name: 'Continue' }));
  return opened;
}

const answered = () =>
  createAnswers()
    .on(findSecretQuestions, { success: true, data: { questions } })
    .on(checkSecretAnswers, { success: true, data: { hash: 'proof' } });

test('signs in with the directory where the brand has one', async () => {
  const answers = createAnswers().on(signInByDirectory, signedIn);
  const { address } = await enter(answers);
  await waitFor(() => expect(address()).toBe('/monitoring/forbidden'));
  expect(answers.asked(signInByDirectory)[0]?.body).toEqual({ username: 'alice', password: OLD });
});

test('signs in with an account of the portal, too', async () => {
  const answers = createAnswers().on(signIn, signedIn);
  const { page, person, portal } = openPortal({ path: '/login?next=/monitoring/forbidden', answers, branding });
  await person.click(await page.findByRole('button', { name: 'Use an account of this portal' }));
  await person.type(page.getByLabelText('User name'), 'own');
  await person.type(page.getByLabelText('Password'), `${OLD}{Enter}`);
  await waitFor(() => expect(portal.session.get()?.token).toBe('new-token'));
});

test('changes a password that has expired, and signs in with the new one', async () => {
  const refusal = { code: 'PASSWORD_CHANGE_REQUIRED', message: 'Your password has to be changed.' } as const;
  const answers = createAnswers()
    .refuse(signInByDirectory, 401, refusal)
    .on(changeExpiredPassword, () => {
      answers.on(signInByDirectory, signedIn);
      return { success: true as const };
    });
  const { page, person, portal } = await enter(answers);
  await page.findByRole('heading', { name: 'Choose a new password' });
  await person.type(page.getByLabelText(/^New password/, { selector: 'input' }), NEW);
  await person.click(page.getByRole('button', { name: 'Change password' }));
  await waitFor(() => expect(portal.session.get()?.token).toBe('new-token'));
  expect(answers.asked(changeExpiredPassword)[0]?.body).toEqual({ username: 'alice', password: OLD, newPassword: NEW });
  expect(answers.asked(signInByDirectory).at(-1)?.body).toEqual({ username: 'alice', password: NEW });
});

test('unlocks an account by its secret questions', async () => {
  const answers = answered().on(unlockAccount, { success: true });
  const { page, person, address } = await answerQuestions('/unlock', answers);
  await person.click(await page.findByRole('button', { name: 'Unlock account' }));
  await waitFor(() => expect(address()).toBe('/login'));
  expect(answers.asked(findSecretQuestions)[0]?.params).toEqual({ username: 'alice' });
  const body = { username: 'alice', answers: ['Answer 0', 'Answer 1', 'Answer 2'] };
  expect(answers.asked(checkSecretAnswers)[0]?.body).toEqual(body);
  expect(answers.asked(unlockAccount)[0]?.body).toEqual({ hash: 'proof' });
});

test('says of wrong answers, and of an account that could not be unlocked, what the server says', async () => {
  const wrong = { code: 'WRONG_CREDENTIALS', message: 'Invalid security answers' } as const;
  const { page, person } = await answerQuestions('/unlock', answered().refuse(checkSecretAnswers, 401, wrong));
  expect((await page.findByRole('alert')).textContent).toBe('Invalid security answers');
  page.unmount();
  const failed = {
    code: 'DIRECTORY_UNREACHABLE',
    message: 'The account has not been unlocked. Please, try later',
  } as const;
  const again = await answerQuestions('/unlock', answered().refuse(unlockAccount, 503, failed));
  await person.click(await again.page.findByRole('button', { name: 'Unlock account' }));
  expect((await again.page.findByRole('alert')).textContent).toBe(failed.message);
});

test('resets a forgotten password of the directory', async () => {
  const answers = answered().on(resetDirectoryPassword, { success: true });
  const { page, person, address } = await answerQuestions('/forgot-password', answers);
  await person.type(await page.findByLabelText(/^New password/, { selector: 'input' }), NEW);
  await person.click(page.getByRole('button', { name: 'Set password' }));
  await waitFor(() => expect(address()).toBe('/login'));
  expect(answers.asked(resetDirectoryPassword)[0]?.body).toEqual({ hash: 'proof', password: NEW });
});

test('the sign-in leads to the pages of the directory', async () => {
  const { page, person, address } = openPortal({ path: '/login', branding });
  await person.click(await page.findByRole('link', { name: 'Unlock account' }));
  await page.findByRole('heading', { name: 'Unlock your account' });
  await person.click(page.getByRole('link', { name: 'Back to sign-in' }));
  await person.click(await page.findByRole('link', { name: 'Forgot password?' }));
  await page.findByRole('heading', { name: 'Forgot your password?' });
  expect(address()).toBe('/forgot-password');
  await person.click(page.getByRole('link', { name: 'Get a link by e-mail instead' }));
  await page.findByRole('button', { name: 'Send link' });
});

test('shows nothing but the secret questions to a user who has not chosen any', async () => {
  const user = buildUser({ authType: 'ad', forceSecurityQuestions: true });
  const answers = createAnswers()
    .on(getOwnQuestions, { success: true, data: { questions: [] } })
    .on(setOwnQuestions, { success: true });
  const { page, person, address } = openPortal({ path: '/monitoring/forbidden', user, answers });
  await page.findByRole('heading', { name: 'Secret questions' });
  expect(address()).toContain('/monitoring/security-questions');
  for (const [at, answer] of ['Miller', 'Rex', 'Paris'].entries())
    await person.type(await page.findByRole('textbox', { name: new RegExp(`Answer ${at + 1}`) }), answer);
  await person.type(page.getByLabelText(/^Current password/, { selector: 'input' }), OLD);
  await person.click(page.getByRole('button', { name: 'Save questions' }));
  await waitFor(() => expect(address()).toBe('/monitoring/forbidden'));
  expect(answers.asked(setOwnQuestions)[0]?.body).toEqual({
    password: OLD,
    first: { question: FIRST, answer: 'Miller' },
    second: { question: SECOND, answer: 'Rex' },
    third: { question: THIRD, answer: 'Paris' },
  });
});

test('changes the own password in the directory, and says which one does not meet its requirements', async () => {
  const message = 'Password chosen failed to meet any or all of the requirements stated.';
  const user = buildUser({ authType: 'ad' });
  const answers = createAnswers().refuse(changeOwnDirectoryPassword, 401, { code: 'PASSWORD_REFUSED', message });
  const { page, person, portal } = openPortal({ path: '/monitoring/change-password', user, answers });
  await person.type(await page.findByLabelText(/^Current password/, { selector: 'input' }), OLD);
  await person.type(page.getByLabelText(/^New password/, { selector: 'input' }), 'short');
  await person.click(page.getByRole('button', { name: 'Change password' }));
  expect((await page.findByRole('alert')).textContent).toBe(message);
  answers.on(changeOwnDirectoryPassword, { success: true, data: { token: 'onward' } });
  await person.click(page.getByRole('button', { name: 'Change password' }));
  await waitFor(() => expect(portal.session.get()?.token).toBe('onward'));
});
