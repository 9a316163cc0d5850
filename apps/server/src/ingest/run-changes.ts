import type { Anomaly } from '@keepwatch/contract/runs/values';
import { anomaliesOf } from '../runs/anomalies.ts';
import { type Attempt, isEqualAttempt } from '../runs/attempt.ts';
import { type Baseline, KNOWN_RUNS_MAX, type KnownRun, startsOf, withRun } from '../runs/baseline.ts';
import { executionId } from '../runs/execution-id.ts';
import { joinedNotes } from '../runs/execution-notes.ts';
import { type Attempts, lastAttempt, runsOf, withAttempts } from '../runs/retries.ts';
import { type Execution, firstState, isFineExecution, type Work } from '../runs/rows/execution-rows.ts';
import { type JobState, jobStateAfterRuns, type LastRun } from '../schedules/job-state.ts';

/** What is reported of one job, with what is known of the time around it. */
export interface JobNews {
  providerId: number;
  jobState: JobState;
  reported: readonly Attempt[];
  /**
   * The stored runs from the one before the reported ones on: all of them, or up to the 30th success after the reported
   * ones.
   */
  stored: readonly Execution[];
  /** The successful runs before all of these. */
  before: Baseline;
}

/** What is to be written. */
export interface JobChanges {
  added: Execution[];
  changed: { before: Execution; after: Execution }[];
  removed: Execution[];
  jobState: JobState;
  /** All of it comes after a run that needs no attention, and after every missed run. */
  isAfterFine: boolean;
}

/**
 * Merges attempts into what is known of a job: collapses retries, evaluates every run by those before it, and returns
 * what that changes. The outcome depends on everything ever reported and not on its order: runs around a late one are
 * grouped and evaluated again.
 */
export function changesOf(news: JobNews): JobChanges {
  const merged = withAttempts(
    news.stored.flatMap((execution) => execution.attempts),
    news.reported,
  );
  const runs = runsOf(merged);
  const storedByStart = new Map(news.stored.map((execution) => [execution.attempts[0].startedAtMs, execution]));
  const changes: JobChanges = {
    added: [],
    changed: [],
    removed: [],
    jobState: news.jobState,
    isAfterFine: isAfterFine(news),
  };
  const inherited = inheritedFrom(news, runs);
  const executions: Execution[] = [];
  let known = news.before;
  for (const attempts of runs) {
    const after = evaluated(news, attempts, known, storedByStart, inherited);
    executions.push(after);
    const last = lastAttempt(attempts);
    if (last.result === 'Success') known = withRun(known, knownOf(attempts));
    place(changes, storedByStart.get(attempts[0].startedAtMs), after, inherited.has(after.id));
    storedByStart.delete(attempts[0].startedAtMs);
  }
  changes.removed.push(...storedByStart.values());
  changes.jobState = jobStateAfter(news, executions, known);
  return changes;
}

function isAfterFine({ jobState: { last, lastMissedMs }, stored, reported }: JobNews): boolean {
  if (last === null || !last.isFine || stored.length > 0) return false;
  const isAfter = ({ startedAtMs }: Attempt) => startedAtMs > last.startedAtMs;
  return reported.every(isAfter) && (lastMissedMs === null || lastMissedMs < last.startedAtMs);
}

/**
 * Returns the values that later runs are compared with: those of the last attempt, as the others did not do the work.
 */
function knownOf(attempts: Attempts): KnownRun {
  const { durationMs, transferredBytes, sizeBytes } = lastAttempt(attempts);
  return { startedAtMs: attempts[0].startedAtMs, durationMs, transferredBytes, sizeBytes };
}

function evaluated(
  { providerId, jobState }: JobNews,
  attempts: Attempts,
  known: Baseline,
  storedByStart: ReadonlyMap<number, Execution>,
  inherited: ReadonlyMap<string, Execution>,
): Execution {
  const stored = storedByStart.get(attempts[0].startedAtMs);
  const id = stored?.id ?? executionId(providerId, jobState.jobInstanceUid, new Date(attempts[0].startedAtMs));
  const anomalies = anomaliesIn(attempts, known);
  return {
    id,
    jobInstanceUid: jobState.jobInstanceUid,
    companyId: stored === undefined ? jobState.companyId : stored.companyId,
    sourceGroup: stored?.sourceGroup ?? jobState.sourceGroup,
    attempts,
    anomalies,
    work: workAfter(inherited.get(id) ?? stored, attempts, anomalies),
  };
}

/** Only runs that did their work have values to compare. */
function anomaliesIn(attempts: Attempts, known: Baseline): readonly Anomaly[] {
  const { result, signs } = lastAttempt(attempts);
  if (result !== 'Success' && result !== 'Warning') return signs;
  const odd = anomaliesOf(knownOf(attempts), known);
  return odd.length === 0 ? signs : [...odd, ...signs];
}

/**
 * Returns the state and notes of a run after a report. The state follows the result until a person or another process
 * changes it. A change made while the run was running says nothing about how it ended: then the state is reset, and
 * only the notes stay.
 */
export function workAfter(stored: Execution | undefined, attempts: Attempts, anomalies: readonly Anomaly[]): Work {
  const state = firstState(lastAttempt(attempts).result, anomalies);
  const untouched = { state, ignoredUntil: null, notes: null, changedBy: null, changedByName: null, changedAt: null };
  if (stored === undefined) return untouched;
  if (hasEnded(stored, attempts)) return { ...untouched, notes: stored.work.notes };
  const isUntouched =
    stored.work.changedBy === null &&
    stored.work.state === firstState(lastAttempt(stored.attempts).result, stored.anomalies);
  return isUntouched ? { ...stored.work, state } : stored.work;
}

