import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { id } from '../wire/fields.ts';
import { done } from '../wire/replies.ts';
import { user } from './sessions.ts';

export const impersonate = declareCall({
  method: 'POST',
  path: '/auth/login-as',
  access: ['monitoring.users', 'o365.users'],
  needs: 'own-session',
  audit: 'session.impersonate',
  body: z.strictObject({ userId: id }),
  reply: z.object({ success: z.literal(true), token: z.string(), userId: id, user }),
  failure: 'Error while logging in',
  summary:
    'Opens a session as another user, all of whose roles the caller may give. It ends with the session of the caller.',
});

export const exitImpersonation = declareCall({
  method: 'POST',
  path: '/auth/login-as/exit',
  access: 'signed-in',
  audit: 'session.exit',
  ...done,
  failure: 'Leaving the account failed, try again later.',
  summary: 'Ends the session in which an administrator acts as another user. The own session goes on.',
});
