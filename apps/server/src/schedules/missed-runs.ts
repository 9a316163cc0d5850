import type { DataSourceGroup } from '@keepwatch/contract/runs/values';
import { type SQL, sql } from 'drizzle-orm';
import { readDayClocks } from '../backup-days/stored-clocks.ts';
import { type Connection, type Pool, rows, transaction } from '../foundation/database.ts';
import { publish } from '../foundation/events.ts';
import { readBaseline } from '../runs/baseline.ts';
import { DayRollups, type DayShare } from '../runs/day-rollups.ts';
import { executionId } from '../runs/execution-id.ts';
import { refreshFaults } from '../runs/faults/refresh-faults.ts';
import { JOB_EXECUTION_LOGS, JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOB_IGNORES, JOBS } from '../runs/jobs.ts';
import { millisecondsOf } from '../runs/rows/column-arrays.ts';
import type { JobSpan } from '../runs/rows/execution-rows.ts';
import { knownUntil, SOURCES } from '../runs/source-horizon.ts';
import { type Cadence, toleranceOf } from './cadence.ts';
import { knownCadence, missedSlots } from './expected-runs.ts';
import { lockExecutions } from './job-state.ts';

/** Maximum consecutive missed runs reported per job: a dead job must not flood the daily checks. */
export const MISSED_IN_A_ROW_MAX = 60;
const BATCH_MAX = 5_000;
/** Overdue jobs loaded at the same time. */
const PAGE_MAX = 1_000;

/** A run that was expected and did not happen, with the cadence of its job. */
export interface MissedRun {
  jobInstanceUid: string;
  expectedAtMs: number;
  cadence: Cadence | null;
}

/** A job, in the order in which overdue ones are read. */
interface JobKey {
  providerId: number;
  jobInstanceUid: string;
}

interface OverdueJob extends JobKey {
  intervalMs: number | null;
  baseline: Buffer | null;
  expectedAtMs: number;
  overdueAtMs: number;
  sinceMs: number | null;
  /** Up to when the job's source was read; later runs are unknown. `null`: it was never read. */
  horizonMs: number | null;
  lastMissedMs: number | null;
}

const BEFORE_ALL: JobKey = { providerId: -1, jobInstanceUid: '00000000-0000-0000-0000-000000000000' };

/**
 * Writes an execution for every expected run that did not happen up to now. A run counts as missed only when its source
 * was read after it was overdue: while a console is unreachable, its runs are unknown. Returns how many were written.
 */
export async function findMissedRuns(pool: Pool, now: Date): Promise<number> {
  let written = 0;
  let after = BEFORE_ALL;
  for (;;) {
    const jobs = await listOverdueJobs(pool, now, after);
    for (const [providerId, ofProvider] of Map.groupBy(jobs, (job) => job.providerId))
      written += await storeMissedRuns(pool, providerId, ofProvider.flatMap(missedRunsOf));
    const last = jobs.at(-1);
    if (last === undefined || jobs.length < PAGE_MAX) return written;
    after = last;
  }
}

/**
 * Lists a page of the overdue jobs, in the order of the primary key. "offset 0" makes the read of a job's source, and
 * of its last missed run, one index probe per job, also in tables that were never analysed.
 */
function listOverdueJobs(connection: Connection, now: Date, after: JobKey): Promise<OverdueJob[]> {
  return rows<OverdueJob>(
    connection,
    sql`select o.provider_id as "providerId", o.job_instance_uid as "jobInstanceUid", o.interval_ms as "intervalMs", o.baseline,
          ${millisecondsOf('o.expected_at')} as "expectedAtMs", ${millisecondsOf('o.overdue_at')} as "overdueAtMs",
          ${millisecondsOf('o.scheduled_since')} as "sinceMs", ${millisecondsOf('h.horizon')} as "horizonMs", ${millisecondsOf('m.started_at')} as "lastMissedMs"
        from (select j.* from ${JOBS} j
          where (j.provider_id, j.job_instance_uid) > (${after.providerId}, ${after.jobInstanceUid}::uuid)
            and j.overdue_at < ${now} and j.expected_at is not null and j.removed_at is null and j.is_enabled
          order by j.provider_id, j.job_instance_uid limit ${PAGE_MAX}) o
        left join lateral (select ${knownUntil(now)} as horizon from ${SOURCES} s
          where s.provider_id = o.provider_id and s.id = o.source_id and s.deleted_at is null offset 0) h on true
        left join lateral (select e.started_at from ${JOB_EXECUTIONS} e where e.provider_id = o.provider_id and o.overdue_at < h.horizon
            and e.job_instance_uid = o.job_instance_uid and e.result = 'DidntRun' and e.started_at > coalesce(o.last_started_at, '-infinity')
          order by e.started_at desc limit 1) m on true
        order by o.provider_id, o.job_instance_uid`,
  );
}

/**
 * Returns the expected starts of an overdue job that have passed by more than its grace period and are not written yet.
 */
function missedRunsOf({ horizonMs, ...job }: OverdueJob): MissedRun[] {
  if (horizonMs === null || horizonMs <= job.overdueAtMs) return [];
  const cadence = knownCadence(job, readBaseline(job.baseline));
  const slots = missedSlots(cadence, { ...job, horizonMs, countMax: MISSED_IN_A_ROW_MAX });
  const writtenMs = (job.lastMissedMs ?? Number.NEGATIVE_INFINITY) + (cadence?.intervalMs ?? 0) / 2;
  return slots
    .filter((slot) => slot > writtenMs)
    .map((expectedAtMs) => ({ jobInstanceUid: job.jobInstanceUid, expectedAtMs, cadence }));
}

