import type { SourceExecution, SourceJob } from '@keepwatch/connectors/ports/backup-source';
import { indexJobs, type JobIndex, jobsOfName } from '@keepwatch/connectors/ports/jobs-of-name';
import type pg from 'pg';
import type { CompanyIds } from '../../connections/company-links.ts';
import { type CandidateAttempt, pairSameRuns, readCandidateAttempts } from '../../executions/candidate-runs.ts';
import { ensureSharedJobs, type SharedJob, sharedJobId } from '../../executions/shared-jobs.ts';
import { ingestSharedRuns, readSharedRuns, type SharedRun, sharedRunId } from '../../executions/shared-runs.ts';
import { ingestInTransaction } from '../../ingest/ingest-runs.ts';
import { cleanText } from '../../runs/execution-log.ts';
import type { NewRun } from '../../runs/new-run.ts';
import { removeUnmatchedRuns } from '../unmatched-runs.ts';
import type { RunningSync } from './running-sync.ts';

/** Number of runs ingested in one transaction. */
const BATCH_MAX = 1_000;
const NAME_LENGTH_MAX = 500;

/** The jobs of a source, to match a history that reports runs by name alone. */
export interface NamedJobs {
  index: JobIndex;
  companyIds: CompanyIds;
}

export function namedJobs(jobs: readonly SourceJob[], companyIds: CompanyIds): NamedJobs {
  return { index: indexJobs(jobs), companyIds };
}

/** Returns the shared job of a name; `null` if fewer than two jobs have the name or its company is unknown. */
export function sharedJobOf(
  { index, companyIds }: NamedJobs,
  { jobName, companyExternalId }: Pick<SourceExecution, 'jobName' | 'companyExternalId'>,
): SharedJob | null {
  const candidates = jobsOfName(index, companyExternalId, jobName);
  const companyId = companyExternalId === null ? null : companyIds.get(companyExternalId);
  const [first] = candidates;
  if (first === undefined || candidates.length < 2 || companyId === undefined) return null;
  return {
    companyId,
    name: cleanText(jobName, NAME_LENGTH_MAX),
    sourceGroup: first.group,
    candidates: candidates.map((job) => job.externalId),
  };
}

/** A run with its shared job. */
export interface RunOfShared {
  job: SharedJob;
  run: Omit<SharedRun, 'jobInstanceUid'>;
}

/**
 * Ingests runs of shared jobs, except those already stored for one of the candidates: a console reports the last run of a job with the
 * job, and later the same run by name. `reported` are runs that the same reading reported with a candidate, so they are other runs.
 */
export async function ingestSharedRunsOf(
  sync: RunningSync,
  runs: readonly RunOfShared[],
  reported: ReadonlySet<string>,
): Promise<void> {
  const { services, source, run, report } = sync;
  const sorted = [...runs].sort((one, other) => one.run.startedAt.getTime() - other.run.startedAt.getTime());
  for (let at = 0; at < sorted.length; at += BATCH_MAX) {
    const batch = sorted.slice(at, at + BATCH_MAX);
    const ingested = await ingestInTransaction(
      services.database,
      source.providerId,
      run.startedAt,
      async (connection, ingest) => {
        await ensureSharedJobs(connection, source, jobsIn(batch), run.startedAt);
        const { unknown, continued } = await withoutKnown(connection, sync, batch, reported);
        if (continued.length > 0) await ingest(continued);
        await removeUnmatchedRuns(
          connection,
          source,
          batch.map((shared) => shared.run.externalId),
        );
        return ingestSharedRuns(connection, source.providerId, unknown.runs, unknown.stored, run.startedAt);
      },
    );
    report.count('executions', batch.length);
    report.count('executionsAdded', ingested.added);
    report.count('shared', batch.length);
    services.metrics.runsIngested.inc({ outcome: 'added' }, ingested.added);
    services.metrics.runsIngested.inc({ outcome: 'changed' }, ingested.changed);
    services.metrics.runsIngested.inc({ outcome: 'refused' }, ingested.refused.length);
    for (const { execution, reason } of ingested.refused)
      report.fail({ entity: 'execution', externalId: execution.jobInstanceUid, reason });
  }
}

function jobsIn(batch: readonly RunOfShared[]): SharedJob[] {
  return [...new Map(batch.map(({ job }) => [JSON.stringify([job.companyId, job.name]), job])).values()];
}

/** Returns a key that identifies a run by job and start. */
export function runKey(jobInstanceUid: string, startedAtMs: number): string {
  return `${jobInstanceUid}@${startedAtMs}`;
}

/** Separates runs that no candidate is known to have from reports of how a candidate's running run ended. */
async function withoutKnown(
  connection: pg.PoolClient,
  { source }: RunningSync,
  batch: readonly RunOfShared[],
  reported: ReadonlySet<string>,
): Promise<{
  unknown: { runs: SharedRun[]; stored: Awaited<ReturnType<typeof readSharedRuns>> };
  continued: NewRun[];
}> {
  const { providerId } = source;
  const runs = batch.map(({ job, run }): SharedRun => ({ ...run, jobInstanceUid: sharedJobId(source, job) }));
  const stored = await readSharedRuns(connection, providerId, runs);
  const starts = runs.map((run) => run.startedAt.getTime());
  const span = { fromMs: Math.min(...starts), toMs: Math.max(...starts) };
  const uids = [...new Set(runs.map((run) => run.jobInstanceUid))];
  const attempts = (await readCandidateAttempts(connection, providerId, uids, span)).filter(
    (attempt) => !reported.has(runKey(attempt.jobInstanceUid, attempt.startedAtMs)),
  );
  const fresh = runs.filter((run) => !stored.has(sharedRunId(providerId, run)));
  const known = knownRuns(fresh, attempts);
  return {
    unknown: { runs: runs.filter((run) => !known.has(run)), stored },
    continued: [...known].flatMap(([{ externalId: _, ...run }, { jobInstanceUid, startedAtMs, result }]) =>
      result === 'Running' ? [{ ...run, jobInstanceUid, startedAt: new Date(startedAtMs) }] : [],
    ),
  };
}

function knownRuns(
  runs: readonly SharedRun[],
  attempts: readonly CandidateAttempt[],
): ReadonlyMap<SharedRun, CandidateAttempt> {
  const known = new Map<SharedRun, CandidateAttempt>();
  const ofJob = Map.groupBy(runs, (run) => run.jobInstanceUid);
  const attemptsOf = Map.groupBy(attempts, (attempt) => attempt.sharedJob);
  for (const [uid, fresh] of ofJob) {
    const starting = fresh.map((run) => ({ run, startedAtMs: run.startedAt.getTime(), result: run.result }));
    for (const [{ run }, attempt] of pairSameRuns(starting, attemptsOf.get(uid) ?? [])) known.set(run, attempt);
  }
  return known;
}
