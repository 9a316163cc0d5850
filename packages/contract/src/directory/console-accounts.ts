import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, nameText } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';
import { CONSOLE_KINDS } from './console-kinds.ts';

/** An account of a user in a connected console. */
export const consoleAccount = entity(
  'ConsoleAccount',
  z.object({
    /** The id that the console gives it. */
    accountId: z.string(),
    provider: z.enum(CONSOLE_KINDS),
    /** How the console names it. */
    name: z.string(),
    connectionName: z.string(),
  }),
);
export type ConsoleAccount = z.infer<typeof consoleAccount>;

const accountId = nameText(200);

export const listConsoleAccounts = declareCall({
  method: 'GET',
  path: '/users/{id}/accounts',
  access: ['monitoring.users', 'o365.users'],
  params: z.strictObject({ id }),
  ...itemOf(z.array(consoleAccount)),
  failure: 'Error while getting the users. Try again later.',
  summary: 'The accounts of a user in the connected consoles.',
});

export const addConsoleAccount = declareCall({
  method: 'POST',
  path: '/users/{id}/accounts/{accountId}',
  access: ['monitoring.users', 'o365.users'],
  needs: 'own-session',
  audit: 'user.add-account',
  params: z.strictObject({ id, accountId }),
  body: z.strictObject({ provider: z.enum(CONSOLE_KINDS) }),
  ...itemOf(consoleAccount),
  failure: 'Error while editing the user. Try again later.',
  summary:
    'Gives a user an account of a connected console, in place of an earlier one of the same kind. It has to belong to a company that both caller and user see.',
});

export const removeConsoleAccount = declareCall({
  method: 'DELETE',
  path: '/users/{id}/accounts/{accountId}',
  access: ['monitoring.users', 'o365.users'],
  needs: 'session',
  audit: 'user.remove-account',
  params: z.strictObject({ id, accountId }),
  ...done,
  failure: 'Error while editing the user. Try again later.',
  summary: 'Takes an account of a console from a user. The account itself stays in the console.',
});

export const signOn = declareCall({
  method: 'POST',
  path: '/auth/validate-sso/{provider}',
  access: 'signed-in',
  after: 'second-factor',
  needs: 'own-session',
  audit: 'session.sign-on',
  params: z.strictObject({ provider: z.enum(CONSOLE_KINDS) }),
  ...itemOf(
    z.object({
      connectionName: z.string(),
      /** The account, as the console names it. */
      account: z.string(),
      /** What to open. */
      url: z.string(),
      /** Whether the console opens signed in; otherwise it asks for the password of the account. */
      isSignedIn: z.boolean(),
    }),
  ),
  failure: 'The console could not be opened, try again later.',
  summary: "Asks a console whether the caller's own account there may sign in, and says which page opens it.",
});
