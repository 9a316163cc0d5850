import type { SourceResult } from '@keepwatch/connectors/ports/backup-source';
import { jobsOfName } from '@keepwatch/connectors/ports/jobs-of-name';
import { sql } from 'drizzle-orm';
import { linkJoin } from '../../connections/company-links.ts';
import { asRunOf, lockRuns, moveSharedRuns, type RunKey, sortedByRoom } from '../../executions/move-shared-runs.ts';
import { dropEmptySharedJobs, ensureSharedJobs } from '../../executions/shared-jobs.ts';
import { type Connection, rows, transaction } from '../../foundation/database.ts';
import { ingestInTransaction } from '../../ingest/ingest-runs.ts';
import { JOB_EXECUTIONS } from '../../runs/job-executions.ts';
import { JOBS } from '../../runs/jobs.ts';
import { millisecondsOf } from '../../runs/rows/column-arrays.ts';
import { lockExecutions } from '../../schedules/job-state.ts';
import { part, type RunningSync } from './running-sync.ts';
import { ingestSharedRunsOf, type NamedJobs, type RunOfShared, sharedJobOf } from './shared-history.ts';

/** Number of runs moved or assigned in one transaction. */
const BATCH_MAX = 500;

interface StoredSharedJob {
  uid: string;
  jobName: string;
  companyExternalId: string | null;
}

/**
 * Updates the shared jobs of a source to the listed jobs: the number of candidates, and which they are. A single remaining candidate
 * gets the runs; a shared job without runs is removed. Then turns unmatched runs whose name several jobs have into runs of shared jobs.
 */
export async function followSharedJobs(sync: RunningSync, jobs: NamedJobs): Promise<void> {
  await part(sync, 'jobs of one name', async () => {
    const stored = await readSharedJobs(sync);
    await followCounts(sync, jobs, stored);
    for (const job of stored) await moveToOnlyJob(sync, jobs, job);
    await assignUnmatched(sync, jobs);
    return true;
  });
}

function readSharedJobs({ services, source }: RunningSync): Promise<StoredSharedJob[]> {
  return rows<StoredSharedJob>(
    services.database,
    sql`select j.job_instance_uid as uid, j.name as "jobName", l.external_id as "companyExternalId"
        from ${JOBS} j ${linkJoin(source, 'j')}
        where j.provider_id = ${source.providerId} and j.source_id = ${source.id} and j.shared_by is not null
        order by j.job_instance_uid`,
  );
}

async function followCounts(
  { services, source, run }: RunningSync,
  jobs: NamedJobs,
  stored: readonly StoredSharedJob[],
): Promise<void> {
  if (stored.length === 0) return;
  const present = stored.flatMap((job) => sharedJobOf(jobs, job) ?? []);
  await transaction(services.database, async (connection) => {
    await lockExecutions(connection, source.providerId);
    await ensureSharedJobs(connection, source, present, run.startedAt);
    await dropEmptySharedJobs(
      connection,
      source.providerId,
      stored.map(({ uid }) => uid),
    );
  });
}

/** Moves the runs to a single remaining candidate, except those whose start another run of the job has. */
async function moveToOnlyJob(sync: RunningSync, { index }: NamedJobs, shared: StoredSharedJob): Promise<void> {
  const { services, source, run, signal } = sync;
  const [only, ...others] = jobsOfName(index, shared.companyExternalId, shared.jobName);
  if (only === undefined || others.length > 0) return;
  const { providerId } = source;
  for (let after: RunKey | null = { id: NO_ID, startedAtMs: 0 }; after !== null; ) {
    signal.throwIfAborted();
    const from: RunKey = after;
    after = await ingestInTransaction(services.database, providerId, run.startedAt, async (connection, ingest) => {
      const [target] = await rows<{ uid: string }>(
        connection,
        sql`select job_instance_uid as uid from ${JOBS} where provider_id = ${providerId} and source_id = ${source.id} and external_id = ${only.externalId}`,
      );
      const keys = await listRuns(connection, providerId, shared.uid, from);
      if (target === undefined || keys.length === 0) return null;
      const runs = await lockRuns(connection, providerId, keys);
      const { movable } = await sortedByRoom(connection, providerId, runs, target.uid);
      const moves = movable.map((moved) => asRunOf(target.uid, moved, true));
      await moveSharedRuns(connection, ingest, providerId, moves);
      await dropEmptySharedJobs(connection, providerId, [shared.uid]);
      return keys.length < BATCH_MAX ? null : (keys.at(-1) ?? null);
    });
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

function listRuns(connection: Connection, providerId: number, uid: string, after: RunKey): Promise<RunKey[]> {
  return rows<RunKey>(
    connection,
    sql`select e.id, ${millisecondsOf('e.started_at')} as "startedAtMs" from ${JOB_EXECUTIONS} e
        where e.provider_id = ${providerId} and e.job_instance_uid = ${uid}
          and (e.started_at, e.id) > (${new Date(after.startedAtMs)}::timestamptz, ${after.id}::uuid)
        order by e.started_at, e.id limit ${BATCH_MAX}`,
  );
}

interface StoredUnmatched {
  externalId: string;
  startedAt: string;
  result: SourceResult;
  message: string | null;
}

/**
 * Turns unmatched runs into runs of shared jobs. They have no end or duration until the history is read again. Each batch is one
 * transaction, so that the next sync does the rest after a failure.
 */
async function assignUnmatched(sync: RunningSync, jobs: NamedJobs): Promise<void> {
  for (const named of await listUnmatchedNames(sync)) {
    const job = sharedJobOf(jobs, named);
    if (job === null) continue;
    for (;;) {
      sync.signal.throwIfAborted();
      const found = await listUnmatchedOf(sync, named);
      const runs = found.map(({ startedAt, ...rest }): RunOfShared => {
        return { job, run: { ...rest, startedAt: new Date(startedAt), endedAt: null } };
      });
      await ingestSharedRunsOf(sync, runs, new Set());
      if (found.length < BATCH_MAX) break;
    }
  }
}

interface UnmatchedName {
  jobName: string;
  companyId: string | null;
  companyExternalId: string | null;
}

function listUnmatchedNames({ services, source }: RunningSync): Promise<UnmatchedName[]> {
  return rows<UnmatchedName>(
    services.database,
    sql`select distinct u.job_name as "jobName", u.company_id as "companyId", l.external_id as "companyExternalId"
        from unmatched_runs u ${linkJoin(source, 'u')}
        where u.provider_id = ${source.providerId} and u.source_id = ${source.id}`,
  );
}

function listUnmatchedOf(
  { services, source }: RunningSync,
  { jobName, companyId }: UnmatchedName,
): Promise<StoredUnmatched[]> {
  return rows<StoredUnmatched>(
    services.database,
    sql`select u.external_id as "externalId", u.started_at as "startedAt", u.result, u.message from unmatched_runs u
        where u.provider_id = ${source.providerId} and u.source_id = ${source.id} and u.job_name = ${jobName}
          and u.company_id is not distinct from ${companyId}::uuid
        order by u.started_at desc limit ${BATCH_MAX}`,
  );
}
