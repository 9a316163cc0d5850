import { sql } from 'drizzle-orm';
import { type Connection, execute, row } from '../foundation/database.ts';
import type { StoredSettings } from './source-settings.ts';

/** Kind of the source of all runs that tools report. It has no console and is never synced. */
export const INTAKE_KIND = 'intake';

/** The fields of a source that a sync needs. */
export interface StoredSource extends StoredSettings {
  providerId: number;
  id: string;
  kind: string;
  name: string;
  historyReadTo: Date | null;
}

/** Reads a source, unless it is removed or switched off. */
export async function findStoredSource(connection: Connection, sourceId: string): Promise<StoredSource | null> {
  const found = await row<Omit<StoredSource, 'historyReadTo'> & { historyReadTo: string | null }>(
    connection,
    sql`select provider_id as "providerId", id, kind, name, settings, secrets, history_read_to as "historyReadTo"
        from sources where id = ${sourceId} and deleted_at is null and is_enabled and kind <> ${INTAKE_KIND}`,
  );
  if (found === null) return null;
  return { ...found, historyReadTo: found.historyReadTo === null ? null : new Date(found.historyReadTo) };
}

/** Records the time up to which a source was read; never moves it back. */
export async function advanceHistoryReadTo(connection: Connection, source: StoredSource, to: Date): Promise<void> {
  await execute(
    connection,
    sql`update sources set history_read_to = greatest(history_read_to, ${to}) where provider_id = ${source.providerId} and id = ${source.id}`,
  );
}
