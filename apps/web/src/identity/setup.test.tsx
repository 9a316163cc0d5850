import { createFirstAccount } from '@keepwatch/contract/identity/sessions';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { openPortal } from '../testing/open-portal.tsx';

async function fillIn(answers: ReturnType<typeof createAnswers>) {
  const opened = openPortal({ path: '/setup/one-time-token', answers });
  const { page, person } = opened;
  await person.type(await page.findByLabelText(/User name/), 'root');
  await person.type(page.getByLabelText(/Full name/), 'Rosa Root');
  await person.type(page.getByLabelText(/E-mail/), 'rosa@example.test');
  await person.type(page.getByLabelText(/Password/), 'long enough for it');
  await person.click(page.getByRole('button', { name: 'Create account' }));
  return opened;
}

test('creates the first account and goes on to sign-in', async () => {
  const answers = createAnswers().on(createFirstAccount, { success: true });
  const { page, address } = await fillIn(answers);
  await page.findByText('The account root has been created. Log in with it.');
  await page.findByRole('button', { name: 'Log in' });
  expect(address()).toBe('/login');
  const body = { username: 'root', name: 'Rosa Root', email: 'rosa@example.test', password: 'long enough for it' };
  expect(answers.asked(createFirstAccount)).toEqual([{ params: { token: 'one-time-token' }, query: undefined, body }]);
});

test('says when the link has been used before', async () => {
  const message = 'This link has been used or is too old.';
  const answers = createAnswers().refuse(createFirstAccount, 404, { code: 'NOT_FOUND', message });
  const { page } = await fillIn(answers);
  expect((await page.findByRole('alert')).textContent).toBe(message);
});

test('shows beside a field what is wrong with it', async () => {
  const answers = createAnswers().refuse(createFirstAccount, 422, {
    code: 'INVALID_INPUT',
    message: 'Some fields cannot be taken.',
    errors: [{ path: 'body.email', message: 'is taken already' }],
  });
  const { page } = await fillIn(answers);
  expect(await page.findByText('is taken already')).toBeDefined();
});
