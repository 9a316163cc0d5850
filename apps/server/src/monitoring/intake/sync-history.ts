import type { SourceExecution, SourceJob } from '@keepwatch/connectors/ports/backup-source';
import { fillGaps } from '../executions/history-gaps.ts';
import type { NewExecution } from '../executions/new-execution.ts';
import { settleSharedRuns } from '../executions/settle-shared-runs.ts';
import { sharedJobsOf } from '../executions/shared-jobs.ts';
import { findSilences } from '../executions/silences.ts';
import { takeExecutions } from '../executions/take-executions.ts';
import { followSharedJobs } from './follow-shared-jobs.ts';
import {
  joined,
  searchRanges,
  stepsOf,
  type TimeRange,
  toSearch,
  unwatchedRanges,
  within,
  without,
} from './history-ranges.ts';
import { toldLate } from './late-told-runs.ts';
import { type Replaced, replacedJobsOf } from './replaced-jobs.ts';
import { batchesOf, part, type RunningSync } from './running-sync.ts';
import { type NamedJobs, namedJobs, type RunOfShared, runKey, sharedJobOf, takeShared } from './shared-history.ts';
import { jobIdsOf } from './stored-jobs.ts';
import { keepHistoryReadTo } from './stored-source.ts';
import { companyIdsOf } from './sync-companies.ts';
import { type HistoryLeft, saveProgress } from './sync-runs.ts';
import { keepUnmatchedRuns } from './unmatched-runs.ts';

/**
 * Runs that are collected before they are taken. A source tells them by the day; taken job by job, the runs around those of a
 * job are judged again once, and not once a day.
 */
const COLLECTED_MAX = 20_000;
/**
 * Runs that are taken in one transaction. The runs of the past lie among known ones, which are judged anew: several thousands keep
 * the lock of executions for many seconds, and what tools report meanwhile waits for it.
 */
const TAKEN_MAX = 1_000;
/** Runs of the last minutes may carry the time of a clock that is ahead. */
const AHEAD_MS = 5 * 60_000;

/**
 * Reads what is unread of a source's history, newest first, and searches what was read for missed runs. What fails is left for the
 * next sync: a step that cannot be read keeps no other from being searched, and what was read stays to be searched until it is.
 */
export async function readHistory(sync: RunningSync, jobs: readonly SourceJob[], before: HistoryLeft): Promise<void> {
  const left = await readSteps(sync, jobs, before);
  if (left.unsearched.length === 0) return;
  const { services, source, run, report } = sync;
  const searched = await part(sync, 'missed runs', async () => {
    for (const range of searchRanges(left.unsearched, left.unread, run.startedAt))
      await fillGaps(services.database, source, range);
    for (const range of unwatchedRanges(left.unsearched, left.unread, run.startedAt))
      await findSilences(services.database, source, range, run.startedAt);
    return true;
  });
  if (searched !== null) await saveProgress(services.database, run, report, { ...left, unsearched: [] });
}

/** Gives what is left: steps that could not be read, and what is to be searched of those that were. */
async function readSteps(sync: RunningSync, jobs: readonly SourceJob[], before: HistoryLeft): Promise<HistoryLeft> {
  const { services, source, run, report } = sync;
  const named = namedJobs(jobs, await companyIdsOf(services.database, source));
  await followSharedJobs(sync, named);
  const known: KnownJobs = {
    named,
    ids: await jobIdsOf(services.database, source),
    replaced: await replacedJobsOf(services.database, source),
    sharedJobs: await sharedJobsOf(services.database, source),
  };
  const wanted = toSearch(before.unread);
  const unreadFrom = before.unread.at(-1)?.from ?? run.startedAt;
  const late = await toldLate(services.database, source, jobs, unreadFrom);
  // What was watched while it went by is not searched for missed runs again; those that ran take their misses back.
  let left = { ...before, unread: joined([...before.unread, ...late]) };
  for (const step of stepsOf(left.unread)) {
    const isNewest = step.to >= run.startedAt;
    const range = isNewest ? { from: step.from, to: new Date(step.to.getTime() + AHEAD_MS) } : step;
    const read = await part(sync, `history of ${dayText(step.from)}`, async () => {
      await readStep(sync, range, jobs, known);
      return true;
    });
    if (read === null) continue;
    left = {
      unread: without(left.unread, step),
      unsearched: joined([...left.unsearched, ...within([step], wanted)]),
    };
    if (isNewest) await keepHistoryReadTo(services.database, source, run.startedAt);
    await saveProgress(services.database, run, report, left);
  }
  return left;
}

/** The jobs of a source: our ids by theirs, and those in whose place others stand. */
interface KnownJobs {
  ids: ReadonlyMap<string, string>;
  replaced: ReadonlyMap<string, Replaced>;
  /** By name, for runs that say no more. */
  named: NamedJobs;
  /** The shared job of each candidate. */
  sharedJobs: ReadonlyMap<string, string>;
}

