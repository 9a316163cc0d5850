import * as z from 'zod/mini';
import { declareCall, PUBLIC_BODY_BYTES } from '../wire/call.ts';
import { id, text } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';
import { signInReply } from './sessions.ts';

/** The path of the page at which an identity provider sends the browser back; it is registered there. */
export const RETURN_PATH = '/login/identity-provider';
/** The same after a sign-out there. */
export const SIGNED_OUT_PATH = '/login';

export const beginSingleSignOn = declareCall({
  method: 'POST',
  path: '/auth/login/identity-providers/{id}',
  access: 'public',
  audit: null, // No user is known yet
  params: z.strictObject({ id }),
  /** Where the person signs in. */
  ...itemOf(z.object({ address: z.string() })),
  failure: 'Signing in failed, try again later.',
  summary: 'Begins a sign-in through an identity provider of the brand, for this browser alone.',
});

export const finishSingleSignOn = declareCall({
  method: 'POST',
  path: '/auth/login/identity-provider-return',
  access: 'public',
  audit: null, // The handler records session.sign-in or session.refused, also of those who are not let in
  /** What follows the `?` of the address at which the browser came back. */
  body: z.strictObject({ query: text(8_000) }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  reply: signInReply,
  failure: 'Signing in failed, try again later.',
  summary: 'Ends a sign-in through an identity provider, or asks for the second factor of the account.',
});
