import { sql } from 'drizzle-orm';
import type { DayClocks } from '../backup-days/day-clocks.ts';
import { type Connection, rows } from '../foundation/database.ts';
import type { Attempt } from '../runs/attempt.ts';
import { DayRollups } from '../runs/day-rollups.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { instantText, millisecondsOf, plainArray, uuidArray } from '../runs/rows/column-arrays.ts';
import { type Cadence, nextSlots, toleranceOf } from '../schedules/cadence.ts';
import { knownCadence } from '../schedules/expected-runs.ts';
import {
  insertMissedRuns,
  MISSED_IN_A_ROW_MAX,
  type MissedRun,
  missShare,
  type WrittenMiss,
} from '../schedules/missed-runs.ts';
import type { JobChanges } from './run-changes.ts';

/** The runs of a job that may have been reported as missed. */
interface LateJob {
  jobInstanceUid: string;
  cadence: Cadence | null;
  startsMs: ReadonlySet<number>;
  /** From when on slots after a late run are recounted; `null`: they do not depend on when it ran. */
  countedFromMs: number | null;
  /** The newest known run, unless it is one of these: missed runs after it are not affected. `null`: they are. */
  toMs: number | null;
}

/**
 * Reverses the missed runs whose slots are filled by the runs being written: a console may report a run some time after
 * it began, and meanwhile it counted as missed. A missed run that a person has edited stays: no work is lost.
 *
 * Where slots are counted from one run to the next, those after a late run move with it: missed runs up to the next
 * known run are recounted from it. The result is the same as if the run had been reported in time. Where the source
 * names the next run, slots are the source's, and the other missed runs stay.
 *
 * A run that is on time costs one comparison: it begins after all missed runs of its job. The caller has to hold the
 * executions lock.
 */
export class LateRuns {
  readonly #late: LateJob[] = [];

  /** Collects the new runs of a job that may fill missed slots. */
  note(change: JobChanges): void {
    const { lastMissedMs } = change.jobState;
    if (lastMissedMs === null) return;
    const late = lateJobOf(change, lastMissedMs);
    if (late !== null) this.#late.push(late);
  }

