import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';
import type { Attempt } from './attempt.ts';
import { instantText, plainArray, uuidArray } from './column-arrays.ts';
import { DayRollups } from './day-rollups.ts';
import { knownRhythm } from './expected-runs.ts';
import { millisecondsOf } from './job-memory.ts';
import { insertMissedRuns, MISSED_IN_A_ROW_MAX, type MissedRun, missShare, type WrittenMiss } from './missed-runs.ts';
import { nextSlots, type Rhythm, reachOf } from './rhythm.ts';
import type { JobChanges } from './run-changes.ts';

/** The runs of a job that may have been reported as missed. */
interface LateJob {
  jobInstanceUid: string;
  rhythm: Rhythm | null;
  startsMs: ReadonlySet<number>;
  /** From where on slots after a late run are counted anew; `null`: its slots do not hang on when it ran. */
  countedFromMs: number | null;
  /** The newest run known, when it is none of these: they have nothing to do with misses after it. `null`: they do. */
  toMs: number | null;
}

/**
 * Takes back the missed runs whose slots are filled by runs that are being written: a console tells a run some time after
 * it began, and meanwhile it counted as missed. What a person has made something of stays, their work is never lost.
 *
 * Where slots are counted from one run to the next, those after a late run move with it: up to the next known run, misses are
 * counted anew from it. So the same rows are left as if it had been told in time. Where the source names the next run, slots are
 * the source's, and the other misses stay.
 *
 * A run that is on time costs a comparison: it begins after all that was ever missed of its job. Has to hold the lock of
 * executions.
 */
export class LateRuns {
  readonly #late: LateJob[] = [];

  /** Remembers which new runs of a job may be those of missed slots. */
  note(change: JobChanges): void {
    const { lastMissedMs } = change.memory;
    if (lastMissedMs === null) return;
    const late = lateJobOf(change, lastMissedMs);
    if (late !== null) this.#late.push(late);
  }

