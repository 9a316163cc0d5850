import type { SourceExecution, SourceJob } from '@keepwatch/connectors/ports/backup-source';
import { indexJobs, type JobIndex, jobsOfName } from '@keepwatch/connectors/ports/jobs-of-name';
import type pg from 'pg';
import { type CandidateAttempt, pairSameRuns, readCandidateAttempts } from '../executions/candidate-runs.ts';
import { cleanText } from '../executions/execution-log.ts';
import type { NewExecution } from '../executions/new-execution.ts';
import { ensureSharedJobs, type SharedJob, sharedJobId } from '../executions/shared-jobs.ts';
import { readSharedRuns, type SharedRun, sharedRunId, takeSharedRuns } from '../executions/shared-runs.ts';
import { takeTogether } from '../executions/take-executions.ts';
import type { RunningSync } from './running-sync.ts';
import { removeUnmatchedRuns } from './unmatched-runs.ts';

/** Runs that are ingested in one transaction. */
const TAKEN_MAX = 1_000;
const NAME_LENGTH_MAX = 500;

/** The jobs of a source as a history that reports runs by name alone is matched with. */
export interface NamedJobs {
  index: JobIndex;
  companyIds: ReadonlyMap<string, string>;
}

export function namedJobs(jobs: readonly SourceJob[], companyIds: ReadonlyMap<string, string>): NamedJobs {
  return { index: indexJobs(jobs), companyIds };
}

/** The shared job of a name; `null` where fewer than two jobs have it, or its company is not known here. */
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

/** A run and the shared job that it is of. */
export interface RunOfShared {
  job: SharedJob;
  run: Omit<SharedRun, 'jobInstanceUid'>;
}

/**
 * Ingests runs of shared jobs. One that is stored as a run of one of the jobs already is none: a console shows the last run of a job
 * by the job, and later the same run by its name. `reported` are runs of jobs that the same reading has yielded beside them: these
 * are other runs.
 */
export async function takeShared(
  sync: RunningSync,
  runs: readonly RunOfShared[],
  reported: ReadonlySet<string>,
): Promise<void> {
  const { services, source, run, report } = sync;
  const sorted = [...runs].sort((one, other) => one.run.startedAt.getTime() - other.run.startedAt.getTime());
  for (let at = 0; at < sorted.length; at += TAKEN_MAX) {
    const batch = sorted.slice(at, at + TAKEN_MAX);
    const taken = await takeTogether(services.database, source.providerId, run.startedAt, async (connection, take) => {
      await ensureSharedJobs(connection, source, jobsIn(batch), run.startedAt);
      const { unknown, continued } = await withoutKnown(connection, sync, batch, reported);
      if (continued.length > 0) await take(continued);
      await removeUnmatchedRuns(
        connection,
        source,
        batch.map((shared) => shared.run.externalId),
      );
      return takeSharedRuns(connection, source.providerId, unknown.runs, unknown.stored, run.startedAt);
    });
    report.count('executions', batch.length);
    report.count('executionsAdded', taken.added);
    report.count('shared', batch.length);
    services.metrics.executionsTaken.inc({ outcome: 'added' }, taken.added);
    services.metrics.executionsTaken.inc({ outcome: 'changed' }, taken.changed);
    services.metrics.executionsTaken.inc({ outcome: 'refused' }, taken.refused.length);
    for (const { execution, reason } of taken.refused)
      report.fail({ entity: 'execution', externalId: execution.jobInstanceUid, reason });
  }
}

function jobsIn(batch: readonly RunOfShared[]): SharedJob[] {
  return [...new Map(batch.map(({ job }) => [JSON.stringify([job.companyId, job.name]), job])).values()];
}

/** What distinguishes one run of a job from another. */
export function runKey(jobInstanceUid: string, startedAtMs: number): string {
  return `${jobInstanceUid}@${startedAtMs}`;
}

/** The runs that are of no candidate as far as is known, and those that say how a candidate's running one ended. */
async function withoutKnown(
  connection: pg.PoolClient,
  { source }: RunningSync,
  batch: readonly RunOfShared[],
  reported: ReadonlySet<string>,
): Promise<{
  unknown: { runs: SharedRun[]; stored: Awaited<ReturnType<typeof readSharedRuns>> };
  continued: NewExecution[];
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
