import type { Anomaly } from '@keepwatch/contract/monitoring/values';
import { anomaliesOf } from './anomalies.ts';
import { type Attempt, isEqualAttempt } from './attempt.ts';
import { type Baseline, KNOWN_RUNS_MAX, type KnownRun, startsOf, withRun } from './baseline.ts';
import { executionId } from './execution-id.ts';
import { joinedNotes } from './execution-notes.ts';
import { type Execution, firstState, type Work } from './execution-rows.ts';
import { type JobMemory, remembering } from './job-memory.ts';
import { lastTry, runsOf, type Tries, withAttempts } from './retries.ts';

/** What is told of one job, beside what is known of the time around it. */
export interface JobNews {
  providerId: number;
  memory: JobMemory;
  told: readonly Attempt[];
  /** The stored runs from the one before the told ones on: all of them, or up to the 30th success after the told ones. */
  stored: readonly Execution[];
  /** The successful runs before all of these. */
  before: Baseline;
}

/** What is to be written. */
export interface JobChanges {
  added: Execution[];
  changed: { before: Execution; after: Execution }[];
  removed: Execution[];
  memory: JobMemory;
}

/**
 * Puts tries on what is known of a job: collapses retries, judges every run by those before it, and says what that changes.
 * The outcome depends on all that was ever told and not on its order: runs around a late one are grouped and judged again.
 */
export function changesOf(news: JobNews): JobChanges {
  const attempts = withAttempts(
    news.stored.flatMap((execution) => execution.tries),
    news.told,
  );
  const runs = runsOf(attempts);
  const storedByStart = new Map(news.stored.map((execution) => [execution.tries[0].startedAtMs, execution]));
  const changes: JobChanges = { added: [], changed: [], removed: [], memory: news.memory };
  const inherited = inheritedFrom(news, runs);
  const executions: Execution[] = [];
  let known = news.before;
  for (const tries of runs) {
    const after = judged(news, tries, known, storedByStart, inherited);
    executions.push(after);
    const last = lastTry(tries);
    if (last.result === 'Success') known = withRun(known, knownOf(tries));
    place(changes, storedByStart.get(tries[0].startedAtMs), after, inherited.has(after.id));
    storedByStart.delete(tries[0].startedAtMs);
  }
  changes.removed.push(...storedByStart.values());
  changes.memory = memoryAfter(news, executions, known);
  return changes;
}

/** A run as later ones are judged by it: by its last try, the others did not do the work. */
function knownOf(tries: Tries): KnownRun {
  const { durationMs, transferredBytes, sizeBytes } = lastTry(tries);
  return { startedAtMs: tries[0].startedAtMs, durationMs, transferredBytes, sizeBytes };
}

function judged(
  { providerId, memory }: JobNews,
  tries: Tries,
  known: Baseline,
  storedByStart: ReadonlyMap<number, Execution>,
  inherited: ReadonlyMap<string, Execution>,
): Execution {
  const stored = storedByStart.get(tries[0].startedAtMs);
  const id = stored?.id ?? executionId(providerId, memory.jobInstanceUid, new Date(tries[0].startedAtMs));
  const anomalies = anomaliesIn(tries, known);
  return {
    id,
    jobInstanceUid: memory.jobInstanceUid,
    companyId: stored === undefined ? memory.companyId : stored.companyId,
    sourceGroup: stored?.sourceGroup ?? memory.sourceGroup,
    tries,
    anomalies,
    work: workAfter(inherited.get(id) ?? stored, tries, anomalies),
  };
}

/** Only runs that did their work have values to compare. */
function anomaliesIn(tries: Tries, known: Baseline): readonly Anomaly[] {
  const { result, signs } = lastTry(tries);
  if (result !== 'Success' && result !== 'Warning') return signs;
  const odd = anomaliesOf(knownOf(tries), known);
  return odd.length === 0 ? signs : [...odd, ...signs];
}

/**
 * The state follows the result as long as it is the one the run began with: what anybody has made of it stays. Only what was
 * made of a run while it was running says nothing of how it ended: then the state starts anew, and notes stay.
 */
