import { beginPhone, beginPhoneRemoval, confirmPhone, removePhone } from '@keepwatch/contract/identity/phones';
import { getSecondFactors } from '@keepwatch/contract/identity/second-factors';
import { signIn } from '@keepwatch/contract/identity/sessions';
import { giveSmsPhone, resendSmsCode, signInWithSms } from '@keepwatch/contract/identity/sms-sign-in';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildBranding, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';

const PHONE = '•••••••••42';
const user = buildUser();
const signedIn = { success: true as const, token: 'new-token', userId: user.id, user, recoveryCodes: null };
const none: CallReply<typeof getSecondFactors> = {
  success: true,
  data: { authenticator: null, passkeys: [], phone: null, canUsePhone: true, recoveryCodesLeft: 0 },
};
const phone = { number: PHONE, createdAt: '2026-03-01T12:00:00.000Z', lastUsedAt: null };
const some: CallReply<typeof getSecondFactors> = {
  success: true,
  data: { ...none.data, phone, recoveryCodesLeft: 10 },
};

function asked(isSent: boolean): CallReply<typeof signIn> {
  const sms = { phone: PHONE, isSent };
  return { success: true, secondFactor: { challenge: 'x', kinds: ['sms', 'recovery-code'], passkey: null, sms } };
}

async function toSecondStep(answers: ReturnType<typeof createAnswers>, path = '/monitoring/forbidden') {
  const visit = openPortal({ path, answers });
  await visit.person.type(await visit.page.findByLabelText('User name'), 'ada');
  await visit.person.type(visit.page.getByLabelText('Password'), 'secret{Enter}');
  await visit.page.findByRole('heading', { name: 'Confirm that it is you' });
  return visit;
}

test('asks for the code that was sent to the phone, with the password that was right', async () => {
  const answers = createAnswers().on(signIn, asked(true)).on(signInWithSms, signedIn);
  const { page, person, portal, address } = await toSecondStep(answers);
  await person.type(page.getByRole('textbox', { name: /^Code from your phone/ }), '123 456');
  await person.click(page.getByRole('checkbox', { name: 'Remember this computer for 30 days' }));
  await person.click(page.getByRole('button', { name: 'Log in with this code' }));
  await waitFor(() => expect(address()).toBe('/monitoring/forbidden'));
  expect(portal.session.get()?.token).toBe('new-token');
  expect(answers.asked(signInWithSms).map(({ body }) => body)).toEqual([
    { username: 'ada', password: 'secret', smsCode: '123456', rememberComputer: true, userUpdatedPhoneOnce: false },
  ]);
});

test('sends a code when it is asked for, and says what the server says against it', async () => {
  const message = 'Too many codes were sent. Wait ten minutes and try again.';
  const answers = createAnswers().on(signIn, asked(false)).on(resendSmsCode, { success: true, phone: PHONE });
  const { page, person } = await toSecondStep(answers, '/sms-verification');
  expect(page.queryByRole('textbox', { name: /^Code from your phone/ })).toBeNull();
  await person.click(page.getByRole('button', { name: `Send a code to ${PHONE}` }));
  await page.findByRole('textbox', { name: /^Code from your phone/ });
  answers.refuse(resendSmsCode, 429, { code: 'TOO_MANY_TRIES', message });
  await person.click(page.getByRole('button', { name: 'Send a new code' }));
  expect((await page.findByRole('alert')).textContent).toBe(message);
});

test('gives a phone at the sign-in, and signs in with its code', async () => {
  const answers = createAnswers().on(giveSmsPhone, { success: true, phone: PHONE }).on(signInWithSms, signedIn);
  const { page, person, portal } = openPortal({ path: '/phone', answers });
  await person.type(await page.findByRole('textbox', { name: /^User name/ }), 'ada');
  await person.type(page.getByLabelText(/^Password/, { selector: 'input' }), 'secret');
  await person.type(page.getByRole('textbox', { name: /^Mobile phone/ }), '+1 500 555 0042{Enter}');
  await person.type(await page.findByRole('textbox', { name: /^Code from your phone/ }), '123456{Enter}');
  await waitFor(() => expect(portal.session.get()?.token).toBe('new-token'));
  expect(answers.asked(giveSmsPhone).map(({ body }) => body)).toEqual([
    { username: 'ada', password: 'secret', mobilePhone: '+15005550042' },
  ]);
  expect(answers.asked(signInWithSms).map(({ body }) => body)).toEqual([
    { username: 'ada', password: 'secret', smsCode: '123456', rememberComputer: false, userUpdatedPhoneOnce: true },
  ]);
});

