import { ConnectorError } from '@keepwatch/connectors/base/connector-error';
import type { DirectoryAccount } from '@keepwatch/connectors/ports/user-directory';
import { sql } from 'drizzle-orm';
import { lockProvider } from '../../branding/brands.ts';
import type { CheckServices } from '../../connections/check-unused.ts';
import { connectionsOf } from '../../connections/connections.ts';
import { passwordInstantOf, storeAccount } from '../../directory/directory-users.ts';
import { IS_LIVING, USERS } from '../../directory/users.ts';
import { type Connection, rows, transaction } from '../../foundation/database.ts';
import { remove } from '../../foundation/table-writes.ts';
import { isClaimed } from '../second-factors/challenges.ts';
import { endSessionsOf } from '../sessions.ts';
import { apiKeys } from '../tables.ts';
import { openDirectory } from './ask-directory.ts';
import { userOf } from './user-of-account.ts';

interface DirectoryUserKey {
  providerId: number;
  id: string;
  account: string;
  passwordSetAt: string | null;
}

/**
 * Asks the directories of all providers about the users who can do something just now, by a session or a key: who may no longer sign in
 * there is signed out here, as is who has another password there; whose groups have changed has other roles at once.
 */
export async function recheckAccounts(services: CheckServices, signal: AbortSignal): Promise<void> {
  const users = await rows<DirectoryUserKey>(
    services.database,
    sql`select u.provider_id as "providerId", u.id, u.directory_account as account, u.directory_password_set_at as "passwordSetAt" from ${USERS} u
        where u.directory_account is not null and ${IS_LIVING}
          and (exists (select from sessions s where s.provider_id = u.provider_id and s.user_id = u.id)
            or exists (select from api_keys k where k.provider_id = u.provider_id and k.user_id = u.id))
        order by u.provider_id, u.id`,
  );
  for (const [providerId, ofProvider] of Map.groupBy(users, (user) => user.providerId))
    await recheckProvider(services, providerId, ofProvider, signal).catch((error) => {
      // A directory that does not answer says nothing of its accounts; its connection shows that.
      if (!(error instanceof ConnectorError)) throw error;
      services.log.warn({ err: error, providerId }, 'The accounts of a directory could not be checked.');
    });
}

async function recheckProvider(
  services: CheckServices,
  providerId: number,
  users: readonly DirectoryUserKey[],
  signal: AbortSignal,
): Promise<void> {
  const [stored] = await connectionsOf(services.database, providerId, 'user-directory');
  if (stored === undefined) return;
  const directory = await openDirectory(services, stored);
  const open = await directory.current(
    users.map(({ account: id }) => ({ id })),
    signal,
  );
  const byId = new Map(open.map((account) => [account.id, account]));
  for (const user of users) await recheck(services, user, byId.get(user.account));
}

function recheck(services: CheckServices, user: DirectoryUserKey, found: DirectoryAccount | undefined): Promise<void> {
  return transaction(services.database, async (connection) => {
    if (await isChangedHere(services, connection, user)) return;
    if (found === undefined) {
      await endSessionsOf(connection, user);
      await remove(connection, apiKeys, { providerId: user.providerId, userId: user.id });
      return;
    }
    await storeAccount(connection, user.providerId, userOf(found));
  });
}

/** Whether the password of an account was set through the portal since the directory was asked, or is being set: the reply may be older than that. */
async function isChangedHere(
  { now }: CheckServices,
  connection: Connection,
  { providerId, id, account, passwordSetAt }: DirectoryUserKey,
): Promise<boolean> {
  await lockProvider(connection, providerId);
  if (await isClaimed(connection, { providerId, id }, now())) return true;
  return (await passwordInstantOf(connection, providerId, account)) !== passwordSetAt;
}
