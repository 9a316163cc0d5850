import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { instant, lineText, text } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';

/** How many requests a user may send within an hour. */
export const SUPPORT_REQUESTS_AN_HOUR = 5;

export const requestSupport = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/support',
  access: 'signed-in',
  after: 'second-factor',
  audit: 'support.request',
  body: z.strictObject({
    subject: lineText(150),
    message: text(10_000).check(z.regex(/\S/, 'must not be blank')),
    /** The page of the portal that it is about. */
    page: z.optional(
      text(500).check(z.regex(/^\/(?!\/)[^\s\\]*$/, 'must be a page of this portal, such as /monitoring/dashboard')),
    ),
  }),
  /** `copyTo` is `null` for a user without an address. */
  ...itemOf(z.object({ sentTo: z.string(), copyTo: z.nullable(z.string()) })),
  failure: 'The request could not be sent, try again later.',
  summary:
    'Mails a request to the support of the brand, with what it needs to know, and a copy to a user who has an address.',
});

/** For how long a token is valid: a chat reads it when it opens. */
export const CHAT_TOKEN_SECONDS = 300;

export const makeChatToken = declareCall({
  method: 'POST',
  path: '/chat/identity-token',
  access: 'signed-in',
  after: 'second-factor',
  // Who acts as a user is not that user to the people in the chat.
  needs: 'own-session',
  audit: null, // Nothing is changed, and the token is valid for minutes
  body: z.strictObject({
    name: text(200),
    email: text(200),
    serviceProviderId: z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1)),
  }),
  ...itemOf(z.object({ token: z.string(), expiresAt: instant })),
  failure: 'The chat could not be opened, try again later.',
  summary: 'A signed token (JWT, HS256) with which the chat of the brand recognises the signed-in user.',
});
