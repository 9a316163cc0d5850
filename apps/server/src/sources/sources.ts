import type { Source } from '@keepwatch/contract/sources/sources';
import { type SQL, sql } from 'drizzle-orm';
import type { ConnectionServices } from '../connections/connection-services.ts';
import {
  CONNECTION_COLUMNS,
  connectionOf,
  removeConnection,
  type StoredConnection,
  storeConnection,
} from '../connections/connections.ts';
import { COUNTED } from '../executions/job-status.ts';
import { type Connection, row, rows } from '../foundation/database.ts';
import { publish } from '../foundation/events.ts';
import { announce } from '../foundation/outbox/domain-events.ts';
import { insert, remove, update } from '../foundation/table-writes.ts';
import { removeComputers } from '../inventory/computers.ts';
import { removeRepositories } from '../inventory/repositories.ts';
import { JOBS } from '../runs/jobs.ts';
import { SOURCES } from '../runs/source-horizon.ts';
import { removeJobs } from '../schedules/removed-jobs.ts';
import { sourceSubject, sourceSwitchedOff } from './source-events.ts';
import { SOURCE_PORT } from './stored-source.ts';
import { failedOf, LAST_RUN_COLUMNS, lastRunJoin } from './sync-status.ts';
import { unmatchedRuns } from './tables.ts';

type SourceRow = Omit<Source, 'label'>;

/** Lists the connected consoles of a provider, or the one with an id. */
async function readSources(connection: Connection, condition: SQL, now: Date): Promise<SourceRow[]> {
  const found = await rows<SourceRow>(
    connection,
    sql`select s.id as "_id", s.kind, s.name, s.is_enabled as "isEnabled", s.sync_interval_minutes as "syncIntervalMinutes", n.settings,
          ${LAST_RUN_COLUMNS},
          (select count(*) from ${JOBS} j where j.provider_id = s.provider_id and j.source_id = s.id and ${COUNTED}) as jobs,
          (select count(*) from unmatched_runs u where u.provider_id = s.provider_id and u.source_id = s.id) as "unmatchedRuns"
        from ${SOURCES} s ${connectionOf('s')} ${lastRunJoin(now)}
        where ${condition} and s.deleted_at is null order by lower(s.name), s.id`,
  );
  return found.map((source) => ({ ...source, failed: failedOf(source) }));
}

type Registry = ConnectionServices['connectors'];

function labelled(connectors: Registry, source: SourceRow): Source {
  return { ...source, label: connectors.labelOf(SOURCE_PORT, source.kind) };
}

export async function listSources(
  connection: Connection,
  providerId: number,
  connectors: Registry,
  now: Date,
): Promise<Source[]> {
  const found = await readSources(connection, sql`s.provider_id = ${providerId}`, now);
  return found.map((source) => labelled(connectors, source));
}

/** Returns one console as callers see it; `null` if the provider has none of that id. */
export async function findSource(
  connection: Connection,
  providerId: number,
  id: string,
  connectors: Registry,
  now: Date,
): Promise<Source | null> {
  const [found] = await readSources(connection, sql`s.provider_id = ${providerId} and s.id = ${id}`, now);
  return found === undefined ? null : labelled(connectors, found);
}

/** A console as stored: its connection, and how often it is synced. */
export interface Console extends StoredConnection {
  syncIntervalMinutes: number;
}

/** Reads the stored console; `null` if the provider has none of that id. */
export function findConsole(connection: Connection, providerId: number, id: string): Promise<Console | null> {
  return row<Console>(
    connection,
    sql`select n.provider_id as "providerId", n.id, ${CONNECTION_COLUMNS}, s.sync_interval_minutes as "syncIntervalMinutes"
        from ${SOURCES} s ${connectionOf('s')}
        where s.provider_id = ${providerId} and s.id = ${id} and s.deleted_at is null`,
  );
}

/** Stores a console, new or changed. */
export async function storeConsole(connection: Connection, console: Console, at: Date): Promise<void> {
  const { providerId, id, kind, name, isEnabled, syncIntervalMinutes } = console;
  await storeConnection(connection, console, at);
  await insert(
    connection,
    SOURCES,
    { providerId, id, kind, name, isEnabled, syncIntervalMinutes, createdAt: at },
    sql`on conflict (provider_id, id) do update set name = excluded.name, is_enabled = excluded.is_enabled,
          sync_interval_minutes = excluded.sync_interval_minutes, deleted_at = null`,
  );
  if (!isEnabled) await announce(connection, sourceSwitchedOff, console, {});
  await publish(connection, { name: 'sync.changed', providerId });
}

/** Disconnects a console and deletes its secrets. Its jobs and their history remain, marked as removed. */
export async function removeSource(connection: Connection, providerId: number, id: string, at: Date): Promise<void> {
  await removeConnection(connection, { providerId, id }, at);
  await update(connection, SOURCES, { deletedAt: at }, { providerId, id });
  const ofSource = { providerId, sourceId: id };
  await removeJobs(connection, sql`j.provider_id = ${providerId} and j.source_id = ${id}`, at);
  await removeRepositories(connection, ofSource, at);
  await removeComputers(connection, ofSource, at);
  await remove(connection, unmatchedRuns, ofSource);
  await announce(connection, sourceSubject.removed, { providerId, id }, {});
  await publish(connection, { name: 'sync.changed', providerId });
}
