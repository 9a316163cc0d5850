import type { Read, SourceExecution, SourceJob, SourceRun } from '../ports/backup-source.ts';
import { indexJobs } from '../ports/jobs-of-name.ts';
import type { VspcClient } from './client.ts';
import type { HeatmapSession } from './heatmap.ts';
import { isInRange, readHeatmap } from './heatmap.ts';
import type { JobMatch } from './jobs/job-match.ts';
import { matchJob } from './jobs/job-match.ts';
import { durationMs } from './run.ts';

/** How far apart a job and the heatmap may show the start of the same run. */
const SAME_RUN_MS_MAX = 60_000;

/**
 * Runs in `range`. The console has no history by job: each job shows its last run, and the heatmap all sessions of a day with
 * the job's name but not its id. So last runs are yielded first (`last-run`); sessions fill the gaps and the past (`history`),
 * as far as they are not one of those last runs. A last run without an end waits for the session that may know it.
 */
export async function* listExecutions(
  client: VspcClient,
  range: { from: Date; to: Date },
  jobs: readonly SourceJob[],
  signal: AbortSignal,
): AsyncIterable<Read<SourceExecution>> {
  const lastRuns = new Map<string, LastRun>();
  for (const job of jobs) {
    if (!job.lastRun || !isInRange(job.lastRun, range)) continue;
    const execution = ofLastRun(job, job.lastRun);
    const isWhole = hasOwnStart(job) && execution.endedAt !== null;
    lastRuns.set(job.externalId, { job, execution, isYielded: isWhole });
    if (isWhole) yield { value: execution };
  }
  const index = indexJobs(jobs);
  for await (const read of readHeatmap(client, range, signal)) {
    if ('failed' in read) yield read;
    else yield* ofSession(read.value, matchJob(index, read.value), lastRuns);
  }
  for (const { job, execution, isYielded } of lastRuns.values()) {
    // What has no start of its own can only be shown from the history; it will be there in a later sync.
    if (!isYielded && hasOwnStart(job)) yield { value: execution };
  }
}

interface LastRun {
  job: SourceJob;
  execution: SourceExecution;
  isYielded: boolean;
}

/** Policies of public clouds show only when a run ended; their last run uses that as its start. */
function hasOwnStart(job: SourceJob): boolean {
  return job.group !== 'public-cloud-vms';
}

/** Nothing for a session that has been yielded as a last run; a last run made whole by it; or else the session. */
function* ofSession(
  session: HeatmapSession,
  match: JobMatch,
  lastRuns: Map<string, LastRun>,
): Iterable<Read<SourceExecution>> {
  const lastRun = removeLastRun(session, match, lastRuns);
  if (lastRun?.isYielded) return;
  if (lastRun && hasOwnStart(lastRun.job)) yield { value: madeWhole(lastRun.execution, session) };
  else if (session.result === null) yield { failed: withoutResult(session) };
  else yield { value: ofHistory(session, session.result, match, lastRun?.execution.log ?? []) };
}

/** Finds the last run that a session is, and removes it: of two sessions close together only one can be it. */
function removeLastRun(
  session: HeatmapSession,
  { candidates }: JobMatch,
  lastRuns: Map<string, LastRun>,
): LastRun | undefined {
  const found = candidates
    .map((job) => lastRuns.get(job.externalId))
    .find((lastRun) => lastRun !== undefined && isSameRun(lastRun, session));
  if (found) lastRuns.delete(found.job.externalId);
  return found;
}

function isSameRun({ job, execution }: LastRun, session: HeatmapSession): boolean {
  const [one, other] = hasOwnStart(job)
    ? [execution.startedAt, session.startedAt]
    : [execution.endedAt, session.endedAt];
  return one !== null && other !== null && Math.abs(one.getTime() - other.getTime()) <= SAME_RUN_MS_MAX;
}

function ofLastRun(job: SourceJob, run: SourceRun): SourceExecution {
  return {
    ...run,
    externalId: `${job.externalId}:${run.startedAt.toISOString()}`,
    jobName: job.name,
    companyExternalId: job.companyExternalId,
    jobExternalId: job.externalId,
    match: 'exact',
    origin: 'last-run',
  };
}

/** A last run with what only the session says. A run that was under way when its job was read may have ended since. */
function madeWhole(execution: SourceExecution, session: HeatmapSession): SourceExecution {
  const hasEnded = session.endedAt !== null && session.result !== null;
  const result = execution.result === 'Running' && hasEnded && session.result ? session.result : execution.result;
  if (result === 'Running') return execution;
  return {
    ...execution,
    result,
    endedAt: execution.endedAt ?? session.endedAt,
    durationMs: execution.durationMs ?? durationMs(session.startedAt, session.endedAt, session.durationS),
    message: execution.message ?? session.message,
  };
}

function ofHistory(
  session: HeatmapSession,
  result: NonNullable<HeatmapSession['result']>,
  { job, match }: JobMatch,
  log: SourceExecution['log'],
): SourceExecution {
  return {
    externalId: session.externalId,
    jobName: session.jobName,
    companyExternalId: session.companyExternalId,
    jobExternalId: job?.externalId ?? null,
    match,
    origin: 'history',
    startedAt: session.startedAt,
    endedAt: session.endedAt,
    result,
    durationMs: durationMs(session.startedAt, session.endedAt, session.durationS),
    transferredBytes: null,
    processedBytes: null,
    processedFiles: null,
    message: session.message,
    log,
  };
}

function withoutResult(session: HeatmapSession) {
  const reason = `the console does not say how the run of "${session.jobName}" ended`;
  return { entity: 'execution', externalId: session.externalId, reason };
}
