import type { SourceExecution, SourceJob } from '@keepwatch/connectors/ports/backup-source';
import { fillGaps } from '../executions/history-gaps.ts';
import type { NewExecution } from '../executions/new-execution.ts';
import { findSilences } from '../executions/silences.ts';
import { takeExecutions } from '../executions/take-executions.ts';
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
  const known: KnownJobs = {
    ids: await jobIdsOf(services.database, source),
    replaced: await replacedJobsOf(services.database, source),
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
}

async function readStep(
  sync: RunningSync,
  range: TimeRange,
  jobs: readonly SourceJob[],
  known: KnownJobs,
): Promise<void> {
  const { backup, signal } = sync;
  for await (const batch of batchesOf(sync, backup.listExecutions(range, jobs, signal), COLLECTED_MAX)) {
    const begun = begunRuns(sync, batch);
    await takeMatched(sync, begun, known);
    await keepUnmatched(sync, begun);
  }
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
): Promise<void> {
  const matched = batch.flatMap((execution) => newExecutionOf(execution, known));
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
): Promise<void> {
  const unmatched = batch.filter((execution) => execution.jobExternalId === null);
  const matched = batch.filter((execution) => execution.jobExternalId !== null);
  report.count('unmatched', unmatched.length);
  const companyIds = unmatched.length > 0 ? await companyIdsOf(services.database, source) : new Map();
  await keepUnmatchedRuns(services.database, source, { unmatched, matched, companyIds });
}

function dayText(at: Date): string {
  return at.toISOString().slice(0, 10);
}
