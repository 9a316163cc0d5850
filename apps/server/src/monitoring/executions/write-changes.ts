import { setImmediate } from 'node:timers/promises';
import type { SQL } from 'drizzle-orm';
import type pg from 'pg';
import { execute } from '../../foundation/database.ts';
import { publish } from '../../foundation/events.ts';
import { DayRollups, type DayShare } from './day-rollups.ts';
import type { Execution } from './execution-rows.ts';
import { memoriesQuery } from './job-memory.ts';
import type { LateRuns } from './late-runs.ts';
import { lastTry } from './retries.ts';
import { changesOf, type JobChanges, type JobNews } from './run-changes.ts';
import { copyLines, insertExecutions, removeExecutions, updateExecutions, writeLogs } from './write-executions.ts';

/** Executions that are written at a time, while those of the next jobs are judged. */
const SLICE_EXECUTIONS = 1_000;
/** Executions that are judged at a stretch: about a millisecond, in which nothing can be sent to the database. */
const STRETCH_EXECUTIONS = 100;

/** What is left to do for a slice: rows for COPY, and statements after it. */
interface Slice {
  lines: string;
  statements: SQL[];
}

/** What is written once for all slices. */
interface Batch {
  providerId: number;
  rollups: DayRollups;
  lateRuns: LateRuns;
  logged: Execution[];
  added: number;
  changed: number;
}

export interface ChangesToWrite {
  providerId: number;
  around: readonly JobChanges[];
  appended: readonly JobNews[];
  lateRuns: LateRuns;
}

/**
 * Writes what a batch changes: `around`, of jobs whose told tries lie among known ones, and `appended`, what is told of jobs after
 * all that is known of them. The runs of the latter are judged here, slice by slice: the database writes one slice while this
 * process works on the next. Gives how many executions were added and changed.
 */
export async function writeChanges(
  connection: pg.PoolClient,
  { providerId, around, appended, lateRuns }: ChangesToWrite,
): Promise<Pick<Batch, 'added' | 'changed'>> {
  const known = around.filter(({ added, changed, removed }) => added.length + changed.length + removed.length > 0);
  if (known.length + appended.length === 0) return { added: 0, changed: 0 };
  const batch: Batch = { providerId, rollups: new DayRollups(), lateRuns, logged: [], added: 0, changed: 0 };
  await writeKnown(connection, batch, known);
  await writeSlices(connection, slicesOf(batch, appended));
  for (const statement of batch.rollups.sumQueries(providerId)) await execute(connection, statement);
  await writeLogs(connection, providerId, batch.logged);
  await batch.rollups.measureDurations(connection, providerId);
  await lateRuns.takeBackMisses(connection, providerId);
  await publish(connection, { name: 'executions.changed', providerId });
  return { added: batch.added, changed: batch.changed };
}

async function writeKnown(connection: pg.PoolClient, batch: Batch, known: readonly JobChanges[]): Promise<void> {
  if (known.length === 0) return;
  const removed = known.flatMap((one) => one.removed);
  const changed = known.flatMap((one) => one.changed);
  await removeExecutions(connection, batch.providerId, removed);
  await updateExecutions(connection, batch.providerId, changed);
  await writeSlice(connection, sliceOf(batch, linesOf(batch, known), known));
}

/** Writes each slice while the next one is made. */
async function writeSlices(connection: pg.PoolClient, slices: AsyncGenerator<Slice>): Promise<void> {
  let { value: slice } = await slices.next();
  while (slice !== undefined) {
    const [writing, making] = [writeSlice(connection, slice), slices.next()];
    // Both have to end before an error of one leaves: a statement that is sent after the rollback would be on its own.
    await Promise.allSettled([writing, making]);
    await writing;
    slice = (await making).value;
  }
}

async function writeSlice(connection: pg.PoolClient, { lines, statements }: Slice): Promise<void> {
  await insertExecutions(connection, lines);
  for (const statement of statements) await execute(connection, statement);
}

async function* slicesOf(batch: Batch, appended: readonly JobNews[]): AsyncGenerator<Slice, undefined> {
  let lines = '';
  let changes: JobChanges[] = [];
  let count = 0;
  for (const stretch of stretchesOf(appended)) {
    const changesOfStretch = stretch.map(changesOf);
    lines += linesOf(batch, changesOfStretch);
    changes.push(...changesOfStretch);
    count += stretch.reduce((sum, { told }) => sum + told.length, 0);
    if (count >= SLICE_EXECUTIONS) {
      yield sliceOf(batch, lines, changes);
      [lines, changes, count] = ['', [], 0];
    }
    await setImmediate();
  }
  if (changes.length > 0) yield sliceOf(batch, lines, changes);
}

function* stretchesOf(appended: readonly JobNews[]): Generator<JobNews[]> {
  let stretch: JobNews[] = [];
  let count = 0;
  for (const news of appended) {
    stretch.push(news);
    count += news.told.length;
    if (count < STRETCH_EXECUTIONS) continue;
    yield stretch;
    [stretch, count] = [[], 0];
  }
  if (stretch.length > 0) yield stretch;
}

function sliceOf({ providerId, rollups }: Batch, lines: string, changes: readonly JobChanges[]): Slice {
  const memories = changes.map((one) => one.memory);
  return { lines, statements: [...rollups.jobQueries(providerId), memoriesQuery(providerId, memories)] };
}

/** The new rows of these changes for COPY; what else follows from the changes is noted in the batch. */
function linesOf(batch: Batch, all: readonly JobChanges[]): string {
  const { rollups, logged, lateRuns } = batch;
  for (const change of all) {
    const { added, changed, removed } = change;
    lateRuns.note(change);
    for (const execution of removed) rollups.take(shareOf(execution));
    for (const { before, after } of changed) {
      rollups.take(shareOf(before));
      rollups.add(shareOf(after));
      logged.push(after);
    }
    for (const execution of added) {
      rollups.add(shareOf(execution));
      logged.push(execution);
    }
    batch.added += added.length;
    batch.changed += changed.length;
  }
  return copyLines(
    batch.providerId,
    all.flatMap((one) => one.added),
  );
}

function shareOf({ jobInstanceUid, companyId, sourceGroup, tries, anomalies }: Execution): DayShare {
  const { result, transferredBytes, durationMs } = lastTry(tries);
  return {
    startedAtMs: tries[0].startedAtMs,
    jobInstanceUid,
    companyId,
    sourceGroup,
    result,
    isAnomalous: anomalies.length > 0,
    transferredBytes,
    durationMs,
  };
}
