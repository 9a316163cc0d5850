import { setImmediate } from 'node:timers/promises';
import type { Attempt } from '../runs/attempt.ts';
import { attemptOf, type NewRun, type RefusedRun, rejectionReason } from '../runs/new-run.ts';
import { isRetryOf } from '../runs/retries.ts';
import type { JobState } from '../schedules/job-state.ts';
import { changesOf, type JobChanges, type JobNews } from './run-changes.ts';

/** Executions evaluated without a pause: about a millisecond, in which nothing can be sent to the database. */
const STRETCH_EXECUTIONS = 100;

/** Reported runs by job, and the states of these jobs. */
export interface RunsToEvaluate {
  providerId: number;
  reported: ReadonlyMap<string, readonly NewRun[]>;
  jobStates: ReadonlyMap<string, JobState>;
  now: Date;
  /** `false`: there may be runs that the job state does not include. */
  isStateTrusted: boolean;
}

/** What is not among the changes: attempts between known ones, by job, and refused runs. */
export interface NotEvaluated {
  others: Map<string, Attempt[]>;
  refused: RefusedRun[];
}

/**
 * Evaluates reported runs that come after all known ones of their job, which needs no read of past executions, and
 * passes the changes to `add` in portions. Between portions it yields to the rest of the process.
 */
export async function evaluateRuns(runs: RunsToEvaluate, add: (changes: JobChanges[]) => void): Promise<NotEvaluated> {
  const { providerId, reported, jobStates, isStateTrusted } = runs;
  const left: NotEvaluated = { others: new Map(), refused: [] };
  let appended: JobNews[] = [];
  let count = 0;
  for (const [uid, executions] of reported) {
    const jobState = jobStates.get(uid);
    const attempts = attemptsOf(runs, executions, jobState, left.refused);
    if (jobState === undefined || attempts.length === 0) continue;
    const isAppended = isStateTrusted && attempts.every((attempt) => isAfter(jobState, attempt));
    if (!isAppended) left.others.set(uid, attempts);
    else appended.push({ providerId, jobState, reported: attempts, stored: [], before: jobState.baseline });
    count += attempts.length;
    if (count < STRETCH_EXECUTIONS) continue;
    add(appended.map(changesOf));
    [appended, count] = [[], 0];
    await setImmediate();
  }
  add(appended.map(changesOf));
  return left;
}

/** Returns the valid attempts of a job; adds the other runs to `refused`. */
function attemptsOf(
  { now }: RunsToEvaluate,
  executions: readonly NewRun[],
  jobState: JobState | undefined,
  refused: RefusedRun[],
): Attempt[] {
  const attempts: Attempt[] = [];
  for (const execution of executions) {
    const reason = jobState === undefined ? 'its job is not known' : rejectionReason(execution, now);
    if (reason === null) attempts.push(attemptOf(execution));
    else refused.push({ execution, reason });
  }
  return attempts;
}

/** Whether an attempt begins after all known runs of its job and retries none of them. */
function isAfter({ last }: JobState, attempt: Attempt): boolean {
  if (last === null) return true;
  if (last.endedAtMs === null || attempt.startedAtMs <= last.endedAtMs) return false;
  return !isRetryOf({ result: last.result, endedAtMs: last.endedAtMs }, attempt);
}