async function readStep(
  sync: RunningSync,
  range: TimeRange,
  jobs: readonly SourceJob[],
  known: KnownJobs,
): Promise<void> {
  const { backup, signal } = sync;
  const reported = new Set<string>();
  for await (const batch of batchesOf(sync, backup.listExecutions(range, jobs, signal), COLLECTED_MAX)) {
    const begun = begunRuns(sync, batch);
    await takeMatched(sync, begun, known, reported);
    const { shared, unmatched } = withSharedJobs(begun, known);
    await takeShared(sync, shared, reported);
    await keepUnmatched(sync, begun, unmatched, known);
  }
}

/** The runs of no certain job: those that several jobs may have, with these, and those that fit none. */
function withSharedJobs(batch: readonly SourceExecution[], { named }: KnownJobs) {
  const shared: RunOfShared[] = [];
  const unmatched: SourceExecution[] = [];
  for (const execution of batch) {
    if (execution.jobExternalId !== null) continue;
    const job = sharedJobOf(named, execution);
    if (job === null) unmatched.push(execution);
    else shared.push({ job, run: execution });
  }
  return { shared, unmatched };
}

/**
 * The runs that have begun. One of a clock that is far ahead, or of local time taken for UTC, would stand as the job's last run until
 * its time comes, and hide what happens before: it is left for the sync of that time, whose range has it.
 */
function begunRuns({ report, run }: RunningSync, batch: readonly SourceExecution[]): readonly SourceExecution[] {
  const latestMs = run.startedAt.getTime() + AHEAD_MS;
  const begun = batch.filter(({ startedAt }) => startedAt.getTime() <= latestMs);
  if (begun.length < batch.length) report.count('ahead', batch.length - begun.length);
  return begun;
}

async function takeMatched(
  { services, source, report, run }: RunningSync,
  batch: readonly SourceExecution[],
  known: KnownJobs,
  reported: Set<string>,
): Promise<void> {
  const matched = batch.flatMap((execution) => newExecutionOf(execution, known));
  const ofShared = matched.filter(({ jobInstanceUid }) => known.sharedJobs.has(jobInstanceUid));
  for (const { jobInstanceUid, startedAt } of ofShared) reported.add(runKey(jobInstanceUid, startedAt.getTime()));
  await settleSharedRuns(services.database, source.providerId, ofShared, known.sharedJobs, run.startedAt);
  matched.sort((one, other) => (one.jobInstanceUid < other.jobInstanceUid ? -1 : 1));
  const taken = await takeExecutions(services.database, source.providerId, matched, run.startedAt, TAKEN_MAX);
  report.count('executions', matched.length);
  report.count('executionsAdded', taken.added);
  services.metrics.executionsTaken.inc({ outcome: 'added' }, taken.added);
  services.metrics.executionsTaken.inc({ outcome: 'changed' }, taken.changed);
  services.metrics.executionsTaken.inc({ outcome: 'refused' }, taken.refused.length);
  for (const { execution, reason } of taken.refused)
    report.fail({ entity: 'execution', externalId: execution.jobInstanceUid, reason });
}

function newExecutionOf(execution: SourceExecution, { ids, replaced }: KnownJobs): NewExecution[] {
  const namedUid = execution.jobExternalId === null ? undefined : ids.get(execution.jobExternalId);
  if (namedUid === undefined) return [];
  // Told by its name, a run from before a job was there is one of the job that it replaced.
  const gone = execution.origin === 'history' ? replaced.get(namedUid) : undefined;
  const isOfGone = gone !== undefined && execution.startedAt.getTime() < gone.untilMs;
  const jobInstanceUid = isOfGone ? gone.jobInstanceUid : namedUid;
  const { startedAt, endedAt, result, durationMs, transferredBytes, processedBytes, processedFiles, message, log } =
    execution;
  const amounts = { durationMs, transferredBytes, processedBytes, processedFiles };
  const isDoubtful = execution.match === 'doubtful' || isOfGone;
  return [{ jobInstanceUid, startedAt, endedAt, result, ...amounts, message, log, isDoubtful }];
}

async function keepUnmatched(
  { services, source, report }: RunningSync,
  batch: readonly SourceExecution[],
  unmatched: readonly SourceExecution[],
  { named: { companyIds } }: KnownJobs,
): Promise<void> {
  const matched = batch.filter((execution) => execution.jobExternalId !== null);
  report.count('unmatched', unmatched.length);
  await keepUnmatchedRuns(services.database, source, { unmatched, matched, companyIds });
}

function dayText(at: Date): string {
  return at.toISOString().slice(0, 10);
}
