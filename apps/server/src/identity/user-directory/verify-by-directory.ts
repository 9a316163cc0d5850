import type {
  AccountPassword,
  AttemptCheck,
  DirectoryAccount,
  UserDirectory,
} from '@keepwatch/connectors/ports/user-directory';
import { record } from '../../audit/audit.ts';
import { lockProvider } from '../../branding/brands.ts';
import type { ConnectionServices } from '../../connections/connection-services.ts';
import { passwordInstantOf, storeAccount } from '../../directory/directory-users.ts';
import { type StoredUser, whoOf } from '../../directory/users.ts';
import { type Connection, transaction } from '../../foundation/database.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { changedMeanwhile } from '../second-factors/require-unchanged.ts';
import { type Credentials, countedSignIn } from '../sign-in.ts';
import { askDirectory } from './ask-directory.ts';
import { notSooner } from './not-sooner.ts';
import { userOf } from './user-of-account.ts';

const NO_ANSWER = 'The directory did not answer. Try again in a few minutes.';

/**
 * The user whose account in the provider's directory these are; one who is new is added. Its groups decide the roles, at each sign-in.
 * @throws Refusal 401 for a wrong name or password, 403 for an account that may not sign in or has no role, 429 after too many
 */
export function verifyByDirectory(
  context: PublicContext,
  services: ConnectionServices,
  given: Credentials,
): Promise<StoredUser> {
  const { providerId, username, password } = given;
  return countedSignIn(context.database, given, context.now(), async (isAllowed) => {
    let before: string | null = null;
    const isAllowedNow: AttemptCheck = async (key) => {
      before = await passwordInstantOf(context.database, providerId, key.id);
      return isAllowed(key);
    };
    const question = {
      providerId,
      failure: NO_ANSWER,
      ask: (directory: UserDirectory, gone: AbortSignal) => directory.signIn(username, password, isAllowedNow, gone),
    };
    const account = await notSooner(askDirectory(context, services, question));
    return openUserOf(context, providerId, account, (connection) =>
      requireSamePassword(connection, providerId, account, before),
    );
  });
}

/**
 * Throws 401 where another password was stored than before the proof, and than the one that the directory reported with it: what was proved may be the
 * one before. It stays so until the end of the transaction.
 */
async function requireSamePassword(
  connection: Connection,
  providerId: number,
  { id, passwordSetAt }: AccountPassword,
  before: string | null,
): Promise<void> {
  await lockProvider(connection, providerId);
  const now = await passwordInstantOf(connection, providerId, id);
  if (now !== before && (now === null || Date.parse(now) !== passwordSetAt.getTime())) throw changedMeanwhile();
}

/**
 * A user who has proved something else than the password, as its directory has the account now. Users of the portal's own are as they were.
 * @throws Refusal 403 for an account that may no longer sign in there
 */
export async function currentUser(
  context: PublicContext,
  services: ConnectionServices,
  user: StoredUser,
): Promise<StoredUser> {
  const { providerId, directoryAccount: id } = user;
  if (id === null) return user;
  const [account] = await askDirectory(context, services, {
    providerId,
    failure: NO_ANSWER,
    ask: (directory, gone) => directory.current([{ id }], gone),
  });
  if (account === undefined) throw closed('This account is closed. Ask the administrator of your directory.');
  return openUserOf(context, providerId, account);
}

/** The user of an account that may sign in. */
function openUserOf(
  context: PublicContext,
  providerId: number,
  account: DirectoryAccount,
  check: (connection: Connection) => Promise<void> = async () => {},
): Promise<StoredUser> {
  const given = userOf(account);
  return transaction(context.database, async (connection) => {
    await check(connection);
    const stored = await storeAccount(connection, providerId, given);
    if (stored === null) return null;
    const { user, before, isChanged } = stored;
    const entry = { action: 'user.from-directory', target: { kind: 'user', id: user.id }, who: whoOf(user) } as const;
    const { account: _, passwordSetAt: __, ...after } = given;
    if (isChanged) await record(connection, context, { ...entry, before, after });
    return user;
  }).then((user) => {
    if (given.roles.length === 0)
      throw closed('None of your groups has a role in this portal. Ask the administrator of your directory.');
    if (user === null) throw closed('This account is disabled in this portal. Ask your administrator.');
    return user;
  });
}

function closed(message: string): Refusal {
  return new Refusal(403, 'ACCOUNT_CLOSED', message);
}
