import type { SourceExecution, SourceJob } from '@keepwatch/connectors/ports/backup-source';
import { companyIdsOf } from '../../connections/company-links.ts';
import { settleSharedRuns } from '../../executions/settle-shared-runs.ts';
import { sharedJobsOf } from '../../executions/shared-jobs.ts';
import { ingestRuns } from '../../ingest/ingest-runs.ts';
import type { NewRun } from '../../runs/new-run.ts';
import { fillGaps } from '../../schedules/history-gaps.ts';
import { findStalledJobs } from '../../schedules/stalled-jobs.ts';
import { advanceHistoryReadTo } from '../stored-source.ts';
import { type HistoryLeft, saveProgress } from '../sync-runs.ts';
import { storeUnmatchedRuns } from '../unmatched-runs.ts';
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
import { lateReportedRanges } from './late-reported-runs.ts';
import { type Replaced, replacedJobsOf } from './replaced-jobs.ts';
import { batchesOf, part, type RunningSync } from './running-sync.ts';
import {
  ingestSharedRunsOf,
  type NamedJobs,
  namedJobs,
  type RunOfShared,
  runKey,
  sharedJobOf,
} from './shared-history.ts';
import { jobIdsOf } from './stored-jobs.ts';

/**
 * Number of runs collected before ingestion. A source reports them by day; ingesting them by job evaluates the runs around them once,
 * instead of once per day.
 */
const COLLECTED_MAX = 20_000;
/**
 * Number of runs ingested in one transaction. Past runs make stored ones be evaluated again, so several thousands would hold the lock
 * of executions for many seconds, while reports of tools wait.
 */
const BATCH_MAX = 1_000;
/** Allowance for consoles whose clock is ahead. */
const AHEAD_MS = 5 * 60_000;

/**
 * Reads the unread history of a source, newest first, and searches it for missed runs. A step that cannot be read is left to the next
 * sync and does not stop the search of others. A failed search is left to the next sync too.
 */
export async function readHistory(sync: RunningSync, jobs: readonly SourceJob[], before: HistoryLeft): Promise<void> {
  const left = await readSteps(sync, jobs, before);
  if (left.unsearched.length === 0) return;
  const { services, source, run, report } = sync;
  const searched = await part(sync, 'missed runs', async () => {
    for (const range of searchRanges(left.unsearched, left.unread, run.startedAt))
      await fillGaps(services.database, source, range);
    for (const range of unwatchedRanges(left.unsearched, left.unread, run.startedAt))
      await findStalledJobs(services.database, source, range, run.startedAt);
    return true;
  });
  if (searched !== null) await saveProgress(services.database, run, report, { ...left, unsearched: [] });
}

/** Reads the steps and returns what is left: steps that could not be read, and ranges to search of those that were. */
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
  const notSearched = toSearch(before.unread);
  const unreadFrom = before.unread.at(-1)?.from ?? run.startedAt;
  const late = await lateReportedRanges(services.database, source, jobs, unreadFrom);
  // Ranges of late runs were already searched for missed runs; ingesting the late runs reverses those.
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
      unsearched: joined([...left.unsearched, ...within([step], notSearched)]),
    };
    if (isNewest) await advanceHistoryReadTo(services.database, source, run.startedAt);
    await saveProgress(services.database, run, report, left);
  }
  return left;
}

/** The jobs of a source: ids by external ids, and the jobs that others replaced. */
interface KnownJobs {
  ids: ReadonlyMap<string, string>;
  replaced: ReadonlyMap<string, Replaced>;
  /** By name, for runs reported by name alone. */
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
    await ingestMatched(sync, begun, known, reported);
    const { shared, unmatched } = withSharedJobs(begun, known);
    await ingestSharedRunsOf(sync, shared, reported);
    await storeUnmatched(sync, begun, unmatched, known);
  }
}

/** Separates runs without a certain job into those of shared jobs and those that match none. */
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
 * Returns the runs that have begun. A run in the future, of a clock that is far ahead or in local time instead of UTC, would be the
 * job's last run until then and hide earlier failures. It is left to the sync of that time.
 */
function begunRuns({ report, run }: RunningSync, batch: readonly SourceExecution[]): readonly SourceExecution[] {
  const latestMs = run.startedAt.getTime() + AHEAD_MS;
  const begun = batch.filter(({ startedAt }) => startedAt.getTime() <= latestMs);
  if (begun.length < batch.length) report.count('ahead', batch.length - begun.length);
  return begun;
}

async function ingestMatched(
  { services, source, report, run }: RunningSync,
  batch: readonly SourceExecution[],
  known: KnownJobs,
  reported: Set<string>,
): Promise<void> {
  const matched = batch.flatMap((execution) => newRunOf(execution, known));
  const ofShared = matched.filter(({ jobInstanceUid }) => known.sharedJobs.has(jobInstanceUid));
  for (const { jobInstanceUid, startedAt } of ofShared) reported.add(runKey(jobInstanceUid, startedAt.getTime()));
  await settleSharedRuns(services.database, source.providerId, ofShared, known.sharedJobs, run.startedAt);
  matched.sort((one, other) => (one.jobInstanceUid < other.jobInstanceUid ? -1 : 1));
  const ingested = await ingestRuns(services.database, source.providerId, matched, run.startedAt, BATCH_MAX);
  report.count('executions', matched.length);
  report.count('executionsAdded', ingested.added);
  services.metrics.runsIngested.inc({ outcome: 'added' }, ingested.added);
  services.metrics.runsIngested.inc({ outcome: 'changed' }, ingested.changed);
  services.metrics.runsIngested.inc({ outcome: 'refused' }, ingested.refused.length);
  for (const { execution, reason } of ingested.refused)
    report.fail({ entity: 'execution', externalId: execution.jobInstanceUid, reason });
}

function newRunOf(execution: SourceExecution, { ids, replaced }: KnownJobs): NewRun[] {
  const namedUid = execution.jobExternalId === null ? undefined : ids.get(execution.jobExternalId);
  if (namedUid === undefined) return [];
  // A run reported by name that is older than its job belongs to the job that this one replaced.
  const gone = execution.origin === 'history' ? replaced.get(namedUid) : undefined;
  const isOfGone = gone !== undefined && execution.startedAt.getTime() < gone.untilMs;
  const jobInstanceUid = isOfGone ? gone.jobInstanceUid : namedUid;
  const { startedAt, endedAt, result, durationMs, transferredBytes, processedBytes, processedFiles, message, log } =
    execution;
  const amounts = { durationMs, transferredBytes, processedBytes, processedFiles };
  const isDoubtful = execution.match === 'doubtful' || isOfGone;
  return [{ jobInstanceUid, startedAt, endedAt, result, ...amounts, message, log, isDoubtful }];
}

async function storeUnmatched(
  { services, source, report }: RunningSync,
  batch: readonly SourceExecution[],
  unmatched: readonly SourceExecution[],
  { named: { companyIds } }: KnownJobs,
): Promise<void> {
  const matched = batch.filter((execution) => execution.jobExternalId !== null);
  report.count('unmatched', unmatched.length);
  await storeUnmatchedRuns(services.database, source, { unmatched, matched, companyIds });
}

function dayText(at: Date): string {
  return at.toISOString().slice(0, 10);
}