export function workAfter(stored: Execution | undefined, tries: Tries, anomalies: readonly Anomaly[]): Work {
  const state = firstState(lastTry(tries).result, anomalies);
  const untouched = { state, ignoredUntil: null, notes: null, changedBy: null, changedByName: null, changedAt: null };
  if (stored === undefined) return untouched;
  if (hasEnded(stored, tries)) return { ...untouched, notes: stored.work.notes };
  const isUntouched =
    stored.work.changedBy === null && stored.work.state === firstState(lastTry(stored.tries).result, stored.anomalies);
  return isUntouched ? { ...stored.work, state } : stored.work;
}

function hasEnded(stored: Execution, tries: Tries): boolean {
  return lastTry(stored.tries).result === 'Running' && lastTry(tries).result !== 'Running';
}

/**
 * Runs on which people worked and which turned out to be a later try of another one: by the id of that one. It takes their work
 * over as its own, so that what was made of a try while it ran says nothing of how the whole run ended.
 */
function inheritedFrom(
  { providerId, memory, stored }: JobNews,
  runs: readonly Tries[],
): ReadonlyMap<string, Execution> {
  const inherited = new Map<string, Execution>();
  for (const execution of stored.filter(isWorkedOn)) {
    const startedAtMs = execution.tries[0].startedAtMs;
    const heir = runs.find((tries) => tries.some((attempt) => attempt.startedAtMs === startedAtMs));
    if (heir === undefined || heir[0].startedAtMs === startedAtMs) continue;
    const id = executionId(providerId, memory.jobInstanceUid, new Date(heir[0].startedAtMs));
    const own = inherited.get(id) ?? stored.find((other) => other.id === id);
    inherited.set(id, own === undefined ? execution : withWorkOf(own, execution));
  }
  return inherited;
}

/** A run with what people made of it and of another one: the state that the first of them was given, and the notes of both. */
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
    // An update leaves people's work alone; here it moves, so the row is written anew.
    changes.removed.push(before);
    changes.added.push(after);
  } else if (!isEqual(before, after)) changes.changed.push({ before, after });
}

function isEqual(before: Execution, after: Execution): boolean {
  return (
    before.work.state === after.work.state &&
    before.anomalies.join() === after.anomalies.join() &&
    before.tries.length === after.tries.length &&
    before.tries.every((attempt, index) => {
      const other = after.tries[index];
      return other !== undefined && (other === attempt || isEqualAttempt(attempt, other));
    })
  );
}

function memoryAfter(news: JobNews, executions: readonly Execution[], known: Baseline): JobMemory {
  const { memory, stored, told } = news;
  const lastSuccessAtMs = lastSuccessAfter(news, executions);
  if (!reachesTheNewest(stored, told)) return remembering(memory, { ...memory, lastSuccessAtMs });
  const newest = executions.at(-1);
  if (newest === undefined) return memory;
  const { endedAtMs, result } = lastTry(newest.tries);
  const last = { id: newest.id, startedAtMs: newest.tries[0].startedAtMs, endedAtMs, result };
  return remembering(memory, { last, lastSuccessAtMs, baseline: known });
}

/**
 * When the job last succeeded, `null` when it never did. A run that was told as a success may turn out to be none: then it is the one
 * before, of which the baseline knows when it began.
 */
function lastSuccessAfter({ memory, stored, before }: JobNews, executions: readonly Execution[]): number | null {
  const was = memory.lastSuccessAtMs;
  const isWas = (execution: Execution) => successEnd(execution) === was;
  const isTakenBack = was !== null && stored.some(isWas) && !executions.some(isWas);
  let last = isTakenBack ? (startsOf(before).at(-1) ?? null) : was;
  for (const execution of executions) {
    const end = successEnd(execution);
    if (end !== null) last = Math.max(last ?? 0, end);
  }
  return last;
}

function successEnd({ tries }: Execution): number | null {
  const { result, endedAtMs, startedAtMs } = lastTry(tries);
  return result === 'Success' ? (endedAtMs ?? startedAtMs) : null;
}

/** Thirty successes after all that was told: the job's memory consists of these, and nothing told reaches it. */
function reachesTheNewest(stored: readonly Execution[], told: readonly Attempt[]): boolean {
  if (stored.length === 0) return true;
  const newestToldMs = told.reduce((newest, attempt) => Math.max(newest, attempt.startedAtMs), 0);
  const after = stored.filter(
    ({ tries }) => tries[0].startedAtMs > newestToldMs && lastTry(tries).result === 'Success',
  );
  return after.length < KNOWN_RUNS_MAX;
}
