import type { OwnSession } from '@keepwatch/contract/identity/own-sessions';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../audit/target-name.ts';
import { USERS } from '../directory/users.ts';
import { type Connection, row, rows } from '../foundation/database.ts';
import type { Actor } from '../foundation/http/context.ts';
import { remove, update } from '../foundation/table-writes.ts';
import { sessions, signInDevices } from './tables.ts';

/** What the users logs have of a session. */
export type EndedSession = Pick<OwnSession, 'device' | 'address' | 'createdAt' | 'impersonator'>;

const IMPERSONATOR = sql`(select a.username from sessions p join ${USERS} a on a.provider_id = p.provider_id and a.id = p.user_id
  where p.token_hash = s.parent_hash)`;
const COLUMNS = sql`s.device, s.address, s.created_at as "createdAt", ${IMPERSONATOR} as impersonator`;

const ownedBy = ({ userId, scope }: Actor): SQL => sql`s.provider_id = ${scope.providerId} and s.user_id = ${userId}`;

/** The sessions of the caller that go on: the one of the call first, then those that were used last. */
export function listSessions(connection: Connection, actor: Actor, now: Date): Promise<OwnSession[]> {
  const isThis = sql`s.token_hash = ${actor.sessionHash}`;
  return rows<OwnSession>(
    connection,
    sql`select s.id as "_id", ${COLUMNS}, s.last_at as "lastAt", s.expires_at as "expiresAt", ${isThis} as "isThis"
        from sessions s where ${ownedBy(actor)} and s.expires_at > ${now} order by ${isThis} desc, s.last_at desc, s.id`,
  );
}

/** Names a session in the users logs, as long as it is open. */
export const nameOfSession: NameOfTarget = (scope, id) =>
  sql`select t.device from sessions t where t.provider_id = ${scope.providerId} and t.id = ${id}`;

/** Ends a session of the caller and gives what it was; `null` if the caller has none of that id. */
export async function revokeSession(connection: Connection, actor: Actor, id: string): Promise<EndedSession | null> {
  const ended = await row<EndedSession>(
    connection,
    sql`select ${COLUMNS} from sessions s where ${ownedBy(actor)} and s.id = ${id} for update of s`,
  );
  if (ended !== null) await remove(connection, sessions, { providerId: actor.scope.providerId, id });
  return ended;
}

/** Ends all sessions of the caller but the one of the call, and trusts no computer without a second factor any more; gives how many. */
export async function revokeOthers(connection: Connection, { userId, scope, sessionHash }: Actor): Promise<number> {
  const { providerId } = scope;
  await update(connection, signInDevices, { trustedUntil: null }, { providerId, userId });
  return remove(
    connection,
    sessions,
    sql`provider_id = ${providerId} and user_id = ${userId} and token_hash <> ${sessionHash}`,
  );
}
