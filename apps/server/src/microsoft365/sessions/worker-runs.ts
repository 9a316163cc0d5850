import { sql } from 'drizzle-orm';
import { type Connection, execute, row } from '../../foundation/database.ts';
import type { JobKey } from '../jobs/jobs.ts';
import type { OrganizationKey } from '../organizations/organization-services.ts';

/** A job, and where it writes. */
export interface JobPlace extends JobKey {
  repositoryId: string;
}

/** Returns the first job that was made for an organization. */
export function findFirstJob(connection: Connection, { providerId, id }: OrganizationKey): Promise<JobPlace | null> {
  return row(
    connection,
    sql`select j.provider_id as "providerId", j.id, j.repository_id as "repositoryId" from m365_jobs j
        where j.provider_id = ${providerId} and j.organization_id = ${id} order by j.created_at, j.id limit 1`,
  );
}

/** Returns when the newest run of a job began, and which worker did it. */
export function findLastRun(
  connection: Connection,
  { providerId, id }: JobKey,
): Promise<{ startedAt: string; workerId: string | null } | null> {
  return row(
    connection,
    sql`select s.started_at as "startedAt", s.worker_id as "workerId" from m365_job_sessions s
        where s.provider_id = ${providerId} and s.job_id = ${id} order by s.started_at desc limit 1`,
  );
}

/** Removes the run of a job that a worker did not end: it is to be done again. */
export async function removeUnfinished(
  connection: Connection,
  { providerId, id }: JobKey,
  workerId: string,
): Promise<void> {
  await execute(
    connection,
    sql`delete from m365_job_sessions s where s.provider_id = ${providerId} and s.job_id = ${id} and s.worker_id = ${workerId}
          and s.ended_at is null`,
  );
}
