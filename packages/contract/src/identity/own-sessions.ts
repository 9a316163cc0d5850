import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';

/** A session of the user, as the user sees it. */
export const ownSession = entity(
  'OwnSession',
  z.object({
    _id: id,
    /** `Firefox on Windows`; `null` where the browser did not say. */
    device: z.nullable(z.string()),
    address: z.nullable(z.string()),
    createdAt: instant,
    /** To five minutes. */
    lastAt: instant,
    expiresAt: instant,
    /** Whether this call was made with it. */
    isThis: z.boolean(),
    /** User name of the administrator who acts as the user in it. */
    impersonator: z.nullable(z.string()),
  }),
);
export type OwnSession = z.infer<typeof ownSession>;

export const listOwnSessions = declareCall({
  method: 'GET',
  path: '/profile/{id}/sessions',
  access: 'signed-in',
  params: z.strictObject({ id }),
  ...itemOf(z.array(ownSession)),
  failure: 'Error while trying to get the sessions, try again later.',
  summary: "The user's own sessions: this one first, then those that were used last.",
});

export const revokeOwnSession = declareCall({
  method: 'DELETE',
  path: '/profile/{id}/sessions/{sessionId}',
  access: 'signed-in',
  needs: 'own-session',
  audit: 'session.revoke',
  params: z.strictObject({ id, sessionId: id }),
  ...done,
  failure: 'Error while trying to end the session, try again later.',
  summary: 'Ends one session of the user at once.',
});

export const revokeOtherSessions = declareCall({
  method: 'DELETE',
  path: '/profile/{id}/sessions',
  access: 'signed-in',
  needs: 'own-session',
  audit: 'session.revoke-others',
  params: z.strictObject({ id }),
  ...itemOf(z.object({ ended: z.int() })),
  failure: 'Error while trying to end the sessions, try again later.',
  summary: 'Ends all sessions of the user at once but the one that makes the call.',
});
