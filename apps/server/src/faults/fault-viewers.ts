import { type FaultViewer, VIEWER_SECONDS } from '@keepwatch/contract/faults/viewers';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute, row, rows, transaction } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import { publish } from '../foundation/events.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import type { Scope } from '../foundation/scope.ts';
import { insert, remove } from '../foundation/table-writes.ts';
import { FAULTS } from '../runs/faults/faults.ts';
import { faultViewers } from './tables.ts';

/** Reads who has which fault of the caller's scope open, in the order in which they opened it. */
export function listViewers(connection: Connection, scope: Scope, callerId: string, now: Date): Promise<FaultViewer[]> {
  return rows<FaultViewer>(
    connection,
    sql`select v.fault_id as "faultId", v.username, v.user_id = ${callerId} as "isSelf", v.since
        from ${faultViewers} v join ${FAULTS} f on ${scope.rows('f')} and f.id = v.fault_id
        where v.provider_id = ${scope.providerId} and v.expires_at > ${now} order by v.since, v.username`,
  );
}

/** The name of another user who has a fault (alias `f`) open or in progress; null where none has. */
export function otherUserOf(userId: string, now: Date): SQL {
  const isInProgress = sql`f.state = 'in-progress' and f.closed_at is null and f.changed_by is distinct from ${userId}::uuid`;
  return sql`coalesce((select v.username from ${faultViewers} v where v.provider_id = f.provider_id and v.fault_id = f.id
      and v.user_id <> ${userId}::uuid and v.expires_at > ${now}::timestamptz order by v.since, v.username limit 1),
    case when ${isInProgress} then coalesce(f.changed_by_name, 'another user') end)`;
}

/**
 * Says that the caller has a fault open, and gives the others who have it open. Of two who open one at the same time one waits for the other,
 * so that one of them sees the other.
 */
export function openFault({ actor, database, scope, now }: SignedInContext, faultId: string): Promise<FaultViewer[]> {
  return transaction(database, async (connection) => {
    await lockViewers(connection, scope.providerId);
    if (!(await isThere(connection, scope, faultId))) throw notFound('fault');
    const isMoved = await storeViewer(connection, { ...actor, providerId: scope.providerId, faultId }, now());
    if (isMoved) await publish(connection, { name: 'fault-viewers.changed', providerId: scope.providerId });
    const viewers = await listViewers(connection, scope, actor.userId, now());
    return viewers.filter((viewer) => viewer.faultId === faultId.toLowerCase() && !viewer.isSelf);
  });
}

/** Says that the caller has no fault open any more. */
export function closeFault({ actor, database, scope }: SignedInContext): Promise<void> {
  return transaction(database, async (connection) => {
    const own = { providerId: scope.providerId, userId: actor.userId };
    const closed = await remove(connection, faultViewers, own);
    if (closed > 0) await publish(connection, { name: 'fault-viewers.changed', providerId: scope.providerId });
  });
}

async function lockViewers(connection: Connection, providerId: number): Promise<void> {
  await execute(connection, sql`select pg_advisory_xact_lock(hashtextextended(${`fault-viewers ${providerId}`}, 0))`);
}

async function isThere(connection: Connection, scope: Scope, id: string): Promise<boolean> {
  const found = await row(connection, sql`select from ${FAULTS} f where ${scope.rows('f')} and f.id = ${id}`);
  return found !== null;
}

interface NewViewer {
  providerId: number;
  userId: string;
  username: string;
  faultId: string;
}

/** Stores it for a minute, removes what has expired, and gives whether the user did not have the fault open before. */
async function storeViewer(
  connection: Connection,
  { providerId, userId, username, faultId }: NewViewer,
  now: Date,
): Promise<boolean> {
  await remove(connection, faultViewers, sql`provider_id = ${providerId} and expires_at <= ${now}`);
  const own = sql`v.provider_id = ${providerId} and v.user_id = ${userId} and v.fault_id = ${faultId}`;
  const before = await row(connection, sql`select from ${faultViewers} v where ${own}`);
  const expiresAt = new Date(now.getTime() + VIEWER_SECONDS * 1_000);
  await insert(
    connection,
    faultViewers,
    { providerId, userId, username, faultId, since: now, expiresAt },
    sql`on conflict (provider_id, user_id) do update set username = excluded.username, fault_id = excluded.fault_id,
      since = case when fault_viewers.fault_id = excluded.fault_id then fault_viewers.since else excluded.since end,
      expires_at = excluded.expires_at`,
  );
  return before === null;
}
