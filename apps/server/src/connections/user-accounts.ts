import type { ConsoleAccount } from '@keepwatch/contract/directory/console-accounts';
import type { ConsoleKind } from '@keepwatch/contract/directory/console-kinds';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, row, rows } from '../foundation/database.ts';
import { insert, remove } from '../foundation/table-writes.ts';
import { userAccounts } from './tables.ts';

interface UserKey {
  providerId: number;
  userId: string;
}

/** An account of a user in a console that is still connected. */
export interface UserAccount extends ConsoleAccount {
  connectionId: string;
}

const COLUMNS = sql`a.account_id as "accountId", a.kind as provider, a.name, n.name as "connectionName", n.id as "connectionId"`;
const CONNECTED = sql`user_accounts a join connections n on n.provider_id = a.provider_id and n.id = a.connection_id
  and n.is_enabled and n.deleted_at is null`;

/** The kinds of consoles in which a user (by its alias) has an account. */
export function accountKindsOf(alias: string): SQL {
  const user = sql.identifier(alias);
  return sql`array(select a.kind from ${CONNECTED} where a.provider_id = ${user}.provider_id and a.user_id = ${user}.id)`;
}

/** Lists the accounts of a user. */
export function listUserAccounts(connection: Connection, { providerId, userId }: UserKey): Promise<UserAccount[]> {
  return rows<UserAccount>(
    connection,
    sql`select ${COLUMNS} from ${CONNECTED} where a.provider_id = ${providerId} and a.user_id = ${userId} order by a.kind`,
  );
}

/** Reads the account of a user in the consoles of a kind; `null` if there is none. */
export function findUserAccount(
  connection: Connection,
  { providerId, userId }: UserKey,
  kind: ConsoleKind,
): Promise<UserAccount | null> {
  return row<UserAccount>(
    connection,
    sql`select ${COLUMNS} from ${CONNECTED} where a.provider_id = ${providerId} and a.user_id = ${userId} and a.kind = ${kind}`,
  );
}

/** Gives a user an account, in place of an earlier one of the kind. */
export async function storeUserAccount(
  connection: Connection,
  { providerId, userId }: UserKey,
  { provider: kind, connectionId, accountId, name }: Omit<UserAccount, 'connectionName'>,
): Promise<void> {
  await remove(connection, userAccounts, { providerId, userId, kind });
  await insert(connection, userAccounts, { providerId, userId, kind, connectionId, accountId, name });
}

/** Takes an account from a user. */
export async function removeUserAccount(
  connection: Connection,
  { providerId, userId }: UserKey,
  accountId: string,
): Promise<void> {
  await remove(connection, userAccounts, { providerId, userId, accountId });
}
