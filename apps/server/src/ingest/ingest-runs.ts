import type pg from 'pg';
import { readDayClocks } from '../backup-days/stored-clocks.ts';
import { type Pool, transaction } from '../foundation/database.ts';
import type { NewRun, RefusedRun } from '../runs/new-run.ts';
import { refreshStatistics } from '../runs/table-statistics.ts';
import { executionsLock, type JobState, readJobStates } from '../schedules/job-state.ts';
import { BatchChanges, type Slice as WrittenSlice } from './batch-changes.ts';
import { changesAround } from './changes-around.ts';
import { evaluateRuns, type RunsToEvaluate } from './evaluate-runs.ts';
import type { JobChanges } from './run-changes.ts';

/** What happened to the reported runs. */
export interface IngestResult {
  added: number;
  changed: number;
  refused: RefusedRun[];
}

/** Ingests runs in the open transaction. */
export type Ingest = (executions: readonly NewRun[], beside?: Beside) => Promise<IngestResult>;

interface Beside {
  /** Receives what the runs change, job by job. */
  onChanges?: (changes: readonly JobChanges[]) => void;
  /** The states of jobs that were already read in this transaction. */
  jobStates?: ReadonlyMap<string, JobState>;
}

/** Executions written in one transaction, unless the caller sets a lower limit. */
export const BATCH_MAX = 5_000;
/** Executions written at a time, while those of the next jobs are evaluated. */
const SLICE_EXECUTIONS = 1_000;
/** The first ones are fewer: until they are evaluated, the database has nothing to write. */
const FIRST_EXECUTIONS = 200;
/** A batch that loses against another change of the same rows is retried. */
const ATTEMPTS_MAX = 3;

/**
 * Ingests runs; the only entry point for them, from sync, intake and benchmarks. Collapses retries, evaluates each run
 * by those before it, and updates the sums of days and the job states, all in one transaction per batch. Runs that were
 * reported before change nothing; reported with more detail, they are completed. What people changed on an execution is
 * never overwritten.
 *
 * Runs of unknown jobs and runs that cannot be real are returned as refused, each with its reason.
 */
export async function ingestRuns(
  pool: Pool,
  providerId: number,
  executions: readonly NewRun[],
  now: Date,
  batchMax = BATCH_MAX,
): Promise<IngestResult> {
  const ingested: IngestResult = { added: 0, changed: 0, refused: [] };
  for (let at = 0; at < executions.length; at += batchMax) {
    const reported = executions.slice(at, at + batchMax);
    const batch = await ingestInTransaction(pool, providerId, now, (_connection, ingest) => ingest(reported));
    ingested.added += batch.added;
    ingested.changed += batch.changed;
    ingested.refused.push(...batch.refused);
    if (batch.added > 0) await refreshStatistics(pool);
  }
  return ingested;
}

/**
 * Ingests runs in one transaction with what they need: `work` writes that (their jobs, say) and passes the runs to
 * `ingest`; all of it is committed, or nothing. The executions lock is acquired before anything is written, also where a
 * sync writes jobs, so that neither waits for rows of the other. After a lost race `work` runs again: it may have no
 * effects except through its connection.
 */
export async function ingestInTransaction<T>(
  pool: Pool,
  providerId: number,
  now: Date,
  work: (connection: pg.PoolClient, ingest: Ingest) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    // Runs that the job state does not include are searched for only once one turned out to exist.
    const conditions = { now, isStateTrusted: attempt === 1 };
    try {
      const workIn = (connection: pg.PoolClient) =>
        work(connection, (reported, beside) => ingestBatch(connection, providerId, reported, conditions, beside));
      return await transaction(pool, workIn, executionsLock(providerId));
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isLostRace(error)) throw error;
    }
  }
}

const LOST_RACES = ['23505', '40001', '40P01'];

/** Unique violation, serialization failure, deadlock. */
function isLostRace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && LOST_RACES.includes(String(error.code));
}

interface Conditions {
  now: Date;
  isStateTrusted: boolean;
}

/**
 * While a slice is evaluated here, the database writes the one before it and reads the job states of the one after it.
 */
async function ingestBatch(
  connection: pg.PoolClient,
  providerId: number,
  reported: readonly NewRun[],
  conditions: Conditions,
  { onChanges, jobStates: read = new Map() }: Beside = {},
): Promise<IngestResult> {
  const changes = new BatchChanges(providerId, await readDayClocks(connection, providerId));
  const add = (news: readonly JobChanges[]) => {
    changes.add(news);
    onChanges?.(news);
  };
  const reasons = new Map<NewRun, string>();
  const evaluate = async (runs: RunsToEvaluate) => {
    const left = await evaluateRuns(runs, add);
    return { ...left, evaluated: changes.cut() };
  };
  const writeAndRead = async (written: WrittenSlice, next: Slice = new Map()) => {
    await changes.write(connection, written);
    return jobStatesOf(connection, providerId, [...next.keys()], read);
  };
  const slices = slicesOf(reported);
  let ready = changes.cut();
  let jobStates = await writeAndRead(ready, slices[0]);
  for (const [at, slice] of slices.entries()) {
    const runs = { providerId, reported: slice, jobStates, ...conditions };
    const [following, { others, refused, evaluated }] = await bothOf(
      writeAndRead(ready, slices[at + 1]),
      evaluate(runs),
    );
    for (const { execution, reason } of refused) reasons.set(execution, reason);
    add(await changesAround(connection, runs, others));
    [ready, jobStates] = [evaluated, following];
  }
  await changes.finish(connection, [ready, changes.cut()]);
  return { added: changes.added, changed: changes.changed, refused: refusedOf(reported, reasons) };
}

async function jobStatesOf(
  connection: pg.PoolClient,
  providerId: number,
  uids: readonly string[],
  read: ReadonlyMap<string, JobState>,
): Promise<ReadonlyMap<string, JobState>> {
  const unread = uids.filter((uid) => !read.has(uid));
  if (unread.length === 0) return read;
  return new Map([...read, ...(await readJobStates(connection, providerId, unread))]);
}

/** Reported runs by job. */
type Slice = Map<string, NewRun[]>;

/**
 * Cuts runs into slices in the order of the jobs' keys, so that neighbours in the indexes are written one after
 * another.
 */
function slicesOf(reported: readonly NewRun[]): Slice[] {
  const ofJob = Map.groupBy(reported, (execution) => execution.jobInstanceUid);
  const slices: Slice[] = [];
  let room = 0;
  for (const uid of [...ofJob.keys()].sort()) {
    if (room <= 0) {
      room = slices.length === 0 ? FIRST_EXECUTIONS : SLICE_EXECUTIONS;
      slices.push(new Map());
    }
    const executions = ofJob.get(uid) ?? [];
    slices.at(-1)?.set(uid, executions);
    room -= executions.length;
  }
  return slices;
}

/**
 * Waits for both before it throws an error of one: a statement sent after the rollback would run outside the
 * transaction.
 */
async function bothOf<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}

/** Returns the refused runs in the order in which they were reported. */
function refusedOf(reported: readonly NewRun[], reasons: ReadonlyMap<NewRun, string>): RefusedRun[] {
  if (reasons.size === 0) return [];
  return reported.flatMap((execution) => {
    const reason = reasons.get(execution);
    return reason === undefined ? [] : [{ execution, reason }];
  });
}
