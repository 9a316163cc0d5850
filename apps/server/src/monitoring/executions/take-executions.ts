import type pg from 'pg';
import { type Pool, transaction } from '../../foundation/database.ts';
import { BatchChanges, type Slice as WrittenSlice } from './batch-changes.ts';
import { changesAround } from './changes-around.ts';
import { executionsLock, type JobMemory, readMemories } from './job-memory.ts';
import { judgeRuns, type ToldRuns } from './judge-runs.ts';
import type { NewExecution, RefusedExecution } from './new-execution.ts';
import type { JobChanges } from './run-changes.ts';
import { refreshStatistics } from './table-statistics.ts';

/** What became of executions. */
export interface Taken {
  added: number;
  changed: number;
  refused: RefusedExecution[];
}

/** Takes executions in the transaction that is open. */
export type Take = (executions: readonly NewExecution[], beside?: Beside) => Promise<Taken>;

interface Beside {
  /** Gets what the executions change, job by job. */
  onChanges?: (changes: readonly JobChanges[]) => void;
  /** The memories of some of the jobs, where they were read in this transaction. */
  memories?: ReadonlyMap<string, JobMemory>;
}

/** Executions that are written in one transaction, unless the caller wants fewer. */
export const BATCH_MAX = 5_000;
/** Executions that are written at a time, while those of the next jobs are judged. */
const SLICE_EXECUTIONS = 1_000;
/** The first ones are fewer: until they are judged, the database has nothing to write. */
const FIRST_EXECUTIONS = 200;
/** A batch that loses against another change of the same rows is tried again. */
const TRIES_MAX = 3;

/**
 * The one door through which runs enter: sync, intake and benchmarks. Collapses retries, judges each run by those before it,
 * keeps the sums of days and the memory of jobs, all in one transaction a batch. Executions that were told before change
 * nothing; told with more detail, they are completed. What people made of an execution is never overwritten.
 *
 * Executions of unknown jobs and impossible ones come back as refused, each with its reason.
 */
export async function takeExecutions(
  pool: Pool,
  providerId: number,
  executions: readonly NewExecution[],
  now: Date,
  batchMax = BATCH_MAX,
): Promise<Taken> {
  const taken: Taken = { added: 0, changed: 0, refused: [] };
  for (let at = 0; at < executions.length; at += batchMax) {
    const told = executions.slice(at, at + batchMax);
    const batch = await takeTogether(pool, providerId, now, (_connection, take) => take(told));
    taken.added += batch.added;
    taken.changed += batch.changed;
    taken.refused.push(...batch.refused);
    if (batch.added > 0) await refreshStatistics(pool);
  }
  return taken;
}

/**
 * Takes executions in one transaction with what they need: `work` writes that (their jobs, say) and hands them to `take`; all of
 * it stands, or nothing. The lock of executions is held before anything is written, as where a sync writes jobs, so that neither
 * waits for rows of the other. After a lost race `work` begins anew: it may have no effects but through its connection.
 */
export async function takeTogether<T>(
  pool: Pool,
  providerId: number,
  now: Date,
  work: (connection: pg.PoolClient, take: Take) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    // What the memory of a job does not know of is looked for only when it turned out to be there.
    const conditions = { now, isMemoryTrusted: tries === 1 };
    try {
      const workIn = (connection: pg.PoolClient) =>
        work(connection, (told, beside) => takeIn(connection, providerId, told, conditions, beside));
      return await transaction(pool, workIn, executionsLock(providerId));
    } catch (error) {
      if (tries === TRIES_MAX || !isLostRace(error)) throw error;
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
  isMemoryTrusted: boolean;
}

/** While a slice is judged here, the database writes the one before it and reads the memories of the one after it. */
async function takeIn(
  connection: pg.PoolClient,
  providerId: number,
  told: readonly NewExecution[],
  conditions: Conditions,
  { onChanges, memories: read = new Map() }: Beside = {},
): Promise<Taken> {
  const changes = new BatchChanges(providerId);
  const add = (news: readonly JobChanges[]) => {
    changes.add(news);
    onChanges?.(news);
  };
  const reasons = new Map<NewExecution, string>();
  const judge = async (runs: ToldRuns) => {
    const left = await judgeRuns(runs, add);
    return { ...left, judged: changes.cut() };
  };
  const writeAndRead = async (written: WrittenSlice, next: Slice = new Map()) => {
    await changes.write(connection, written);
    return memoriesOf(connection, providerId, [...next.keys()], read);
  };
  const slices = slicesOf(told);
  let ready = changes.cut();
  let memories = await writeAndRead(ready, slices[0]);
  for (const [at, slice] of slices.entries()) {
    const runs = { providerId, told: slice, memories, ...conditions };
    const [following, { others, refused, judged }] = await bothOf(writeAndRead(ready, slices[at + 1]), judge(runs));
    for (const { execution, reason } of refused) reasons.set(execution, reason);
    add(await changesAround(connection, runs, others));
    [ready, memories] = [judged, following];
  }
  await changes.finish(connection, [ready, changes.cut()]);
  return { added: changes.added, changed: changes.changed, refused: refusedOf(told, reasons) };
}

async function memoriesOf(
  connection: pg.PoolClient,
  providerId: number,
  uids: readonly string[],
  read: ReadonlyMap<string, JobMemory>,
): Promise<ReadonlyMap<string, JobMemory>> {
  const unread = uids.filter((uid) => !read.has(uid));
  if (unread.length === 0) return read;
  return new Map([...read, ...(await readMemories(connection, providerId, unread))]);
}

/** What is told of some jobs, by job. */
type Slice = Map<string, NewExecution[]>;

/** In the order of the jobs' keys, so that neighbours in the indexes are written one after another. */
function slicesOf(told: readonly NewExecution[]): Slice[] {
  const ofJob = Map.groupBy(told, (execution) => execution.jobInstanceUid);
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

/** Both have to end before an error of one leaves: a statement that is sent after the rollback would be on its own. */
async function bothOf<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}

/** In the order in which they were told. */
function refusedOf(told: readonly NewExecution[], reasons: ReadonlyMap<NewExecution, string>): RefusedExecution[] {
  if (reasons.size === 0) return [];
  return told.flatMap((execution) => {
    const reason = reasons.get(execution);
    return reason === undefined ? [] : [{ execution, reason }];
  });
}
