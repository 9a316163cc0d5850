import type { ScheduleType } from '@keepwatch/connectors/ports/backup-source';
import type { DataSourceGroup, Result } from '@keepwatch/contract/runs/values';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute, repeatedRows } from '../foundation/database.ts';
import { type Baseline, readBaseline } from '../runs/baseline.ts';
import { JOBS } from '../runs/jobs.ts';
import { millisecondsOf, numberArray, plainArray, uuidArray } from '../runs/rows/column-arrays.ts';
import { type Due, dueAfter, dueStill, type Schedule } from './expected-runs.ts';

/** What is stored with a job: enough to evaluate its next run without reading past ones. */
export interface JobState {
  jobInstanceUid: string;
  companyId: string | null;
  sourceGroup: DataSourceGroup;
  schedule: Schedule;
  last: LastRun | null;
  lastSuccessAtMs: number | null;
  due: Due | null;
  /** When the newest missed run ever written was expected; it may have been reversed since. */
  lastMissedMs: number | null;
  baseline: Baseline;
}

/** The newest run: start of its first attempt, end and result of its last one, and whether it needs no attention. */
export interface LastRun {
  id: string;
  startedAtMs: number;
  endedAtMs: number | null;
  result: Result;
  isFine: boolean;
}

/** A number that no other lock uses; the second key is the provider. */
const LOCK = 7_305_120;

/**
 * Makes this transaction the only one that writes executions of the provider, until it ends. One lock instead of one
 * per job cannot deadlock, and locking five thousand rows would cost as much as writing five thousand executions.
 */
export async function lockExecutions(connection: Connection, providerId: number): Promise<void> {
  await execute(connection, sql.raw(executionsLock(providerId)));
}

/** Returns the statement that does so. */
export function executionsLock(providerId: number): string {
  return `select pg_advisory_xact_lock(${LOCK}, ${providerId})`;
}

interface JobStateRow {
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
  lastFine: boolean;
  lastSuccess: number | null;
  expected: number | null;
  overdue: number | null;
  missed: number | null;
  baseline: Buffer | null;
}

/** Reads the states of the jobs that exist. */
export async function readJobStates(
  connection: Connection,
  providerId: number,
  jobInstanceUids: readonly string[],
): Promise<Map<string, JobState>> {
  if (jobInstanceUids.length === 0) return new Map();
  const found = await repeatedRows<JobStateRow>(
    connection,
    sql`select j.job_instance_uid as uid, j.company_id as company, j.source_group as grp, j.is_enabled as enabled,
          j.removed_at is not null as removed, j.schedule_type as schedule, j.interval_ms as interval,
          ${millisecondsOf('j.next_run_at')} as next, ${millisecondsOf('j.scheduled_since')} as since, j.last_execution_id as "lastId", ${millisecondsOf('j.last_started_at')} as "lastStart",
          ${millisecondsOf('j.last_ended_at')} as "lastEnd", j.last_result as "lastResult", j.is_last_fine as "lastFine", ${millisecondsOf('j.last_success_at')} as "lastSuccess",
          ${millisecondsOf('j.expected_at')} as expected, ${millisecondsOf('j.overdue_at')} as overdue,
          ${millisecondsOf('j.last_missed_at')} as missed, j.baseline
        from ${JOBS} j where j.provider_id = ${providerId} and j.job_instance_uid = any(${uuidArray(jobInstanceUids)})`,
  );
  return new Map(found.map((row) => [row.uid, jobStateOf(row)]));
}

function jobStateOf(row: JobStateRow): JobState {
  const { lastId, lastStart, lastResult, expected, overdue } = row;
  const hasRun = lastId !== null && lastStart !== null && lastResult !== null;
  const ended = { endedAtMs: row.lastEnd, isFine: row.lastFine };
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
    last: hasRun ? { id: lastId, startedAtMs: lastStart, result: lastResult, ...ended } : null,
    lastSuccessAtMs: row.lastSuccess,
    due: expected === null || overdue === null ? null : { expectedAtMs: expected, overdueAtMs: overdue },
    lastMissedMs: row.missed,
    baseline: readBaseline(row.baseline),
  };
}

/** Returns the statement that writes job states. */
export function jobStatesQuery(providerId: number, jobStates: readonly JobState[]): SQL {
  const column = <T>(of: (jobState: JobState) => T) => jobStates.map(of);
  const instants = (of: (jobState: JobState) => number | null) => numberArray(jobStates.map(of), 'timestamptz');
  const lengths = column((jobState) => jobState.baseline.bytes.length);
  let end = 1;
  const places = lengths.map((length) => {
    end += length;
    return end - length;
  });
  // All baselines are one parameter, sent as bytes and cut up there: as an array of texts they would double.
  const baselines = Buffer.concat(column((jobState) => jobState.baseline.bytes));
  return sql`update ${JOBS} j set last_execution_id = k.id, last_started_at = k.started_at, last_ended_at = k.ended_at, last_result = k.result,
          is_last_fine = k.is_fine, last_success_at = k.success_at, expected_at = k.expected_at, overdue_at = k.overdue_at, baseline = substring(${baselines}::bytea from k.place for k.length)
        from unnest(${uuidArray(column((jobState) => jobState.jobInstanceUid))}, ${uuidArray(column((jobState) => jobState.last?.id ?? null))}, ${instants((jobState) => jobState.last?.startedAtMs ?? null)}, ${instants((jobState) => jobState.last?.endedAtMs ?? null)},
          ${plainArray(
            column((jobState) => jobState.last?.result ?? null),
            'execution_result',
          )}, ${plainArray(
            column((jobState) => String(jobState.last?.isFine ?? false)),
            'boolean',
          )}, ${instants((jobState) => jobState.lastSuccessAtMs)}, ${instants((jobState) => jobState.due?.expectedAtMs ?? null)},
          ${instants((jobState) => jobState.due?.overdueAtMs ?? null)},
          ${numberArray(places, 'int')}, ${numberArray(lengths, 'int')})
          as k (job, id, started_at, ended_at, result, is_fine, success_at, expected_at, overdue_at, place, length)
        where j.provider_id = ${providerId} and j.job_instance_uid = k.job`;
}

/** Where runs are written or removed beside the states of their jobs: whether the newest run of a job is fine is not known any more. */
export async function forgetFineRuns(
  connection: Connection,
  providerId: number,
  jobInstanceUids: readonly string[],
): Promise<void> {
  await execute(
    connection,
    sql`update ${JOBS} j set is_last_fine = false
        where j.provider_id = ${providerId} and j.job_instance_uid = any(${uuidArray(jobInstanceUids)}) and j.is_last_fine`,
  );
}

/**
 * Returns the job state after more runs became known, with what the job is due for then. Only a newer run moves an
 * expected start that the schedule names: sources name the next run as seen from now, so that a job which missed a run
 * would no longer be overdue as soon as an old run is read. A guessed cadence is counted again from all known runs.
 */
export function jobStateAfterRuns(
  jobState: JobState,
  news: Pick<JobState, 'last' | 'lastSuccessAtMs' | 'baseline'>,
): JobState {
  const { schedule } = jobState;
  const isNewer = news.last?.startedAtMs !== jobState.last?.startedAtMs;
  const isReported = schedule.intervalMs !== null || schedule.nextRunAtMs !== null;
  if (isReported && !isNewer && jobState.due !== null)
    return { ...jobState, ...news, due: dueStill(schedule, jobState.due, news.baseline) };
  return { ...jobState, ...news, due: dueAfter(schedule, news.last?.startedAtMs ?? null, news.baseline) };
}
