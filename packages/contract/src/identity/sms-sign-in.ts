import * as z from 'zod/mini';
import { declareCall, PUBLIC_BODY_BYTES } from '../wire/call.ts';
import { text } from '../wire/fields.ts';
import { givenPassword } from './password-fields.ts';
import { mobilePhone, smsCode } from './phones.ts';
import { newRecoveryCodes } from './second-factors.ts';
import { signedIn } from './sessions.ts';

/** Where the password is checked: by Active Directory or here. */
const params = z.strictObject({ directory: z.enum(['ad', 'db']) });
const credentials = { username: text(200).check(z.minLength(1)), password: givenPassword };
/** The number to which a code was sent, shown in part. */
const reply = z.object({ success: z.literal(true), phone: z.string() });
const failure = 'Signing in failed, try again later.';

export const signInWithSms = declareCall({
  method: 'POST',
  path: '/auth/login/{directory}/sms',
  access: 'public',
  audit: null, // The handler records session.sign-in, session.refused or session.refused-code, also of those who are not let in
  params,
  body: z.strictObject({
    ...credentials,
    smsCode,
    /** No second factor is asked for on this computer for 30 days. */
    rememberComputer: z._default(z.boolean(), false),
    /** The code was sent to a number that was given at this sign-in: it confirms the number. */
    userUpdatedPhoneOnce: z._default(z.boolean(), false),
  }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  reply: z.extend(signedIn, { recoveryCodes: newRecoveryCodes }),
  failure,
  summary:
    'Signs in with the password and the code that was sent to the phone. With a first second factor come recovery codes.',
});

export const giveSmsPhone = declareCall({
  method: 'POST',
  path: '/auth/login/{directory}/sms/phone',
  access: 'public',
  audit: null, // The handler records session.send-code or session.refused, also of those who are not let in
  params,
  body: z.strictObject({ ...credentials, mobilePhone }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  reply,
  failure: 'The code could not be sent, try again later.',
  summary: 'Sends a code to the phone of a user who has to add a second factor and has none.',
});

export const resendSmsCode = declareCall({
  method: 'POST',
  path: '/auth/login/{directory}/sms/resend',
  access: 'public',
  audit: null, // The handler records session.send-code or session.refused, also of those who are not let in
  params,
  body: z.strictObject({
    ...credentials,
    /** Only of a user who has no confirmed phone: one that was mistyped is given again. */
    newMobilePhone: z.optional(mobilePhone),
  }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  reply,
  failure: 'The code could not be sent, try again later.',
  summary: 'Sends a code again.',
});
