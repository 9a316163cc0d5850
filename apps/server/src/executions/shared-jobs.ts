import type { DataSourceGroup } from '@keepwatch/contract/runs/values';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute, rows } from '../foundation/database.ts';
import { JOB_DAYS } from '../runs/day-rollups.ts';
import { idFrom } from '../runs/execution-id.ts';
import { followRemovals } from '../runs/faults/follow-removals.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';
import { uuidArray } from '../runs/rows/column-arrays.ts';

/**
 * A shared job has the runs for which a source reports only company and name, where several jobs have that name. They are listed,
 * counted and edited like all others, and a user can assign them to one of the jobs. A shared job is a row of `jobs` with `shared_by`,
 * the number of jobs of that name. These are its candidates and name it in `shared_job`.
 *
 * It has no schedule and no job state: its runs are never missed and give no job a status, and no figure counts it as a job.
 */

/** The job (alias `j`) is an ordinary one. */
export const IS_ONE_JOB: SQL = sql`j.shared_by is null`;

/** The name of a job (alias `j`) for display. */
export const JOB_NAME: SQL = sql`j.name || coalesce(' (one of ' || j.shared_by || ' with this name)', '')`;

export interface SharedJob {
  companyId: string | null;
  name: string;
  /** The group of its first candidate. */
  sourceGroup: DataSourceGroup;
  /** The ids of its candidates in the source. */
  candidates: readonly string[];
}

interface Source {
  providerId: number;
  id: string;
}

/** Derives the id of the shared job of a name in a company. */
export function sharedJobId(source: Source, { companyId, name }: Pick<SharedJob, 'companyId' | 'name'>): string {
  return idFrom(source.id, 'shared', companyId ?? '', name);
}

/**
 * Adds missing shared jobs, updates their numbers of candidates and links the candidates. Writes only what changed. The caller holds
 * the lock of executions.
 */
export async function ensureSharedJobs(
  connection: Connection,
  source: Source,
  jobs: readonly SharedJob[],
  now: Date,
): Promise<void> {
  if (jobs.length === 0) return;
  const records = jobs.map((job) => ({
    uid: sharedJobId(source, job),
    company_id: job.companyId,
    name: job.name,
    source_group: job.sourceGroup,
    shared_by: job.candidates.length,
  }));
  const changed = await rows<{ uid: string }>(
    connection,
    sql`insert into ${JOBS} as j (provider_id, source_id, job_instance_uid, external_id, source_group, name, company_id, first_seen_at, shared_by)
        select ${source.providerId}, ${source.id}, k.uid, 'shared:' || k.uid, k.source_group, k.name, k.company_id, ${now}, k.shared_by
        from json_to_recordset(${JSON.stringify(records)}::json)
          as k (uid uuid, company_id uuid, name text, source_group data_source_group, shared_by integer)
        on conflict (provider_id, job_instance_uid) do update set shared_by = excluded.shared_by, removed_at = null
          where j.shared_by <> excluded.shared_by or j.removed_at is not null
        returning j.job_instance_uid as uid`,
  );
  await followRemovals(
    connection,
    source.providerId,
    changed.map(({ uid }) => uid),
  );
  await linkCandidates(connection, source, jobs);
}

async function linkCandidates(connection: Connection, source: Source, jobs: readonly SharedJob[]): Promise<void> {
  const links = jobs.flatMap((job) => job.candidates.map((id) => ({ id, uid: sharedJobId(source, job) })));
  const uids = uuidArray([...new Set(links.map(({ uid }) => uid))]);
  await execute(
    connection,
    sql`update ${JOBS} j set shared_job = k.uid
        from (select j.job_instance_uid, l.uid from ${JOBS} j
          left join json_to_recordset(${JSON.stringify(links)}::json) as l (id text, uid uuid) on l.id = j.external_id
          where j.provider_id = ${source.providerId} and j.source_id = ${source.id}
            and (l.uid is not null or j.shared_job = any(${uids})) and j.shared_job is distinct from l.uid) k
        where j.provider_id = ${source.providerId} and j.job_instance_uid = k.job_instance_uid`,
  );
}

/** Reads the shared job of each of a source's jobs that is a candidate of one. */
export async function sharedJobsOf(connection: Connection, source: Source): Promise<ReadonlyMap<string, string>> {
  const found = await rows<{ uid: string; sharedJob: string }>(
    connection,
    sql`select j.job_instance_uid as uid, j.shared_job as "sharedJob" from ${JOBS} j
        where j.provider_id = ${source.providerId} and j.source_id = ${source.id} and j.shared_job is not null`,
  );
  return new Map(found.map(({ uid, sharedJob }) => [uid, sharedJob]));
}

/** Removes the shared jobs that have no runs left. The caller holds the lock of executions. */
export async function dropEmptySharedJobs(
  connection: Connection,
  providerId: number,
  jobInstanceUids: readonly string[],
): Promise<void> {
  const dropped = await rows<{ uid: string }>(
    connection,
    sql`delete from ${JOBS} j where j.provider_id = ${providerId} and j.job_instance_uid = any(${uuidArray(jobInstanceUids)})
          and j.shared_by is not null and not exists (select from ${JOB_EXECUTIONS} e
            where e.provider_id = j.provider_id and e.job_instance_uid = j.job_instance_uid)
        returning j.job_instance_uid as uid`,
  );
  if (dropped.length === 0) return;
  const uids = uuidArray(dropped.map(({ uid }) => uid));
  await execute(
    connection,
    sql`update ${JOBS} set shared_job = null where provider_id = ${providerId} and shared_job = any(${uids})`,
  );
  // These rollups are all zero by now.
  await execute(
    connection,
    sql`delete from ${JOB_DAYS} where provider_id = ${providerId} and job_instance_uid = any(${uids})`,
  );
}
