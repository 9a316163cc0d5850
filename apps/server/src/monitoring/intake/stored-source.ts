import { sql } from 'drizzle-orm';
import { type Connection, execute, row } from '../../foundation/database.ts';
import type { StoredSettings } from './source-settings.ts';

/** Kind of the source under which tools report by themselves. It has no console and is never synced. */
export const INTAKE_KIND = 'intake';

/** A source as the sync needs it. */
export interface StoredSource extends StoredSettings {
  providerId: number;
  id: string;
  kind: string;
  name: string;
  historyReadTo: Date | null;
  /** The sync that a person asked for and that has not ended yet, by an id of its own. */
  wantedSync: string | null;
}

/** The source, if it is one that is synced: not removed, not switched off. */
export async function findStoredSource(connection: Connection, sourceId: string): Promise<StoredSource | null> {
  const found = await row<Omit<StoredSource, 'historyReadTo'> & { historyReadTo: string | null }>(
    connection,
    sql`select provider_id as "providerId", id, kind, name, settings, secrets, history_read_to as "historyReadTo", wanted_sync as "wantedSync"
        from sources where id = ${sourceId} and deleted_at is null and is_enabled and kind <> ${INTAKE_KIND}`,
  );
  if (found === null) return null;
  return { ...found, historyReadTo: found.historyReadTo === null ? null : new Date(found.historyReadTo) };
}

/** Records up to where a source was read; never goes back. */
export async function keepHistoryReadTo(connection: Connection, source: StoredSource, to: Date): Promise<void> {
  await execute(
    connection,
    sql`update sources set history_read_to = greatest(history_read_to, ${to}) where provider_id = ${source.providerId} and id = ${source.id}`,
  );
}
