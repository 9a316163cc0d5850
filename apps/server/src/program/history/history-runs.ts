import { hostname } from 'node:os';
import { sql } from 'drizzle-orm';
import { VERSION } from '../../branding/brands.ts';
import { type Connection, execute, type Pool, row, transaction } from '../../foundation/database.ts';
import type { JobKey } from '../../microsoft365/jobs/jobs.ts';
import type { OrganizationKey } from '../../microsoft365/organizations/organization-services.ts';
import { type ClaimedSession, claimSession } from '../../microsoft365/sessions/claims.ts';
import { makeSession } from '../../microsoft365/sessions/sessions.ts';
import { nightsSince } from './nights.ts';

/** The worker that does the runs of the past. It looks for no others. */
export const HISTORIAN = {
  id: '5a4d0b0c-0000-8000-8000-000000000366',
  name: hostname(),
  version: VERSION,
  pool: null,
  capacity: 0,
};
/** No run takes nearly as long: no other worker goes on with one. */
const CLAIM_MS = 3_600_000;

/** The job of the demonstration, and where it writes. */
export interface PastJob extends JobKey {
  repositoryId: string;
}

/** Returns the job of the organization that was made with it; `null` where users have deleted it. */
export function findPastJob(connection: Connection, { providerId, id }: OrganizationKey): Promise<PastJob | null> {
  return row(
    connection,
    sql`select j.provider_id as "providerId", j.id, j.repository_id as "repositoryId" from m365_jobs j
        where j.provider_id = ${providerId} and j.organization_id = ${id} order by j.created_at, j.id limit 1`,
  );
}

/** Removes the run that was broken off by the end of the program: it is done again. */
export async function removeBrokenOff(connection: Connection, { providerId, id }: JobKey): Promise<void> {
  await execute(
    connection,
    sql`delete from m365_job_sessions s where s.provider_id = ${providerId} and s.job_id = ${id} and s.worker_id = ${HISTORIAN.id}
          and s.ended_at is null`,
  );
}

/** Returns the nights that have no run yet; none after another run of the job: a past that is made later than the present would confuse both. */
export async function missingNights(
  connection: Connection,
  { providerId, id }: JobKey,
  morning: Date,
): Promise<Date[]> {
  const nights = nightsSince(morning);
  const last = await row<{ startedAt: string; isPast: boolean }>(
    connection,
    sql`select s.started_at as "startedAt", s.worker_id is not distinct from ${HISTORIAN.id}::uuid as "isPast" from m365_job_sessions s
        where s.provider_id = ${providerId} and s.job_id = ${id} order by s.started_at desc limit 1`,
  );
  if (last === null) return nights;
  return last.isPast ? nights.filter((night) => night > new Date(last.startedAt)) : [];
}

/** Makes the run of a night, as this program's own. @returns `null` where the job runs, as a user asked */
export function claimNight(database: Pool, job: JobKey, night: Date): Promise<ClaimedSession | null> {
  return transaction(database, async (connection) => {
    const only = await makeSession(connection, job, night);
    if (only === null) return null;
    return claimSession(connection, { workerId: HISTORIAN.id, places: [], claimMs: CLAIM_MS, running: [], only });
  });
}
