import { addPasskey, beginPasskey, removePasskey, renamePasskey } from '@keepwatch/contract/identity/passkeys';
import { getSecondFactors } from '@keepwatch/contract/identity/second-factors';
import { signIn } from '@keepwatch/contract/identity/sessions';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';

// What a browser does with passkeys is tested in a real one; here is what is around it, and a browser that has none.
const laptop = { _id: buildId(3), name: 'Laptop', createdAt: '2026-03-01T12:00:00.000Z', lastUsedAt: null };
const some: CallReply<typeof getSecondFactors> = {
  success: true,
  data: { authenticator: null, passkeys: [laptop], phone: null, canUsePhone: false, recoveryCodesLeft: 10 },
};
const none: CallReply<typeof getSecondFactors> = {
  success: true,
  data: { authenticator: null, passkeys: [], phone: null, canUsePhone: false, recoveryCodesLeft: 0 },
};

const open = () => {
  const answers = createAnswers()
    .on(getSecondFactors, some)
    .on(renamePasskey, { success: true })
    .on(removePasskey, { success: true });
  return openPortal({ path: '/monitoring/security', user: buildUser(), answers });
};

test('renames a passkey, and removes it with the password', async () => {
  const { page, person, answers } = open();
  await person.click(await page.findByRole('button', { name: 'Rename Laptop' }));
  const name = await page.findByRole('textbox', { name: 'Name' });
  await person.clear(name);
  await person.type(name, 'Old laptop{Enter}');
  await person.click(await page.findByRole('button', { name: 'Remove Laptop' }));
  await person.type(await page.findByLabelText(/^Current password/, { selector: 'input' }), 'secret');
  answers.on(getSecondFactors, none);
  await person.click(within(page.getByRole('dialog')).getByRole('button', { name: 'Remove passkey' }));
  await page.findByText('Your passkey has been removed.');
  expect(answers.asked(renamePasskey)[0]?.body).toEqual({ name: 'Old laptop' });
  expect(answers.asked(removePasskey)[0]).toMatchObject({
    params: { passkeyId: laptop._id },
    body: { password: 'secret' },
  });
});

test('says that the browser made no passkey, and adds none', async () => {
  const { page, person, answers } = open();
  const request = {
    challenge: 'x',
    rp: { id: 'portal.test', name: 'Portal' },
    user: { id: 'x', name: 'ada', displayName: 'ada' },
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
  } as const;
  answers.on(beginPasskey, { success: true, data: { ...request, pubKeyCredParams: [], excludeCredentials: [] } });
  await person.click(await page.findByRole('button', { name: 'Add passkey' }));
  await person.type(await page.findByLabelText(/^Current password/, { selector: 'input' }), 'secret{Enter}');
  expect((await page.findByRole('alert')).textContent).toContain('No passkey was made.');
  expect(answers.asked(addPasskey)).toEqual([]);
});

test('offers at the second step a passkey, and recovery codes besides', async () => {
  const passkey = { challenge: 'x', rpId: 'portal.test', userVerification: 'preferred' as const, allowCredentials: [] };
  const answers = createAnswers().on(signIn, {
    success: true,
    secondFactor: { challenge: 'x', kinds: ['passkey', 'recovery-code'], passkey, sms: null },
  });
  const { page, person } = openPortal({ path: '/login', answers });
  await person.type(await page.findByLabelText('User name'), 'ada');
  await person.type(page.getByLabelText('Password'), 'secret{Enter}');
  await person.click(await page.findByRole('button', { name: 'Use a passkey' }));
  expect((await page.findByRole('alert')).textContent).toContain('No passkey was used.');
  page.getByText('One of your recovery codes');
});
