import type pg from 'pg';
import { type Pool, transaction } from '../../foundation/database.ts';
import type { Attempt } from './attempt.ts';
import { isEqualAttempt, retold } from './attempt.ts';
import { type Baseline, baselineOf, KNOWN_RUNS_MAX, NO_RUNS, runsBefore } from './baseline.ts';
import { executionId } from './execution-id.ts';
import { type JobSpan, readExecutions, readKnownRuns, readNeighbours } from './execution-rows.ts';
import { type JobMemory, lockExecutions, readMemories } from './job-memory.ts';
import { LateRuns } from './late-runs.ts';
import { attemptOf, impossibility, type NewExecution, type RefusedExecution } from './new-execution.ts';
import { isRetryOf } from './retries.ts';
import { changesOf, type JobChanges, type JobNews } from './run-changes.ts';
import { writeChanges } from './write-changes.ts';

/** What became of executions. */
export interface Taken {
  added: number;
  changed: number;
  refused: RefusedExecution[];
}

/** Executions that are written in one transaction. */
export const BATCH_MAX = 5_000;
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
): Promise<Taken> {
  const taken: Taken = { added: 0, changed: 0, refused: [] };
  for (let at = 0; at < executions.length; at += BATCH_MAX) {
    const batch = await takeBatch(pool, providerId, executions.slice(at, at + BATCH_MAX), now);
    taken.added += batch.added;
    taken.changed += batch.changed;
    taken.refused.push(...batch.refused);
  }
  return taken;
}

