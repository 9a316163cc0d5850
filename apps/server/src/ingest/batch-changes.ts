import { type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { DayClocks } from '../backup-days/day-clocks.ts';
import { repeatedRows } from '../foundation/database.ts';
import { publishQuery } from '../foundation/events.ts';
import { DayRollups, type DayShare } from '../runs/day-rollups.ts';
import { ChangedRuns } from '../runs/faults/changed-runs.ts';
import { lastAttempt } from '../runs/retries.ts';
import { BinaryRows } from '../runs/rows/binary-rows.ts';
import type { Execution } from '../runs/rows/execution-rows.ts';
import { wholeDurationMs } from '../runs/whole-duration.ts';
import { type JobState, jobStatesQuery } from '../schedules/job-state.ts';
import { LateRuns } from './late-runs.ts';
import type { JobChanges } from './run-changes.ts';
import { addRow, insertExecutions, removeExecutions, updateExecutions, writeLogs } from './write-executions.ts';

/** Changes of some jobs. */
interface Changes {
  removed: Execution[];
  changed: JobChanges['changed'];
  /** The new executions, ready to be copied. */
  rows: BinaryRows;
  jobStates: JobState[];
}

/** Changes that are ready to be written: executions, and the statements that follow. */
export interface Slice extends Omit<Changes, 'jobStates'> {
  statements: SQL[];
}

/**
 * The changes of a batch. They are written in slices, so that the database works on one while the next one is
 * evaluated; what several slices have in common (sums of companies, logs, reversed missed runs, faults) is written once,
 * at the end.
 */
export class BatchChanges {
  readonly #providerId: number;
  readonly #clocks: DayClocks;
  readonly #rollups: DayRollups;
  readonly #lateRuns = new LateRuns();
  readonly #changedRuns = new ChangedRuns();
  readonly #logged: Execution[] = [];
  #changes = noChanges();
  added = 0;
  changed = 0;
  #isAny = false;

  /** With clocks that were read under the executions lock. */
  constructor(providerId: number, clocks: DayClocks) {
    this.#providerId = providerId;
    this.#clocks = clocks;
    this.#rollups = new DayRollups(clocks);
  }

  /** Adds changes of jobs that were not added before. */
  add(all: readonly JobChanges[]): void {
    const news = all.filter(({ added, changed, removed }) => added.length + changed.length + removed.length > 0);
    for (const change of news) this.#note(change);
  }

  #note(change: JobChanges): void {
    const { added, changed, removed, jobState } = change;
    this.#lateRuns.note(change);
    this.#changedRuns.note(change);
    for (const execution of removed) this.#rollups.subtract(shareOf(execution));
    for (const { before, after } of changed) {
      this.#rollups.subtract(shareOf(before));
      this.#rollups.add(shareOf(after));
      this.#logged.push(after);
    }
    for (const execution of added) {
      addRow(this.#changes.rows, this.#providerId, execution);
      this.#rollups.add(shareOf(execution));
      this.#logged.push(execution);
    }
    this.#changes.removed.push(...removed);
    this.#changes.changed.push(...changed);
    this.#changes.jobStates.push(jobState);
    this.#isAny = true;
    this.added += added.length;
    this.changed += changed.length;
  }

  /** Returns what has been added since the last call. */
  cut(): Slice {
    const { jobStates, ...changes } = this.#changes;
    this.#changes = noChanges();
    if (jobStates.length === 0) return { ...changes, statements: [] };
    const statements = [...this.#rollups.jobQueries(this.#providerId), jobStatesQuery(this.#providerId, jobStates)];
    return { ...changes, statements };
  }

  async write(connection: pg.PoolClient, slice: Slice): Promise<void> {
    await this.#writeExecutions(connection, slice);
    await runTogether(connection, slice.statements);
  }

  async #writeExecutions(connection: pg.PoolClient, { removed, changed, rows }: Slice): Promise<void> {
    await removeExecutions(connection, this.#providerId, removed);
    await updateExecutions(connection, this.#providerId, changed);
    await insertExecutions(connection, rows);
  }

  /** Writes the last slices and what is written once, at the end. */
  async finish(connection: pg.PoolClient, last: readonly Slice[]): Promise<void> {
    if (!this.#isAny) return;
    for (const slice of last) await this.#writeExecutions(connection, slice);
    await runTogether(connection, [
      ...last.flatMap(({ statements }) => statements),
      ...this.#rollups.sumQueries(this.#providerId),
      publishQuery({ name: 'executions.changed', providerId: this.#providerId }),
    ]);
    await writeLogs(connection, this.#providerId, this.#logged);
    await this.#rollups.measureDurations(connection, this.#providerId);
    const clocks = this.#clocks;
    const misses = await this.#lateRuns.reverseMissedRuns(connection, this.#providerId, clocks);
    for (const { jobInstanceUid, startedAtMs } of misses)
      this.#changedRuns.add(jobInstanceUid, startedAtMs, 'not-fine');
    await this.#changedRuns.refreshFaults(connection, this.#providerId);
  }
}

/** Runs statements on different rows as one: in a small batch the round trips take longer than the work. */
async function runTogether(connection: pg.PoolClient, statements: readonly SQL[]): Promise<void> {
  const last = statements.at(-1);
  if (last === undefined) return;
  const others = statements.slice(0, -1).map((statement, at) => sql`${sql.raw(`s${at}`)} as (${statement})`);
  await repeatedRows(connection, others.length === 0 ? last : sql`with ${sql.join(others, sql`, `)} ${last}`);
}

function noChanges(): Changes {
  return { removed: [], changed: [], rows: new BinaryRows(), jobStates: [] };
}

/** Returns what an execution adds to the sums of its day. */
export function shareOf({ jobInstanceUid, companyId, sourceGroup, attempts, anomalies }: Execution): DayShare {
  const { result, transferredBytes } = lastAttempt(attempts);
  return {
    startedAtMs: attempts[0].startedAtMs,
    jobInstanceUid,
    companyId,
    sourceGroup,
    result,
    isAnomalous: anomalies.length > 0,
    transferredBytes,
    durationMs: wholeDurationMs(attempts),
  };
}
