import { setImmediate } from 'node:timers/promises';
import type { Attempt } from './attempt.ts';
import type { JobMemory } from './job-memory.ts';
import { attemptOf, impossibility, type NewExecution, type RefusedExecution } from './new-execution.ts';
import { isRetryOf } from './retries.ts';
import { changesOf, type JobChanges, type JobNews } from './run-changes.ts';

/** Executions that are judged at a stretch: about a millisecond, in which nothing can be sent to the database. */
const STRETCH_EXECUTIONS = 100;

/** What is told of some jobs, by job, and what is known of these. */
export interface ToldRuns {
  providerId: number;
  told: ReadonlyMap<string, readonly NewExecution[]>;
  memories: ReadonlyMap<string, JobMemory>;
  now: Date;
  /** `false`: there may be runs that the memory of a job does not know of. */
  isMemoryTrusted: boolean;
}

/** What is not among the changes: tries that lie among known ones, by job, and what cannot be taken. */
export interface NotJudged {
  others: Map<string, Attempt[]>;
  refused: RefusedExecution[];
}

/**
 * Judges what is told of jobs after all that is known of them, which needs no look at past executions, and hands the changes over a
 * stretch at a time. In between it lets the process do what else there is to do.
 */
export async function judgeRuns(runs: ToldRuns, add: (changes: JobChanges[]) => void): Promise<NotJudged> {
  const { providerId, told, memories, isMemoryTrusted } = runs;
  const left: NotJudged = { others: new Map(), refused: [] };
  let appended: JobNews[] = [];
  let count = 0;
  for (const [uid, executions] of told) {
    const memory = memories.get(uid);
    const attempts = attemptsOf(runs, executions, memory, left.refused);
    if (memory === undefined || attempts.length === 0) continue;
    const isAppended = isMemoryTrusted && attempts.every((attempt) => isAfter(memory, attempt));
    if (!isAppended) left.others.set(uid, attempts);
    else appended.push({ providerId, memory, told: attempts, stored: [], before: memory.baseline });
    count += attempts.length;
    if (count < STRETCH_EXECUTIONS) continue;
    add(appended.map(changesOf));
    [appended, count] = [[], 0];
    await setImmediate();
  }
  add(appended.map(changesOf));
  return left;
}

/** The tries of a job that can be taken. */
function attemptsOf(
  { now }: ToldRuns,
  executions: readonly NewExecution[],
  memory: JobMemory | undefined,
  refused: RefusedExecution[],
): Attempt[] {
  const attempts: Attempt[] = [];
  for (const execution of executions) {
    const reason = memory === undefined ? 'its job is not known' : impossibility(execution, now);
    if (reason === null) attempts.push(attemptOf(execution));
    else refused.push({ execution, reason });
  }
  return attempts;
}

/** Whether a try begins after all that is known of its job and has nothing to do with it. */
function isAfter({ last }: JobMemory, attempt: Attempt): boolean {
  if (last === null) return true;
  if (last.endedAtMs === null || attempt.startedAtMs <= last.endedAtMs) return false;
  return !isRetryOf({ result: last.result, endedAtMs: last.endedAtMs }, attempt);
}
