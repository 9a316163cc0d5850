import type { BackupSourceManifest } from '@keepwatch/connectors/ports/manifest';
import type { Source } from '@keepwatch/contract/sources/sources';
import { type SQL, sql } from 'drizzle-orm';
import { COUNTED } from '../executions/job-status.ts';
import { type Connection, execute, row, rows } from '../foundation/database.ts';
import { announce } from '../foundation/domain-events.ts';
import { publish } from '../foundation/events.ts';
import { sourceSubject, sourceSwitchedOff } from './source-events.ts';
import type { StoredSettings } from './source-settings.ts';
import { INTAKE_KIND } from './stored-source.ts';
import { failedOf, LAST_RUN_COLUMNS, lastRunJoin } from './sync-status.ts';

type SourceRow = Omit<Source, 'label'>;

/** Lists the connected consoles of a provider, or the one with an id. */
async function readSources(connection: Connection, condition: SQL, now: Date): Promise<SourceRow[]> {
  const found = await rows<SourceRow>(
    connection,
    sql`select s.id as "_id", s.kind, s.name, s.is_enabled as "isEnabled", s.sync_interval_minutes as "syncIntervalMinutes", s.settings,
          ${LAST_RUN_COLUMNS},
          (select count(*) from jobs j where j.provider_id = s.provider_id and j.source_id = s.id and ${COUNTED}) as jobs,
          (select count(*) from unmatched_runs u where u.provider_id = s.provider_id and u.source_id = s.id) as "unmatchedRuns"
        from sources s ${lastRunJoin(now)}
        where ${condition} and s.deleted_at is null and s.kind <> ${INTAKE_KIND} order by lower(s.name), s.id`,
  );
  return found.map((source) => ({ ...source, failed: failedOf(source) }));
}

/** Loads the manifest of a kind, for its label. */
export type LoadManifest = (kind: string) => Promise<BackupSourceManifest>;

export async function listSources(
  connection: Connection,
  providerId: number,
  load: LoadManifest,
  now: Date,
): Promise<Source[]> {
  const found = await readSources(connection, sql`s.provider_id = ${providerId}`, now);
  return Promise.all(found.map(async (source) => ({ ...source, label: (await load(source.kind)).label })));
}

/** Returns one console as callers see it; `null` if the provider has none of that id. */
export async function findSource(
  connection: Connection,
  providerId: number,
  id: string,
  load: LoadManifest,
  now: Date,
): Promise<Source | null> {
  const [found] = await readSources(connection, sql`s.provider_id = ${providerId} and s.id = ${id}`, now);
  return found === undefined ? null : { ...found, label: (await load(found.kind)).label };
}

/** The stored settings of a console, and the fields that the audit log records. */
export interface KeptSource extends StoredSettings {
  providerId: number;
  id: string;
  kind: string;
  name: string;
  isEnabled: boolean;
  syncIntervalMinutes: number;
}

/** Reads the stored console; `null` if the provider has none of that id. */
export function findSettingsOf(connection: Connection, providerId: number, id: string): Promise<KeptSource | null> {
  return row<KeptSource>(
    connection,
    sql`select provider_id as "providerId", id, kind, name, is_enabled as "isEnabled", sync_interval_minutes as "syncIntervalMinutes", settings, secrets
        from sources where provider_id = ${providerId} and id = ${id} and deleted_at is null and kind <> ${INTAKE_KIND}`,
  );
}

export async function insertSource(connection: Connection, source: KeptSource, at: Date): Promise<void> {
  await execute(
    connection,
    sql`insert into sources (provider_id, id, kind, name, is_enabled, sync_interval_minutes, settings, secrets, created_at)
        values (${source.providerId}, ${source.id}, ${source.kind}, ${source.name}, ${source.isEnabled}, ${source.syncIntervalMinutes},
          ${JSON.stringify(source.settings)}, ${source.secrets}, ${at})`,
  );
  await publish(connection, { name: 'sync.changed', providerId: source.providerId });
}

export async function updateSource(connection: Connection, source: KeptSource): Promise<void> {
  await execute(
    connection,
    sql`update sources set name = ${source.name}, is_enabled = ${source.isEnabled}, sync_interval_minutes = ${source.syncIntervalMinutes},
          settings = ${JSON.stringify(source.settings)}, secrets = ${source.secrets}
        where provider_id = ${source.providerId} and id = ${source.id} and deleted_at is null`,
  );
  if (!source.isEnabled) await announce(connection, sourceSwitchedOff, source, {});
  await publish(connection, { name: 'sync.changed', providerId: source.providerId });
}

/** Disconnects a console and deletes its secrets. Its jobs and their history remain, marked as removed. */
export async function removeSource(connection: Connection, providerId: number, id: string, at: Date): Promise<void> {
  await execute(
    connection,
    sql`update sources set deleted_at = ${at}, secrets = null where provider_id = ${providerId} and id = ${id}`,
  );
  await execute(
    connection,
    sql`update jobs set removed_at = coalesce(removed_at, ${at}), expected_at = null, overdue_at = null where provider_id = ${providerId} and source_id = ${id}`,
  );
  await execute(
    connection,
    sql`update repositories set removed_at = coalesce(removed_at, ${at}) where provider_id = ${providerId} and source_id = ${id}`,
  );
  await execute(
    connection,
    sql`update computers set removed_at = coalesce(removed_at, ${at}) where provider_id = ${providerId} and source_id = ${id}`,
  );
  await execute(connection, sql`delete from unmatched_runs where provider_id = ${providerId} and source_id = ${id}`);
  await announce(connection, sourceSubject.removed, { providerId, id }, {});
  await publish(connection, { name: 'sync.changed', providerId });
}
