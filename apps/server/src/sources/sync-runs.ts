import type { FailedEntity } from '@keepwatch/connectors/ports/backup-source';
import { sql } from 'drizzle-orm';
import { type Connection, execute, row, rows } from '../foundation/database.ts';
import { publish } from '../foundation/events.ts';
import { insert, remove, update } from '../foundation/table-writes.ts';
import type { TimeRange } from './sync/history-ranges.ts';
import type { SyncReport } from './sync/sync-report.ts';
import { syncRuns } from './tables.ts';

/** Maximum duration of a sync; the next one reads the rest. */
export const SYNC_LIMIT_SECONDS = 3_000;
/** Number of syncs that are stored per source. */
const RUNS_RETAINED_DAYS = 7;

/** Any number that no other lock uses; the second key is derived from the source's id. */
const LOCK = 7_305_121;

/** The lock that a sync of a source holds while it runs. */
export function syncLock(sourceId: string) {
  return sql`${LOCK}, hashtext(${sourceId})`;
}

export interface SyncRun {
  providerId: number;
  sourceId: string;
  startedAt: Date;
}

interface Range {
  from: string;
  to: string;
}

/** The unfinished parts of a source's history. */
export interface HistoryLeft {
  unread: readonly TimeRange[];
  /** Read, but not yet searched for missed runs. */
  unsearched: readonly TimeRange[];
}

/** Reads which parts of a source's history earlier syncs left. */
export async function readHistoryLeft(connection: Connection, run: SyncRun): Promise<HistoryLeft> {
  const last = await row<{ unread: Range[] | null; unsearched: Range[] | null }>(
    connection,
    sql`select counts->'unread' as unread, counts->'unsearched' as unsearched from sync_runs where provider_id = ${run.providerId} and source_id = ${run.sourceId}
        order by started_at desc limit 1`,
  );
  return { unread: rangesOf(last?.unread ?? []), unsearched: rangesOf(last?.unsearched ?? []) };
}

function rangesOf(stored: readonly Range[]): TimeRange[] {
  return stored.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) }));
}

/** Records that a sync began. Any other sync still recorded as running has died, as this one holds the lock. */
export async function beginSyncRun(connection: Connection, run: SyncRun, left: HistoryLeft): Promise<void> {
  await endDeadRuns(connection, run.providerId, run.sourceId, run.startedAt);
  await insert(
    connection,
    syncRuns,
    { ...run, status: 'RUNNING', counts: { ...left } },
    sql`on conflict (provider_id, source_id, started_at) do update set status = 'RUNNING', ended_at = null, counts = excluded.counts`,
  );
  await remove(
    connection,
    syncRuns,
    sql`provider_id = ${run.providerId} and source_id = ${run.sourceId}
        and started_at < ${run.startedAt}::timestamptz - make_interval(days => ${RUNS_RETAINED_DAYS})`,
  );
  await publish(connection, { name: 'sync.changed', providerId: run.providerId });
}

const DIED = [
  { entity: 'sync', externalId: null, reason: 'The sync was interrupted; the next one goes on where it was.' },
];

/** Marks syncs whose process has died as failed. */
export async function endDeadRuns(
  connection: Connection,
  providerId: number,
  sourceId: string,
  at: Date,
): Promise<number> {
  return execute(
    connection,
    sql`update sync_runs set status = 'FAILED', ended_at = ${at}, failed_count = failed_count + 1, failed = failed || ${JSON.stringify(DIED)}::jsonb
        where provider_id = ${providerId} and source_id = ${sourceId} and status = 'RUNNING'`,
  );
}

function keyOf({ providerId, sourceId, startedAt }: SyncRun): SyncRun {
  return { providerId, sourceId, startedAt };
}

/** Saves the progress of a sync, so that the next one continues from there. */
export async function saveProgress(
  connection: Connection,
  run: SyncRun,
  report: SyncReport,
  left: HistoryLeft,
): Promise<void> {
  const { counts, failed, failedCount } = report;
  await update(connection, syncRuns, { counts: { ...counts, ...left }, failed, failedCount }, keyOf(run));
  await publish(connection, { name: 'sync.changed', providerId: run.providerId });
}

export async function endSyncRun(connection: Connection, run: SyncRun, report: SyncReport, at: Date): Promise<void> {
  const { status, failed, failedCount } = report;
  const counts = sql`${syncRuns.counts} || ${JSON.stringify(report.counts)}::jsonb`;
  await update(connection, syncRuns, { status, endedAt: at, failed, failedCount, counts }, keyOf(run));
  await publish(connection, { name: 'sync.changed', providerId: run.providerId });
}

/** An earlier sync with its counts and failed entities. */
export interface CountingRun {
  startedAt: Date;
  counts: Readonly<Record<string, number>>;
  failed: readonly FailedEntity[];
}

/** Reads the newest earlier sync with a count of that name; `null` if there is none. */
export async function lastRunThatCounted(
  connection: Connection,
  run: SyncRun,
  name: string,
): Promise<CountingRun | null> {
  const last = await row<Omit<CountingRun, 'startedAt'> & { startedAt: string }>(
    connection,
    sql`select started_at as "startedAt", counts - 'unread' as counts, failed from sync_runs where provider_id = ${run.providerId} and source_id = ${run.sourceId}
          and started_at < ${run.startedAt} and counts ->> ${name} is not null
        order by started_at desc limit 1`,
  );
  return last === null ? null : { ...last, startedAt: new Date(last.startedAt) };
}

/** Reads the status of the previous sync. */
export async function previousStatus(connection: Connection, run: SyncRun): Promise<string | null> {
  const before = await row<{ status: string }>(
    connection,
    sql`select status from sync_runs where provider_id = ${run.providerId} and source_id = ${run.sourceId} and started_at < ${run.startedAt}
        order by started_at desc limit 1`,
  );
  return before?.status ?? null;
}

/** Lists sources whose last sync is recorded as running. */
export function listRunning(connection: Connection): Promise<{ providerId: number; sourceId: string }[]> {
  return rows(
    connection,
    sql`select distinct provider_id as "providerId", source_id as "sourceId" from sync_runs where status = 'RUNNING'`,
  );
}
