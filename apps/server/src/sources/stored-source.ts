import { sql } from 'drizzle-orm';
import type { StoredSettings } from '../connections/connection-settings.ts';
import { connectionOf } from '../connections/connections.ts';
import { type Connection, row } from '../foundation/database.ts';
import { update } from '../foundation/table-writes.ts';
import { SOURCES } from '../runs/source-horizon.ts';

/** Kind of the source of all runs that tools report. It has no connection and is never synced. */
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
    sql`select s.provider_id as "providerId", s.id, s.kind, s.name, n.settings, n.secrets, s.history_read_to as "historyReadTo"
        from ${SOURCES} s ${connectionOf('s')}
        where s.id = ${sourceId} and s.deleted_at is null and s.is_enabled`,
  );
  if (found === null) return null;
  return { ...found, historyReadTo: found.historyReadTo === null ? null : new Date(found.historyReadTo) };
}

/** Records the time up to which a source was read; never moves it back. */
export async function advanceHistoryReadTo(connection: Connection, source: StoredSource, to: Date): Promise<void> {
  const { providerId, id } = source;
  await update(connection, SOURCES, { historyReadTo: sql`greatest(history_read_to, ${to})` }, { providerId, id });
}
