import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../foundation/database.ts';
import type { Queue } from '../foundation/queue.ts';
import { newId } from '../foundation/secrets.ts';
import type { StoredSource } from './stored-source.ts';

/**
 * Stores a user's request for a sync of a source. The queue alone is not enough: it drops requests while a sync of the source waits or
 * runs, and that sync may have begun with other settings. Each request has a new id, so that a request made during a sync differs
 * from the one that the sync fulfils.
 */
export async function requestSync(connection: Connection, providerId: number, sourceId: string): Promise<void> {
  await execute(
    connection,
    sql`update sources set wanted_sync = ${newId()} where provider_id = ${providerId} and id = ${sourceId}`,
  );
}

/**
 * Starts a requested sync after the request is committed. If a sync of the source runs, its worker continues with this one. A
 * request that both miss is sent by the schedule within a minute.
 */
export async function sendRequestedSync(queue: Queue, sourceId: string): Promise<void> {
  await queue.send('monitoring.sync', { sourceId }, sourceId);
}

/** Removes the request that a sync has fulfilled, but not one made after the sync began. */
export async function clearRequestedSync(
  connection: Connection,
  { providerId, id, requestedSync }: StoredSource,
): Promise<void> {
  if (requestedSync === null) return;
  await execute(
    connection,
    sql`update sources set wanted_sync = null where provider_id = ${providerId} and id = ${id} and wanted_sync = ${requestedSync}`,
  );
}