async function takeBatch(pool: Pool, providerId: number, told: readonly NewExecution[], now: Date): Promise<Taken> {
  for (let tries = 1; ; tries += 1) {
    // What the memory of a job does not know of is looked for only when it turned out to be there.
    const isMemoryTrusted = tries === 1;
    try {
      return await transaction(pool, (connection) => takeIn(connection, providerId, told, { now, isMemoryTrusted }));
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

async function takeIn(
  connection: pg.PoolClient,
  providerId: number,
  told: readonly NewExecution[],
  { now, isMemoryTrusted }: Conditions,
): Promise<Taken> {
  await lockExecutions(connection, providerId);
  const { ofJob, memories, refused } = await sortOut(connection, providerId, told, now);
  const appended: JobNews[] = [];
  const others = new Map<string, Attempt[]>();
  for (const [uid, attempts] of ofJob) {
    const memory = memories.get(uid);
    if (memory === undefined || attempts.length === 0) continue;
    const isAppended = isMemoryTrusted && attempts.every((attempt) => isAfter(memory, attempt));
    if (!isAppended) others.set(uid, attempts);
    else appended.push({ providerId, memory, told: attempts, stored: [], before: memory.baseline });
  }
  const around = await changesAround(connection, providerId, memories, others, isMemoryTrusted);
  const lateRuns = new LateRuns(memories);
  return { ...(await writeChanges(connection, { providerId, around, appended, lateRuns })), refused };
}

/** What was told, by job; what cannot be taken apart. */
async function sortOut(connection: pg.PoolClient, providerId: number, told: readonly NewExecution[], now: Date) {
  const uids = [...new Set(told.map((one) => one.jobInstanceUid))];
  const reading = readMemories(connection, providerId, uids);
  // The database reads the memories while this process cleans what was told. In the order of the keys, neighbours in the
  // indexes are written one after another.
  const ofJob = new Map(uids.sort().map((uid): [string, Attempt[]] => [uid, []]));
  const cleaned = told.map((execution) => impossibility(execution, now) ?? attemptOf(execution));
  const memories = await reading;
  const refused: RefusedExecution[] = [];
  told.forEach((execution, index) => {
    const attempt = memories.has(execution.jobInstanceUid) ? cleaned[index] : 'its job is not known';
    if (attempt === undefined || typeof attempt === 'string') refused.push({ execution, reason: attempt ?? '' });
    else ofJob.get(execution.jobInstanceUid)?.push(attempt);
  });
  return { ofJob, memories, refused };
}

/** Whether a try begins after all that is known of its job and has nothing to do with it. */
function isAfter({ last }: JobMemory, attempt: Attempt): boolean {
  if (last === null) return true;
  if (last.endedAtMs === null || attempt.startedAtMs <= last.endedAtMs) return false;
  return !isRetryOf({ result: last.result, endedAtMs: last.endedAtMs }, attempt);
}

/** Changes of jobs whose told tries lie among known ones. */
async function changesAround(
  connection: pg.PoolClient,
  providerId: number,
  memories: ReadonlyMap<string, JobMemory>,
  told: ReadonlyMap<string, readonly Attempt[]>,
  isMemoryTrusted: boolean,
): Promise<JobChanges[]> {
  const news = await withoutRepetitions(connection, providerId, told);
  const spans = [...news].map(([jobInstanceUid, attempts]) => spanOf(jobInstanceUid, attempts));
  const neighbours = await readNeighbours(connection, providerId, spans);
  const jobs = spans.flatMap((span) => {
    const memory = memories.get(span.jobInstanceUid);
    const stored = neighbours.get(span.jobInstanceUid) ?? [];
    const fromMs = Math.min(span.fromMs, stored[0]?.tries[0].startedAtMs ?? span.fromMs);
    if (memory === undefined) return [];
    const before = isMemoryTrusted ? knownBefore(memory, fromMs) : null;
    return [{ span: { ...span, fromMs }, memory, stored, before }];
  });
  const forgotten = jobs.filter((job) => job.before === null).map((job) => job.span);
  const known = await readKnownRuns(connection, providerId, forgotten);
  return jobs.map(({ span, memory, stored, before }) => {
    const toldOfJob = news.get(span.jobInstanceUid) ?? [];
    const read = known.get(span.jobInstanceUid);
    return changesOf({
      providerId,
      memory,
      told: toldOfJob,
      stored,
      before: before ?? (read === undefined ? NO_RUNS : baselineOf(read)),
    });
  });
}

/** What is left when tries that are stored exactly so are dropped: what a source tells again at every sync. */
async function withoutRepetitions(
  connection: pg.PoolClient,
  providerId: number,
  told: ReadonlyMap<string, readonly Attempt[]>,
): Promise<Map<string, readonly Attempt[]>> {
  const idOf = (uid: string, attempt: Attempt) => executionId(providerId, uid, new Date(attempt.startedAtMs));
  const keys = [...told].flatMap(([uid, attempts]) =>
    attempts.map((attempt) => ({ id: idOf(uid, attempt), startedAtMs: attempt.startedAtMs })),
  );
  const stored = await readExecutions(connection, providerId, keys);
  const isNews = (uid: string) => (attempt: Attempt) => {
    const first = stored.get(idOf(uid, attempt))?.tries[0];
    return first === undefined || !isEqualAttempt(first, retold(first, attempt));
  };
  return new Map(
    [...told]
      .map(([uid, attempts]) => [uid, attempts.filter(isNews(uid))] as const)
      .filter(([, attempts]) => attempts.length > 0),
  );
}

/** Starts that differ by less than a minute may be the same. */
const SPAN_MARGIN_MS = 60_000;

function spanOf(jobInstanceUid: string, attempts: readonly Attempt[]): JobSpan {
  const starts = attempts.map((attempt) => attempt.startedAtMs);
  return {
    jobInstanceUid,
    fromMs: starts.reduce((least, start) => Math.min(least, start)) - SPAN_MARGIN_MS,
    toMs: starts.reduce((most, start) => Math.max(most, start)) + SPAN_MARGIN_MS,
  };
}

/** The successful runs before an instant, as far as the memory has all of them; `null`: they have to be read. */
function knownBefore({ baseline }: JobMemory, fromMs: number): Baseline | null {
  const before = runsBefore(baseline, fromMs);
  return before.count === baseline.count || baseline.count < KNOWN_RUNS_MAX ? before : null;
}
