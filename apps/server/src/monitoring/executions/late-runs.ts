import type { DataSourceGroup } from '@keepwatch/contract/monitoring/values';
import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';
import { instantText, plainArray } from './column-arrays.ts';
import { DayRollups } from './day-rollups.ts';
import { knownRhythm } from './expected-runs.ts';
import { type JobMemory, millisecondsOf } from './job-memory.ts';
import { reachOf } from './rhythm.ts';
import type { JobChanges } from './run-changes.ts';

/** The worker that writes missed runs may have a clock that is ahead by this. */
const AHEAD_MS = 60_000;

/** The slots that a run fills: from `afterMs`, itself left out, to `toMs`. */
interface FilledSlots {
  jobInstanceUid: string;
  afterMs: number;
  toMs: number;
}

/**
 * Takes back the missed runs whose slots are filled by runs that are being written: a console tells a run some time after
 * it began, and meanwhile it counted as missed. In the end the same rows are left as if it had been told in time, see `reachOf`.
 * What a person has made something of stays, their work is never lost.
 *
 * A run that is on time costs a comparison: its job was not overdue, and it is newer than all that is known. Has to hold the
 * lock of executions. `memories` are those before the runs.
 */
export class LateRuns {
  readonly #memories: ReadonlyMap<string, JobMemory>;
  readonly #now: Date;
  readonly #filled: FilledSlots[] = [];

  constructor(memories: ReadonlyMap<string, JobMemory>, now: Date) {
    this.#memories = memories;
    this.#now = now;
  }

  /** Remembers which slots the new runs of a job fill late. */
  note(change: JobChanges): void {
    const memory = this.#memories.get(change.memory.jobInstanceUid);
    if (memory !== undefined) this.#filled.push(...filledLate(memory, change, this.#now));
  }

  /** To be called once all runs are written. */
  async takeBackMisses(connection: Connection, providerId: number): Promise<void> {
    if (this.#filled.length === 0) return;
    const misses = await findMisses(connection, providerId, this.#filled);
    if (misses.length === 0) return;
    const taken = await removeMisses(connection, providerId, misses);
    const rollups = new DayRollups();
    const none = { result: 'DidntRun', isAnomalous: false, transferredBytes: null, durationMs: null } as const;
    for (const miss of taken) rollups.take({ ...miss, ...none });
    await rollups.write(connection, providerId);
  }
}

/** What is filled by those of a job's new runs that may have been reported as missed. */
function filledLate(memory: JobMemory, { added }: JobChanges, now: Date): FilledSlots[] {
  const { jobInstanceUid, last, schedule, baseline } = memory;
  const wasOverdue = memory.overdueAtMs !== null && memory.overdueAtMs <= now.getTime() + AHEAD_MS;
  const knownToMs = wasOverdue ? Number.POSITIVE_INFINITY : (last?.startedAtMs ?? Number.NEGATIVE_INFINITY);
  const late = added.filter(({ tries }) => tries[0].startedAtMs <= knownToMs);
  if (late.length === 0) return [];
  const { earlyMs, lateMs } = reachOf(knownRhythm(schedule, baseline));
  return late.map(({ tries: [{ startedAtMs }] }) => ({
    jobInstanceUid,
    afterMs: startedAtMs - lateMs,
    toMs: startedAtMs + earlyMs,
  }));
}

/** A missed run (alias `e`) of which nobody has made anything; `ignored` is what one of a job that is left out begins with. */
const IS_UNTOUCHED = sql`e.result = 'DidntRun' and e.changed_by is null and e.note is null and e.state in ('pending', 'ignored')`;

interface Miss {
  id: string;
  startedAtMs: number;
}

/** "offset 0" keeps this a probe a run, also in tables that were never analysed, as they are during a first sync. */
function findMisses(connection: Connection, providerId: number, filled: readonly FilledSlots[]): Promise<Miss[]> {
  const jobs = plainArray(
    filled.map((slots) => slots.jobInstanceUid),
    'uuid',
  );
  const instants = (of: (slots: FilledSlots) => number) =>
    plainArray(
      filled.map((slots) => instantText(of(slots))),
      'timestamptz',
    );
  return rows<Miss>(
    connection,
    sql`select m.id, ${millisecondsOf('m.started_at')} as "startedAtMs"
        from unnest(${jobs}, ${instants((slots) => slots.afterMs)}, ${instants((slots) => slots.toMs)}) as k (job, after, upto)
        cross join lateral (select e.id, e.started_at from job_executions e where e.provider_id = ${providerId}
          and e.job_instance_uid = k.job and e.started_at > k.after and e.started_at <= k.upto and ${IS_UNTOUCHED} offset 0) m`,
  );
}

interface TakenMiss {
  jobInstanceUid: string;
  startedAtMs: number;
  companyId: string | null;
  sourceGroup: DataSourceGroup;
}

/** Rows are locked in the order in which people's changes lock them, see execution-changes.ts; what became theirs meanwhile stays. */
function removeMisses(connection: Connection, providerId: number, misses: readonly Miss[]): Promise<TakenMiss[]> {
  const ids = plainArray(
    misses.map((miss) => miss.id),
    'uuid',
  );
  const starts = plainArray(
    misses.map((miss) => instantText(miss.startedAtMs)),
    'timestamptz',
  );
  return rows<TakenMiss>(
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
