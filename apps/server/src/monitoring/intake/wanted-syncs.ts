import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../../foundation/database.ts';
import type { Queue } from '../../foundation/queue.ts';
import { newId } from '../../foundation/secrets.ts';
import type { StoredSource } from './stored-source.ts';

/**
 * Keeps that a person asked for a sync of a source. The queue alone cannot: it drops what is sent while a sync of the source waits
 * or runs, and that one may have begun with other settings. Each wish is a new one, so that one which is made while a sync runs
 * is not taken for the one that the sync fulfils.
 */
export async function wantSync(connection: Connection, providerId: number, sourceId: string): Promise<void> {
  await execute(
    connection,
    sql`update sources set wanted_sync = ${newId()} where provider_id = ${providerId} and id = ${sourceId}`,
  );
}

/**
 * Begins a sync that is wanted, once the wish is committed. Where one of the source runs, its worker goes on with this one; what
 * gets past both is sent by the plan within a minute.
 */
export async function sendWantedSync(queue: Queue, sourceId: string): Promise<void> {
  await queue.send('monitoring.sync', { sourceId }, sourceId);
}

/** Forgets the wish that a sync has fulfilled; one that was made after the sync had begun stays. */
export async function forgetWantedSync(
  connection: Connection,
  { providerId, id, wantedSync }: StoredSource,
): Promise<void> {
  if (wantedSync === null) return;
  await execute(
    connection,
    sql`update sources set wanted_sync = null where provider_id = ${providerId} and id = ${id} and wanted_sync = ${wantedSync}`,
  );
}
