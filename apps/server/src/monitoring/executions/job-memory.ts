import type { ScheduleType } from '@keepwatch/connectors/ports/backup-source';
import type { DataSourceGroup, Result } from '@keepwatch/contract/monitoring/values';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute, repeatedRows } from '../../foundation/database.ts';
import { type Baseline, readBaseline } from './baseline.ts';
import { numberArray, plainArray, uuidArray } from './column-arrays.ts';
import { type Due, dueAfter, dueStill, type Schedule } from './expected-runs.ts';

/** What a job remembers: enough to judge its next run without reading a past one. */
export interface JobMemory {
  jobInstanceUid: string;
  companyId: string | null;
  sourceGroup: DataSourceGroup;
  schedule: Schedule;
  last: LastRun | null;
  lastSuccessAtMs: number | null;
  due: Due | null;
  /** When the newest missed run was expected that was ever written; it may be taken back since. */
  lastMissedMs: number | null;
  baseline: Baseline;
}

/** The newest run: start of its first try, end and result of its last one. */
export interface LastRun {
  id: string;
  startedAtMs: number;
  endedAtMs: number | null;
  result: Result;
}

/** Any number that nobody else uses; the second key is the provider. */
const LOCK = 7_305_120;

/**
 * Makes this transaction the only one that takes executions of the provider, until it ends. One lock instead of one a job:
 * it cannot deadlock, and locking five thousand rows would cost as much as writing five thousand executions.
 */
export async function lockExecutions(connection: Connection, providerId: number): Promise<void> {
  await execute(connection, sql.raw(executionsLock(providerId)));
}

/** The statement that does so. */
export function executionsLock(providerId: number): string {
  return `select pg_advisory_xact_lock(${LOCK}, ${providerId})`;
}

interface MemoryRow {
  uid: string;
  company: string | null;
  grp: DataSourceGroup;
  enabled: boolean;
  removed: boolean;
  schedule: ScheduleType | null;
  interval: number | null;
  next: number | null;
  since: number | null;
  lastId: string | null;
  lastStart: number | null;
  lastEnd: number | null;
  lastResult: Result | null;
  lastSuccess: number | null;
  expected: number | null;
  overdue: number | null;
  missed: number | null;
  baseline: Buffer | null;
}

/**
 * Instants as milliseconds: a float8 is read a good deal faster than a date, and batches are thousands. `date_part` gives one
 * at once, `extract` would calculate with decimal numbers.
 */
export function millisecondsOf(column: string) {
  return sql.raw(`round(date_part('epoch', ${column}) * 1000)`);
}

/** The memory of those of the jobs that exist. */
export async function readMemories(
  connection: Connection,
  providerId: number,
  jobInstanceUids: readonly string[],
): Promise<Map<string, JobMemory>> {
  if (jobInstanceUids.length === 0) return new Map();
  const found = await repeatedRows<MemoryRow>(
    connection,
    sql`select j.job_instance_uid as uid, j.company_id as company, j.source_group as grp, j.is_enabled as enabled,
          j.removed_at is not null as removed, j.schedule_type as schedule, j.interval_ms as interval,
          ${millisecondsOf('j.next_run_at')} as next, ${millisecondsOf('j.scheduled_since')} as since, j.last_execution_id as "lastId", ${millisecondsOf('j.last_started_at')} as "lastStart",
          ${millisecondsOf('j.last_ended_at')} as "lastEnd", j.last_result as "lastResult", ${millisecondsOf('j.last_success_at')} as "lastSuccess",
          ${millisecondsOf('j.expected_at')} as expected, ${millisecondsOf('j.overdue_at')} as overdue,
          ${millisecondsOf('j.last_missed_at')} as missed, j.baseline
        from jobs j where j.provider_id = ${providerId} and j.job_instance_uid = any(${uuidArray(jobInstanceUids)})`,
  );
  return new Map(found.map((row) => [row.uid, memoryOf(row)]));
}

function memoryOf(row: MemoryRow): JobMemory {
  const { lastId, lastStart, lastResult, expected, overdue } = row;
  const hasRun = lastId !== null && lastStart !== null && lastResult !== null;
  return {
    jobInstanceUid: row.uid,
    companyId: row.company,
    sourceGroup: row.grp,
    schedule: {
      isEnabled: row.enabled,
      isRemoved: row.removed,
      scheduleType: row.schedule,
      intervalMs: row.interval,
      nextRunAtMs: row.next,
      sinceMs: row.since,
    },
    last: hasRun ? { id: lastId, startedAtMs: lastStart, endedAtMs: row.lastEnd, result: lastResult } : null,
    lastSuccessAtMs: row.lastSuccess,
    due: expected === null || overdue === null ? null : { expectedAtMs: expected, overdueAtMs: overdue },
    lastMissedMs: row.missed,
    baseline: readBaseline(row.baseline),
  };
}

/** The statement that writes jobs' memories. */
export function memoriesQuery(providerId: number, memories: readonly JobMemory[]): SQL {
  const column = <T>(of: (memory: JobMemory) => T) => memories.map(of);
  const instants = (of: (memory: JobMemory) => number | null) => numberArray(memories.map(of), 'timestamptz');
  const lengths = column((memory) => memory.baseline.bytes.length);
  let end = 1;
  const places = lengths.map((length) => {
    end += length;
    return end - length;
  });
  // All baselines are one parameter, sent as bytes and cut up there: as an array of texts they would double.
  const baselines = Buffer.concat(column((memory) => memory.baseline.bytes));
  return sql`update jobs j set last_execution_id = k.id, last_started_at = k.started_at, last_ended_at = k.ended_at, last_result = k.result,
          last_success_at = k.success_at, expected_at = k.expected_at, overdue_at = k.overdue_at, baseline = substring(${baselines}::bytea from k.place for k.length)
        from unnest(${uuidArray(column((memory) => memory.jobInstanceUid))}, ${uuidArray(column((memory) => memory.last?.id ?? null))}, ${instants((memory) => memory.last?.startedAtMs ?? null)}, ${instants((memory) => memory.last?.endedAtMs ?? null)},
          ${plainArray(
            column((memory) => memory.last?.result ?? null),
            'execution_result',
          )}, ${instants((memory) => memory.lastSuccessAtMs)}, ${instants((memory) => memory.due?.expectedAtMs ?? null)},
          ${instants((memory) => memory.due?.overdueAtMs ?? null)},
          ${numberArray(places, 'int')}, ${numberArray(lengths, 'int')})
          as k (job, id, started_at, ended_at, result, success_at, expected_at, overdue_at, place, length)
        where j.provider_id = ${providerId} and j.job_instance_uid = k.job`;
}

/**
 * The memory after more runs became known, with what the job is due for from then on. Only a newer run moves the expected start
 * where the schedule tells it: sources name the next run as seen from now, so that a job which missed a run would not be overdue
 * any more as soon as an old run is read. A guessed rhythm counts anew from all that is known.
 */
export function remembering(
  memory: JobMemory,
  news: Pick<JobMemory, 'last' | 'lastSuccessAtMs' | 'baseline'>,
): JobMemory {
  const { schedule } = memory;
  const isNewer = news.last?.startedAtMs !== memory.last?.startedAtMs;
  const isTold = schedule.intervalMs !== null || schedule.nextRunAtMs !== null;
  if (isTold && !isNewer && memory.due !== null)
    return { ...memory, ...news, due: dueStill(schedule, memory.due, news.baseline) };
  return { ...memory, ...news, due: dueAfter(schedule, news.last?.startedAtMs ?? null, news.baseline) };
}