test('shows the recovery codes that come with a first phone, and goes on once they are stored', async () => {
  const answers = createAnswers()
    .on(giveSmsPhone, { success: true, phone: PHONE })
    .on(signInWithSms, { ...signedIn, recoveryCodes: ['AAAA-BBBB-CCCC-DDDD'] });
  const { page, person, portal, address } = openPortal({ path: '/phone', answers });
  await person.type(await page.findByRole('textbox', { name: /^User name/ }), 'ada');
  await person.type(page.getByLabelText(/^Password/, { selector: 'input' }), 'secret');
  await person.type(page.getByRole('textbox', { name: /^Mobile phone/ }), '+1 500 555 0042{Enter}');
  await person.type(await page.findByRole('textbox', { name: /^Code from your phone/ }), '123456{Enter}');
  await page.findByRole('heading', { name: 'Store your recovery codes' });
  page.getByText('AAAA-BBBB-CCCC-DDDD');
  page.getByText(new RegExp(`lets ${user.username} log in`));
  expect(portal.session.get()).toBeNull();
  await person.click(page.getByRole('button', { name: 'I have stored them' }));
  await waitFor(() => expect(address()).not.toBe('/phone'));
  expect(portal.session.get()?.token).toBe('new-token');
});

test('gives a phone to an account of the portal, too, where the brand has a directory', async () => {
  // Without a role there is no screen to go to, which would ask for its own data.
  const answers = createAnswers()
    .on(giveSmsPhone, { success: true, phone: PHONE })
    .on(signInWithSms, { ...signedIn, user: buildUser({ roles: [] }) });
  const branding = buildBranding({ authType: 'ad' });
  const { page, person, portal } = openPortal({ path: '/phone', answers, branding });
  await person.click(await page.findByRole('button', { name: 'Use an account of this portal' }));
  await person.type(page.getByRole('textbox', { name: /^User name/ }), 'ada');
  await person.type(page.getByLabelText(/^Password/, { selector: 'input' }), 'secret');
  await person.type(page.getByRole('textbox', { name: /^Mobile phone/ }), '+1 500 555 0042{Enter}');
  await person.type(await page.findByRole('textbox', { name: /^Code from your phone/ }), '123456{Enter}');
  await waitFor(() => expect(portal.session.get()?.token).toBe('new-token'));
  expect([...answers.asked(giveSmsPhone), ...answers.asked(signInWithSms)].map(({ params }) => params)).toEqual([
    { directory: 'db' },
    { directory: 'db' },
  ]);
});

test('adds a phone with the password and a code, and shows the recovery codes once', async () => {
  const answers = createAnswers()
    .on(getSecondFactors, none)
    .on(beginPhone, { success: true, data: { phone: PHONE } })
    .on(confirmPhone, { success: true, data: { recoveryCodes: ['AAAA-BBBB-CCCC-DDDD'] } });
  const { page, person } = openPortal({ path: '/monitoring/security', user, answers });
  await person.click(await page.findByRole('button', { name: 'Add phone' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Add a phone' }));
  await person.type(dialog.getByRole('textbox', { name: /^Mobile phone/ }), '+1 500 555 0042');
  await person.type(dialog.getByLabelText(/^Current password/, { selector: 'input' }), 'secret');
  await person.click(dialog.getByRole('button', { name: 'Send code' }));
  await person.type(await dialog.findByRole('textbox', { name: /^Code/ }), '123456');
  answers.on(getSecondFactors, some);
  await person.click(dialog.getByRole('button', { name: 'Add phone' }));
  await page.findByText('AAAA-BBBB-CCCC-DDDD');
  expect(answers.asked(confirmPhone).map(({ body }) => body)).toEqual([{ code: '123456' }]);
});

test('removes the phone with the password and a code', async () => {
  const answers = createAnswers()
    .on(getSecondFactors, some)
    .on(beginPhoneRemoval, { success: true, data: { phone: PHONE } })
    .on(removePhone, { success: true });
  const { page, person } = openPortal({ path: '/monitoring/security', user, answers });
  await person.click(await page.findByRole('button', { name: 'Remove phone' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Remove the phone?' }));
  await person.type(dialog.getByLabelText(/^Current password/, { selector: 'input' }), 'secret{Enter}');
  await person.type(await dialog.findByRole('textbox', { name: /^Code/ }), '123456{Enter}');
  await page.findByText('Your phone has been removed.');
  expect(answers.asked(removePhone).map(({ body }) => body)).toEqual([{ code: '123456' }]);
});

test('shows no row for phones where the provider sends no codes', async () => {
  const without: typeof none = { success: true, data: { ...none.data, canUsePhone: false } };
  const answers = createAnswers().on(getSecondFactors, without);
  const { page } = openPortal({ path: '/monitoring/security', user, answers });
  await page.findByText('Authenticator app');
  expect(page.queryByRole('button', { name: 'Add phone' })).toBeNull();
});