  /** To be called once all runs are written. */
  async takeBackMisses(connection: Connection, providerId: number): Promise<void> {
    if (this.#late.length === 0) return;
    const missesOf = Map.groupBy(await findMisses(connection, providerId, this.#late), (miss) => miss.jobInstanceUid);
    const taken: Miss[] = [];
    const anew: MissedRun[] = [];
    for (const job of this.#late) {
      const misses = missesOf.get(job.jobInstanceUid) ?? [];
      const stale = misses.filter((miss) => miss.isUntouched && isStale(miss, job));
      taken.push(...stale);
      anew.push(...countedAnew(job, stale, misses));
    }
    if (taken.length === 0) return;
    const rollups = new DayRollups();
    for (const miss of await removeMisses(connection, providerId, taken)) rollups.take(missShare(miss));
    if (anew.length > 0)
      for (const miss of await insertMissedRuns(connection, providerId, anew)) rollups.add(missShare(miss));
    await rollups.write(connection, providerId);
  }
}

/** A job's new runs, and new tries of known ones, that are not after all that was missed of it; `null`: all are. */
function lateJobOf({ added, changed, memory }: JobChanges, lastMissedMs: number): LateJob | null {
  const { jobInstanceUid, schedule, baseline, due, last } = memory;
  const rhythm = knownRhythm(schedule, baseline);
  const { lateMs } = reachOf(rhythm);
  const startsMs = new Set<number>();
  for (const { startedAtMs } of newTries({ added, changed }))
    if (startedAtMs - lateMs < lastMissedMs) startsMs.add(startedAtMs);
  if (startsMs.size === 0) return null;
  const isCounted = due !== null && schedule.nextRunAtMs === null;
  return {
    jobInstanceUid,
    rhythm,
    startsMs,
    countedFromMs: isCounted ? (schedule.sinceMs ?? Number.NEGATIVE_INFINITY) : null,
    toMs: last === null || lastOf(startsMs) >= last.startedAtMs ? null : last.startedAtMs,
  };
}

function* newTries({ added, changed }: Pick<JobChanges, 'added' | 'changed'>): Iterable<Attempt> {
  for (const { tries } of added) yield* tries;
  for (const { before, after } of changed) {
    const known = new Set(before.tries.map(({ startedAtMs }) => startedAtMs));
    yield* after.tries.filter(({ startedAtMs }) => !known.has(startedAtMs));
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

/** Whether a late run fills the slot of a miss, or has moved it. */
function isStale(miss: Miss, { rhythm, startsMs, countedFromMs }: LateJob): boolean {
  const { startedAtMs, beforeMs } = miss;
  const { earlyMs, lateMs } = reachOf(rhythm);
  for (const startMs of startsMs) if (startedAtMs > startMs - lateMs && startedAtMs <= startMs + earlyMs) return true;
  const isAfterLateRun = beforeMs !== null && startsMs.has(beforeMs);
  return rhythm !== null && isAfterLateRun && countedFromMs !== null && startedAtMs > countedFromMs;
}

/**
 * The misses after late runs, counted from these: up to the next known run, after the newest one as far as it was searched. What
 * people have made something of stands for the slot nearest to it.
 */
function countedAnew(job: LateJob, stale: readonly Miss[], misses: readonly Miss[]): MissedRun[] {
  const { jobInstanceUid, rhythm, startsMs, countedFromMs } = job;
  if (rhythm === null || countedFromMs === null) return [];
  const kept = misses.filter((miss) => !miss.isUntouched);
  const isKept = (slot: number) => kept.some((miss) => Math.abs(miss.startedAtMs - slot) < rhythm.intervalMs / 2);
  const moved = Map.groupBy(stale, (miss) => miss.beforeMs);
  return [...moved].flatMap(([beforeMs, ofStretch]) => {
    if (beforeMs === null || !startsMs.has(beforeMs)) return [];
    const toMs = ofStretch.reduce((most, miss) => Math.max(most, miss.afterMs ?? miss.startedAtMs), 0);
    return nextSlots(rhythm, Math.max(beforeMs, countedFromMs), MISSED_IN_A_ROW_MAX)
      .filter((slot) => slot <= toMs && !isKept(slot))
      .map((expectedAtMs) => ({ jobInstanceUid, expectedAtMs, rhythm }));
  });
}

/** A missed run (alias `e`) of which nobody has made anything; `ignored` is what one of a job that is left out begins with. */
const IS_UNTOUCHED = sql`e.result = 'DidntRun' and e.changed_by is null and e.notes is null and e.state in ('pending', 'ignored')`;

/**
 * The missed runs of jobs from the slot of their first late run on. "offset 0" keeps this a probe a job, and two a miss, also in
 * tables that were never analysed, as they are during a first sync.
 */
function findMisses(connection: Connection, providerId: number, late: readonly LateJob[]): Promise<Miss[]> {
  const jobs = uuidArray(late.map((job) => job.jobInstanceUid));
  const froms = plainArray(
    late.map(({ rhythm, startsMs }) => instantText(firstOf(startsMs) - reachOf(rhythm).lateMs)),
    'timestamptz',
  );
  const tos = plainArray(
    late.map(({ toMs }) => (toMs === null ? null : instantText(toMs))),
    'timestamptz',
  );
  const runs = sql`select r.started_at from job_executions r where r.provider_id = ${providerId} and r.job_instance_uid = k.job
    and r.result <> 'DidntRun'`;
  return rows<Miss>(
    connection,
    sql`select m.id, k.job as "jobInstanceUid", ${millisecondsOf('m.started_at')} as "startedAtMs", m.untouched as "isUntouched",
          ${millisecondsOf('b.started_at')} as "beforeMs", ${millisecondsOf('a.started_at')} as "afterMs"
        from unnest(${jobs}, ${froms}, ${tos}) as k (job, after, upto)
        cross join lateral (select e.id, e.started_at, ${IS_UNTOUCHED} as untouched from job_executions e where e.provider_id = ${providerId}
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

/** Rows are locked in the order in which people's changes lock them, see execution-changes.ts; what became theirs meanwhile stays. */
function removeMisses(connection: Connection, providerId: number, misses: readonly Miss[]): Promise<WrittenMiss[]> {
  const ids = uuidArray(misses.map((miss) => miss.id));
  const starts = plainArray(
    misses.map((miss) => instantText(miss.startedAtMs)),
    'timestamptz',
  );
  return rows<WrittenMiss>(
    connection,
    sql`with taken as materialized (
          select e.started_at, e.id from job_executions e
          where e.provider_id = ${providerId} and ${IS_UNTOUCHED}
            and (e.started_at, e.id) in (select * from unnest(${starts}, ${ids}))
          order by e.started_at, e.id for update of e)
        delete from job_executions e using taken t where e.provider_id = ${providerId} and e.started_at = t.started_at and e.id = t.id
        returning e.job_instance_uid as "jobInstanceUid", ${millisecondsOf('e.started_at')} as "startedAtMs", e.company_id as "companyId",
          e.source_group as "sourceGroup"`,
  );
}
