import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { id, text } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';
import { givenPassword } from './password-fields.ts';

/** A number with its country, as people write it: one without would be another country's. */
export const mobilePhone = text(40).check(
  z.regex(/^\s*\+[\d ()./-]{6,}\s*$/, 'must be a number with its country, like +1 555 010 0100'),
  z.overwrite((number) => number.replace(/[^+\d]/g, '')),
);

/** A code that was sent to a phone. */
export const smsCode = text(20).check(
  z.overwrite((code) => code.replace(/\s/g, '')),
  z.regex(/^\d{4,10}$/, 'must have four to ten digits'),
);

/** The number to which a code was sent, shown in part. */
const sentTo = itemOf(z.object({ phone: z.string() }));

export const beginPhone = declareCall({
  method: 'POST',
  path: '/profile/{id}/phone',
  access: 'signed-in',
  after: 'new-password',
  needs: 'own-session',
  audit: 'profile.send-code',
  params: z.strictObject({ id }),
  body: z.strictObject({ password: givenPassword, mobilePhone }),
  ...sentTo,
  failure: 'The code could not be sent, try again later.',
  summary: 'Sends a code to a phone. The phone counts once the code has confirmed it; it then replaces an earlier one.',
});

export const confirmPhone = declareCall({
  method: 'POST',
  path: '/profile/{id}/phone/confirm',
  access: 'signed-in',
  after: 'new-password',
  needs: 'own-session',
  audit: 'profile.add-phone',
  params: z.strictObject({ id }),
  body: z.strictObject({ code: smsCode }),
  ...itemOf(z.object({ recoveryCodes: z.nullable(z.array(z.string())) })),
  failure: 'The phone could not be added, try again later.',
  summary: 'Adds the phone to which this code was sent. With the first second factor come recovery codes.',
});

export const beginPhoneRemoval = declareCall({
  method: 'POST',
  path: '/profile/{id}/phone/code',
  access: 'signed-in',
  needs: 'own-session',
  audit: 'profile.send-code',
  params: z.strictObject({ id }),
  body: z.strictObject({ password: givenPassword }),
  ...sentTo,
  failure: 'The code could not be sent, try again later.',
  summary: 'Sends the code with which the phone can be removed.',
});

export const removePhone = declareCall({
  method: 'DELETE',
  path: '/profile/{id}/phone',
  access: 'signed-in',
  needs: 'own-session',
  audit: 'profile.remove-phone',
  params: z.strictObject({ id }),
  body: z.strictObject({ code: smsCode }),
  ...done,
  failure: 'The phone could not be removed, try again later.',
  summary: 'Removes the phone to which this code was sent.',
});
