import type { Source } from '@keepwatch/contract/sources/sources';
import { type SQL, sql } from 'drizzle-orm';
import type { ConnectionServices } from '../connections/connection-services.ts';
import type { ConnectionKey } from '../connections/connection-settings.ts';
import {
  CONNECTION_COLUMNS,
  connectionOf,
  insertConnection,
  lockConnection,
  provideConnection,
  removeConnection,
  type StoredConnection,
  updateConnection,
} from '../connections/connections.ts';
import { CONSOLE_PORT } from '../connections/managed-ports.ts';
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
  return { ...source, label: connectors.labelOf(CONSOLE_PORT, source.kind) };
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

/** Locks the connection of a console until the end of the transaction and reads the console; `null` if it is gone. */
export async function lockConsole(connection: Connection, key: ConnectionKey): Promise<Console | null> {
  const locked = await lockConnection(connection, key);
  return locked === null ? null : findConsole(connection, key.providerId, key.id);
}

/** Inserts a new console. */
export async function insertConsole(connection: Connection, console: Console, at: Date): Promise<void> {
  await insertConnection(connection, console, at);
  await insert(connection, SOURCES, sourceOf(console, at));
  await announceStored(connection, console);
}

/** Updates a console. The caller has locked it. */
export async function updateConsole(connection: Connection, console: Console): Promise<void> {
  const { providerId, id, name, isEnabled, syncIntervalMinutes } = console;
  await updateConnection(connection, console);
  await update(connection, SOURCES, { name, isEnabled, syncIntervalMinutes }, { providerId, id });
  await announceStored(connection, console);
}

/** Inserts a console that the program itself provides, or stores it again; one that was disconnected is back. */
export async function provideConsole(connection: Connection, console: Console, at: Date): Promise<void> {
  await provideConnection(connection, console, at);
  await insert(
    connection,
    SOURCES,
    sourceOf(console, at),
    sql`on conflict (provider_id, id) do update set name = excluded.name, is_enabled = excluded.is_enabled,
          sync_interval_minutes = excluded.sync_interval_minutes, deleted_at = null`,
  );
  await announceStored(connection, console);
}

function sourceOf({ providerId, id, kind, name, isEnabled, syncIntervalMinutes }: Console, createdAt: Date) {
  return { providerId, id, kind, name, isEnabled, syncIntervalMinutes, createdAt };
}

async function announceStored(connection: Connection, console: Console): Promise<void> {
  if (!console.isEnabled) await announce(connection, sourceSwitchedOff, console, {});
  await publish(connection, { name: 'sync.changed', providerId: console.providerId });
}

/** Disconnects a console and deletes its secrets. Its jobs and their history remain, marked as removed. The caller holds the executions lock. */
export async function removeSource(connection: Connection, providerId: number, id: string, at: Date): Promise<void> {
  await removeConnection(connection, { providerId, id }, at);
  await update(connection, SOURCES, { deletedAt: at }, { providerId, id });
  const ofSource = { providerId, sourceId: id };
  await removeJobs(connection, providerId, sql`j.source_id = ${id}`, at);
  await removeRepositories(connection, ofSource, at);
  await removeComputers(connection, ofSource, at);
  await remove(connection, unmatchedRuns, ofSource);
  await announce(connection, sourceSubject.removed, { providerId, id }, {});
  await publish(connection, { name: 'sync.changed', providerId });
}