  /** Reverses and recounts missed runs; returns those that it deleted or wrote. Call it once all runs are written. */
  async reverseMissedRuns(connection: Connection, providerId: number, clocks: DayClocks): Promise<WrittenMiss[]> {
    if (this.#late.length === 0) return [];
    const missesOf = Map.groupBy(await findMisses(connection, providerId, this.#late), (miss) => miss.jobInstanceUid);
    const reversed: Miss[] = [];
    const moved: MissedRun[] = [];
    for (const job of this.#late) {
      const misses = missesOf.get(job.jobInstanceUid) ?? [];
      const stale = misses.filter((miss) => miss.isUntouched && isStale(miss, job));
      reversed.push(...stale);
      moved.push(...recounted(job, stale, misses));
    }
    if (reversed.length === 0) return [];
    const rollups = new DayRollups(clocks);
    const removed = await removeMisses(connection, providerId, reversed);
    const added = moved.length === 0 ? [] : await insertMissedRuns(connection, providerId, moved);
    for (const miss of removed) rollups.subtract(missShare(miss));
    for (const miss of added) rollups.add(missShare(miss));
    await rollups.write(connection, providerId);
    return [...removed, ...added];
  }
}

/**
 * Returns a job's new runs, and new attempts of known ones, that are not after all its missed runs; `null`: all are.
 */
function lateJobOf({ added, changed, jobState }: JobChanges, lastMissedMs: number): LateJob | null {
  const { jobInstanceUid, schedule, baseline, due, last } = jobState;
  const cadence = knownCadence(schedule, baseline);
  const { lateMs } = toleranceOf(cadence);
  const startsMs = new Set<number>();
  for (const { startedAtMs } of newAttempts({ added, changed }))
    if (startedAtMs - lateMs < lastMissedMs) startsMs.add(startedAtMs);
  if (startsMs.size === 0) return null;
  const isCounted = due !== null && schedule.nextRunAtMs === null;
  return {
    jobInstanceUid,
    cadence,
    startsMs,
    countedFromMs: isCounted ? (schedule.sinceMs ?? Number.NEGATIVE_INFINITY) : null,
    toMs: last === null || lastOf(startsMs) >= last.startedAtMs ? null : last.startedAtMs,
  };
}

function* newAttempts({ added, changed }: Pick<JobChanges, 'added' | 'changed'>): Iterable<Attempt> {
  for (const { attempts } of added) yield* attempts;
  for (const { before, after } of changed) {
    const known = new Set(before.attempts.map(({ startedAtMs }) => startedAtMs));
    yield* after.attempts.filter(({ startedAtMs }) => !known.has(startedAtMs));
  }
}

interface Miss {
  id: string;
  jobInstanceUid: string;
  startedAtMs: number;
  isUntouched: boolean;
  /** The last run before it, and the first one after it. */
  beforeMs: number | null;
  afterMs: number | null;
}

/** Whether a late run fills the slot of a missed run, or has moved it. */
function isStale(miss: Miss, { cadence, startsMs, countedFromMs }: LateJob): boolean {
  const { startedAtMs, beforeMs } = miss;
  const { earlyMs, lateMs } = toleranceOf(cadence);
  for (const startMs of startsMs) if (startedAtMs > startMs - lateMs && startedAtMs <= startMs + earlyMs) return true;
  const isAfterLateRun = beforeMs !== null && startsMs.has(beforeMs);
  return cadence !== null && isAfterLateRun && countedFromMs !== null && startedAtMs > countedFromMs;
}

/**
 * Returns the missed runs after late runs, counted from these: up to the next known run or, after the newest one, as
 * far as the search went. A missed run that a person has edited takes the place of the slot nearest to it.
 */
function recounted(job: LateJob, stale: readonly Miss[], misses: readonly Miss[]): MissedRun[] {
  const { jobInstanceUid, cadence, startsMs, countedFromMs } = job;
  if (cadence === null || countedFromMs === null) return [];
  const remaining = misses.filter((miss) => !miss.isUntouched);
  const isStored = (slot: number) =>
    remaining.some((miss) => Math.abs(miss.startedAtMs - slot) < cadence.intervalMs / 2);
  const moved = Map.groupBy(stale, (miss) => miss.beforeMs);
  return [...moved].flatMap(([beforeMs, ofStretch]) => {
    if (beforeMs === null || !startsMs.has(beforeMs)) return [];
    const toMs = ofStretch.reduce((most, miss) => Math.max(most, miss.afterMs ?? miss.startedAtMs), 0);
    return nextSlots(cadence, Math.max(beforeMs, countedFromMs), MISSED_IN_A_ROW_MAX)
      .filter((slot) => slot <= toMs && !isStored(slot))
      .map((expectedAtMs) => ({ jobInstanceUid, expectedAtMs, cadence }));
  });
}

/** A missed run (alias `e`) that was never edited; those of ignored jobs begin as `ignored`. */
const IS_UNTOUCHED = sql`e.result = 'DidntRun' and e.changed_by is null and e.notes is null and e.state in ('pending', 'ignored')`;

/**
 * Reads the missed runs of jobs from the slot of their first late run on. "offset 0" makes this one index probe per
 * job, and two per missed run, also in tables that were never analysed, as during a first sync.
 */
function findMisses(connection: Connection, providerId: number, late: readonly LateJob[]): Promise<Miss[]> {
  const jobs = uuidArray(late.map((job) => job.jobInstanceUid));
  const froms = plainArray(
    late.map(({ cadence, startsMs }) => instantText(firstOf(startsMs) - toleranceOf(cadence).lateMs)),
    'timestamptz',
  );
  const tos = plainArray(
    late.map(({ toMs }) => (toMs === null ? null : instantText(toMs))),
    'timestamptz',
  );
  const runs = sql`select r.started_at from ${JOB_EXECUTIONS} r where r.provider_id = ${providerId} and r.job_instance_uid = k.job
    and r.result <> 'DidntRun'`;
  return rows<Miss>(
    connection,
    sql`select m.id, k.job as "jobInstanceUid", ${millisecondsOf('m.started_at')} as "startedAtMs", m.untouched as "isUntouched",
          ${millisecondsOf('b.started_at')} as "beforeMs", ${millisecondsOf('a.started_at')} as "afterMs"
        from unnest(${jobs}, ${froms}, ${tos}) as k (job, after, upto)
        cross join lateral (select e.id, e.started_at, ${IS_UNTOUCHED} as untouched from ${JOB_EXECUTIONS} e where e.provider_id = ${providerId}
          and e.job_instance_uid = k.job and e.started_at > k.after
            and e.started_at <= coalesce(k.upto, 'infinity') and e.result = 'DidntRun' offset 0) m
        left join lateral (${runs} and r.started_at <= m.started_at order by r.started_at desc limit 1) b on true
        left join lateral (${runs} and r.started_at > m.started_at order by r.started_at limit 1) a on true`,
  );
}

function firstOf(startsMs: ReadonlySet<number>): number {
  let first = Number.POSITIVE_INFINITY;
  for (const startMs of startsMs) first = Math.min(first, startMs);
  return first;
}

function lastOf(startsMs: ReadonlySet<number>): number {
  let last = Number.NEGATIVE_INFINITY;
  for (const startMs of startsMs) last = Math.max(last, startMs);
  return last;
}

/**
 * Deletes missed runs. Locks rows in the same order as edits do (see execution-changes.ts); rows edited meanwhile stay.
 */
function removeMisses(connection: Connection, providerId: number, misses: readonly Miss[]): Promise<WrittenMiss[]> {
  const ids = uuidArray(misses.map((miss) => miss.id));
  const starts = plainArray(
    misses.map((miss) => instantText(miss.startedAtMs)),
    'timestamptz',
  );
  return rows<WrittenMiss>(
    connection,
    sql`with locked as materialized (
          select e.started_at, e.id from ${JOB_EXECUTIONS} e
          where e.provider_id = ${providerId} and ${IS_UNTOUCHED}
            and (e.started_at, e.id) in (select * from unnest(${starts}, ${ids}))
          order by e.started_at, e.id for update of e)
        delete from ${JOB_EXECUTIONS} e using locked t where e.provider_id = ${providerId} and e.started_at = t.started_at and e.id = t.id
        returning e.job_instance_uid as "jobInstanceUid", ${millisecondsOf('e.started_at')} as "startedAtMs", e.company_id as "companyId",
          e.source_group as "sourceGroup"`,
  );
}
