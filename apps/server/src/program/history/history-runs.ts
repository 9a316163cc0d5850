import { hostname } from 'node:os';
import { VERSION } from '../../branding/brands.ts';
import { type Connection, type Pool, transaction } from '../../foundation/database.ts';
import type { JobKey } from '../../microsoft365/jobs/jobs.ts';
import { type ClaimedSession, claimSession } from '../../microsoft365/sessions/claims.ts';
import { makeSession } from '../../microsoft365/sessions/sessions.ts';
import { findLastRun } from '../../microsoft365/sessions/worker-runs.ts';
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

/** Returns the nights that have no run yet; none after another run of the job: a past that is made later than the present would confuse both. */
export async function missingNights(connection: Connection, job: JobKey, morning: Date, now: Date): Promise<Date[]> {
  const last = await findLastRun(connection, job);
  if (last !== null && last.workerId !== HISTORIAN.id) return [];
  const since = last === null ? morning : new Date(last.startedAt);
  return nightsSince(morning).filter((night) => night > since && night < now);
}

/** Makes the run of a night, as this program's own. @returns `null` where the job runs, as a user asked */
export function claimNight(database: Pool, job: JobKey, night: Date): Promise<ClaimedSession | null> {
  return transaction(database, async (connection) => {
    const only = await makeSession(connection, job, night);
    if (only === null) return null;
    return claimSession(connection, { workerId: HISTORIAN.id, places: [], claimMs: CLAIM_MS, running: [], only });
  });
}