/**
 * Writes missed runs with the sums of their days and the faults of their jobs. Their ids differ from those of runs with the same start, so that a
 * late run has a row of its own. If a job's missed runs are ignored, they are ignored from the start. Skips a slot that
 * a run has filled meanwhile: the executions lock makes check and write one step.
 */
export async function storeMissedRuns(pool: Pool, providerId: number, missed: readonly MissedRun[]): Promise<number> {
  let written = 0;
  for (let at = 0; at < missed.length; at += BATCH_MAX) {
    const batch = missed.slice(at, at + BATCH_MAX);
    written += await transaction(pool, async (connection) => {
      await lockExecutions(connection, providerId);
      const added = await insertMissedRuns(connection, providerId, batch);
      const rollups = new DayRollups(await readDayClocks(connection, providerId));
      for (const row of added) rollups.add(missShare(row));
      await rollups.write(connection, providerId);
      await refreshFaults(connection, providerId, added.map(spanOf));
      if (added.length > 0) await publish(connection, { name: 'executions.changed', providerId });
      return added.length;
    });
  }
  return written;
}

function spanOf({ jobInstanceUid, startedAtMs }: WrittenMiss): JobSpan {
  return { jobInstanceUid, fromMs: startedAtMs, toMs: startedAtMs };
}

function missedRunId(providerId: number, { jobInstanceUid, expectedAtMs }: MissedRun): string {
  return executionId(providerId, `${jobInstanceUid}/missed`, new Date(expectedAtMs));
}

export interface WrittenMiss {
  jobInstanceUid: string;
  startedAtMs: number;
  companyId: string | null;
  sourceGroup: DataSourceGroup;
}

/** Returns what a missed run adds to the sums of its day. */
export function missShare(miss: WrittenMiss): DayShare {
  return { ...miss, result: 'DidntRun', isAnomalous: false, transferredBytes: null, durationMs: null };
}

/**
 * Selects the attempts of the run before a slot (alias `k`) that fill it: a job that fails and soon runs again retries
 * at its slots too.
 */
function laterAttempts(providerId: number): SQL {
  return sql`select from (select r.started_at, r.id, r.attempts from ${JOB_EXECUTIONS} r where r.provider_id = ${providerId}
        and r.job_instance_uid = k.job and r.started_at < k.filled_from and r.result <> 'DidntRun' order by r.started_at desc limit 1) r
      join ${JOB_EXECUTION_LOGS} l on l.provider_id = ${providerId} and l.started_at = r.started_at and l.execution_id = r.id
      cross join lateral jsonb_array_elements(l.attempts) t
    where r.attempts > 1 and (t->>'startedAt')::timestamptz >= k.filled_from and (t->>'startedAt')::timestamptz < k.filled_to`;
}

/**
 * Writes missed runs, and the start of the newest one to its job; the caller has to hold the executions lock. With
 * "offset 0", a run's job, and what may have filled its slot, are read by one index probe per run.
 */
export function insertMissedRuns(
  connection: Connection,
  providerId: number,
  missed: readonly MissedRun[],
): Promise<WrittenMiss[]> {
  const records = missed.map((run) => {
    const { earlyMs, lateMs } = toleranceOf(run.cadence);
    return {
      id: missedRunId(providerId, run),
      job: run.jobInstanceUid,
      at: new Date(run.expectedAtMs).toISOString(),
      filled_from: new Date(run.expectedAtMs - earlyMs).toISOString(),
      filled_to: new Date(run.expectedAtMs + lateMs).toISOString(),
    };
  });
  return rows<WrittenMiss>(
    connection,
    sql`with added as (
          insert into ${JOB_EXECUTIONS} as e (provider_id, started_at, id, job_instance_uid, company_id, source_group, result, state, ignored_until)
          select ${providerId}, k.at, k.id, j.job_instance_uid, j.company_id, j.source_group, 'DidntRun',
            (case when i.job_instance_uid is null then 'pending' else 'ignored' end)::execution_state, i.ignored_until
          from json_to_recordset(${JSON.stringify(records)}::json) as k (id uuid, job uuid, at timestamptz, filled_from timestamptz, filled_to timestamptz)
          cross join lateral (select n.* from ${JOBS} n where n.provider_id = ${providerId} and n.job_instance_uid = k.job offset 0) j
          left join ${JOB_IGNORES} i on i.provider_id = ${providerId} and i.job_instance_uid = k.job and i.kind = 'didnt-run'
            and (i.ignored_until is null or i.ignored_until > k.at)
          where not exists (select from ${JOB_EXECUTIONS} r where r.provider_id = ${providerId} and r.job_instance_uid = k.job
              and r.started_at >= k.filled_from and r.started_at < k.filled_to and r.result <> 'DidntRun' offset 0)
            and not exists (${laterAttempts(providerId)})
          on conflict (provider_id, started_at, id) do nothing
          returning e.job_instance_uid, e.started_at, e.company_id, e.source_group),
        noted as (
          update ${JOBS} j set last_missed_at = greatest(j.last_missed_at, n.at)
          from (select a.job_instance_uid, max(a.started_at) as at from added a group by 1) n
          where j.provider_id = ${providerId} and j.job_instance_uid = n.job_instance_uid)
        select job_instance_uid as "jobInstanceUid", ${millisecondsOf('started_at')} as "startedAtMs", company_id as "companyId",
          source_group as "sourceGroup" from added`,
  );
}
