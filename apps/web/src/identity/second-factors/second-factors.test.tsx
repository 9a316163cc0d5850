import {
  beginAuthenticator,
  confirmAuthenticator,
  getSecondFactors,
  removeAuthenticator,
  renewRecoveryCodes,
} from '@keepwatch/contract/identity/second-factors';
import { signIn, signInWithCode } from '@keepwatch/contract/identity/sessions';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';

const KEY = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const CODES = Array.from({ length: 10 }, (_, n) => `AAAA-BBBB-CCCC-DDD${String.fromCharCode(65 + n)}`);
const none: CallReply<typeof getSecondFactors> = {
  success: true,
  data: { authenticator: null, passkeys: [], phone: null, canUsePhone: false, recoveryCodesLeft: 0 },
};
const app = { createdAt: '2026-03-01T12:00:00.000Z', lastUsedAt: '2026-03-14T12:00:00.000Z' };
const some: CallReply<typeof getSecondFactors> = {
  success: true,
  data: { authenticator: app, passkeys: [], phone: null, canUsePhone: false, recoveryCodesLeft: 7 },
};

const asked: CallReply<typeof signIn> = {
  success: true,
  secondFactor: { challenge: 'of-the-password', kinds: ['authenticator', 'recovery-code'], passkey: null, sms: null },
};

async function toSecondStep(answers = createAnswers()) {
  answers.on(signIn, asked);
  const visit = openPortal({ path: '/monitoring/forbidden', answers });
  await visit.person.type(await visit.page.findByLabelText('User name'), 'ada');
  await visit.person.type(visit.page.getByLabelText('Password'), 'secret{Enter}');
  await visit.page.findByRole('heading', { name: 'Confirm that it is you' });
  return visit;
}

test('asks for the second factor after the password, and goes on to the address that was asked for', async () => {
  const user = buildUser();
  const signedIn = { success: true as const, token: 'new-token', userId: user.id, user };
  const { page, person, portal, address, answers } = await toSecondStep(createAnswers().on(signInWithCode, signedIn));
  expect(portal.session.get()).toBeNull();
  await person.type(page.getByRole('textbox', { name: /^Code/ }), '123456');
  await person.click(page.getByRole('checkbox', { name: 'Remember this computer for 30 days' }));
  await person.click(page.getByRole('button', { name: 'Log in' }));
  await waitFor(() => expect(address()).toBe('/monitoring/forbidden'));
  expect(portal.session.get()?.token).toBe('new-token');
  expect(answers.asked(signInWithCode).map(({ body }) => body)).toEqual([
    { challenge: 'of-the-password', code: '123456', rememberComputer: true },
  ]);
});

test('says what the server says against a code, and leads back to the password', async () => {
  const message = 'The code is wrong, or it was used already.';
  const { page, person } = await toSecondStep(
    createAnswers().refuse(signInWithCode, 401, { code: 'WRONG_CODE', message }),
  );
  await person.type(page.getByRole('textbox', { name: /^Code/ }), '000000{Enter}');
  expect((await page.findByRole('alert')).textContent).toBe(message);
  await person.click(page.getByRole('button', { name: 'Back to sign-in' }));
  await page.findByLabelText('User name');
});

test('adds an authenticator app from the menu of the account, and shows the recovery codes once', async () => {
  const answers = createAnswers()
    .on(getSecondFactors, none)
    .on(beginAuthenticator, { success: true, data: { key: KEY, address: `otpauth://totp/a:b?secret=${KEY}&issuer=a` } })
    .on(confirmAuthenticator, { success: true, data: { recoveryCodes: CODES } });
  // The browser of the tests cannot print.
  const print = vi.fn();
  window.print = print;
  const { page, person } = openPortal({ path: '/monitoring/forbidden', user: buildUser(), answers });
  await person.click(await page.findByRole('button', { name: /^Account of/ }));
  await person.click(await page.findByRole('button', { name: 'Security' }));
  await person.click(await page.findByRole('button', { name: 'Add app' }));
  await person.type(await page.findByLabelText(/^Current password/, { selector: 'input' }), 'secret');
  await person.click(page.getByRole('button', { name: 'Go on' }));
  await page.findByRole('img', { name: 'The key as a QR code' });
  page.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP');
  answers.on(getSecondFactors, some);
  await person.type(page.getByRole('textbox', { name: /^Code/ }), '123 456');
  await person.click(within(page.getByRole('dialog')).getByRole('button', { name: 'Add app' }));
  const shown = await page.findByRole('list', { name: 'Recovery codes' });
  expect(
    within(shown)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(CODES);
  await person.click(page.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();
  await person.click(page.getByRole('button', { name: 'I have stored them' }));
  await page.findByText('7 of 10 left');
  expect(page.queryByText(CODES[0] ?? '')).toBeNull();
  expect(answers.asked(confirmAuthenticator)[0]?.body).toEqual({ code: '123456' });
});

test('removes the app and makes new recovery codes, each with the password', async () => {
  const answers = createAnswers()
    .on(getSecondFactors, some)
    .on(removeAuthenticator, { success: true })
    .on(renewRecoveryCodes, { success: true, data: CODES });
  const { page, person } = openPortal({ path: '/monitoring/security', user: buildUser(), answers });
  await person.click(await page.findByRole('button', { name: 'Make new codes' }));
  await person.type(await page.findByLabelText(/^Current password/, { selector: 'input' }), 'secret{Enter}');
  await page.findByText(CODES[9] ?? '');
  await person.click(page.getByRole('button', { name: 'I have stored them' }));
  await person.click(page.getByRole('button', { name: 'Remove app' }));
  await person.type(await page.findByLabelText(/^Current password/, { selector: 'input' }), 'secret');
  answers.on(getSecondFactors, none);
  await person.click(within(page.getByRole('dialog')).getByRole('button', { name: 'Remove app' }));
  await page.findByRole('button', { name: 'Add app' });
  expect(answers.asked(removeAuthenticator)[0]?.body).toEqual({ password: 'secret' });
});

test('opens nothing but the security page to a user who has to add a second factor, and goes on from it', async () => {
  const answers = createAnswers()
    .on(getSecondFactors, none)
    .on(beginAuthenticator, { success: true, data: { key: KEY, address: `otpauth://totp/a:b?secret=${KEY}` } })
    .on(confirmAuthenticator, { success: true, data: { recoveryCodes: null } });
  const user = buildUser({ secondFactorNeeded: true });
  const { page, person, address } = openPortal({ path: '/monitoring/forbidden', user, answers });
  await page.findByText(/Your provider requires a second factor/);
  expect(address()).toContain('/monitoring/security');
  expect(page.queryByRole('button', { name: 'Go on to the portal' })).toBeNull();
  await person.click(await page.findByRole('button', { name: 'Add app' }));
  await person.type(await page.findByLabelText(/^Current password/, { selector: 'input' }), 'secret{Enter}');
  await person.type(await page.findByRole('textbox', { name: /^Code/ }), '123456{Enter}');
  await person.click(await page.findByRole('button', { name: 'Go on to the portal' }));
  await waitFor(() => expect(address()).toBe('/monitoring/forbidden'));
});