function hasEnded(stored: Execution, attempts: Attempts): boolean {
  return lastAttempt(stored.attempts).result === 'Running' && lastAttempt(attempts).result !== 'Running';
}

/**
 * Finds runs that people edited and that turned out to be a later attempt of another one, by the id of that one. It
 * takes over their edits as its own, so that edits made while an attempt ran say nothing about how the whole run ended.
 */
function inheritedFrom(
  { providerId, jobState, stored }: JobNews,
  runs: readonly Attempts[],
): ReadonlyMap<string, Execution> {
  const inherited = new Map<string, Execution>();
  for (const execution of stored.filter(isWorkedOn)) {
    const startedAtMs = execution.attempts[0].startedAtMs;
    const heir = runs.find((attempts) => attempts.some((attempt) => attempt.startedAtMs === startedAtMs));
    if (heir === undefined || heir[0].startedAtMs === startedAtMs) continue;
    const id = executionId(providerId, jobState.jobInstanceUid, new Date(heir[0].startedAtMs));
    const own = inherited.get(id) ?? stored.find((other) => other.id === id);
    inherited.set(id, own === undefined ? execution : withWorkOf(own, execution));
  }
  return inherited;
}

/** Returns a run with the edits of both: the state that was set on the first of them, and the notes of both. */
function withWorkOf(one: Execution, other: Execution): Execution {
  const isOther = one.work.changedBy === null && (other.work.changedBy !== null || one.work.notes === null);
  const first = isOther ? other : one;
  return { ...first, work: { ...first.work, notes: joinedNotes(one.work.notes, other.work.notes) } };
}

function isWorkedOn({ work }: Execution): boolean {
  return work.changedBy !== null || work.notes !== null;
}

function place(changes: JobChanges, before: Execution | undefined, after: Execution, isInheriting: boolean): void {
  if (before === undefined) changes.added.push(after);
  else if (isInheriting) {
    // An update never changes people's edits; here they move, so the row is written again.
    changes.removed.push(before);
    changes.added.push(after);
  } else if (!isEqual(before, after)) changes.changed.push({ before, after });
}

function isEqual(before: Execution, after: Execution): boolean {
  return (
    before.work.state === after.work.state &&
    before.anomalies.join() === after.anomalies.join() &&
    before.attempts.length === after.attempts.length &&
    before.attempts.every((attempt, index) => {
      const other = after.attempts[index];
      return other !== undefined && (other === attempt || isEqualAttempt(attempt, other));
    })
  );
}

function jobStateAfter(news: JobNews, executions: readonly Execution[], known: Baseline): JobState {
  const { jobState, stored, reported } = news;
  const lastSuccessAtMs = lastSuccessAfter(news, executions);
  if (!reachesTheNewest(stored, reported))
    return jobStateAfterRuns(jobState, {
      ...jobState,
      last: evaluatedAgain(jobState.last, executions),
      lastSuccessAtMs,
    });
  const newest = executions.at(-1);
  if (newest === undefined) return jobState;
  const { endedAtMs, result } = lastAttempt(newest.attempts);
  const last = {
    id: newest.id,
    startedAtMs: newest.attempts[0].startedAtMs,
    endedAtMs,
    result,
    isFine: isFineExecution(newest),
  };
  return jobStateAfterRuns(jobState, { last, lastSuccessAtMs, baseline: known });
}

/** The newest run may be the last of those that were compared again: a late run before it makes another one of it. */
function evaluatedAgain(last: LastRun | null, executions: readonly Execution[]): LastRun | null {
  const same = executions.find(({ id }) => id === last?.id);
  return last === null || same === undefined ? last : { ...last, isFine: isFineExecution(same) };
}

/**
 * Returns when the job last succeeded, `null` when it never did. A run that was reported as a success may turn out to
 * be none: then it is the one before, whose start is in the baseline.
 */
function lastSuccessAfter({ jobState, stored, before }: JobNews, executions: readonly Execution[]): number | null {
  const was = jobState.lastSuccessAtMs;
  const isWas = (execution: Execution) => successEnd(execution) === was;
  const isReversed = was !== null && stored.some(isWas) && !executions.some(isWas);
  let last = isReversed ? (startsOf(before).at(-1) ?? null) : was;
  for (const execution of executions) {
    const end = successEnd(execution);
    if (end !== null) last = Math.max(last ?? 0, end);
  }
  return last;
}

function successEnd({ attempts }: Execution): number | null {
  const { result, endedAtMs, startedAtMs } = lastAttempt(attempts);
  return result === 'Success' ? (endedAtMs ?? startedAtMs) : null;
}

/**
 * Whether the reported runs affect the job state. They do not after 30 later successes, which are the whole baseline.
 */
function reachesTheNewest(stored: readonly Execution[], reported: readonly Attempt[]): boolean {
  if (stored.length === 0) return true;
  const newestReportedMs = reported.reduce((newest, attempt) => Math.max(newest, attempt.startedAtMs), 0);
  const after = stored.filter(
    ({ attempts }) => attempts[0].startedAtMs > newestReportedMs && lastAttempt(attempts).result === 'Success',
  );
  return after.length < KNOWN_RUNS_MAX;
}
