import { sql } from 'drizzle-orm';
import { type Pool, rows } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { isOfWorkers } from '../engine/work-of-workers.ts';
import { claimSession } from './claims.ts';
import { endSession } from './end-session.ts';
import { NO_WORKER, stopMessage } from './end-texts.ts';

/** So long a run waits for a worker that may do it. */
const WAIT_MS = 24 * 3_600_000;
const CLAIM_MS = 60_000;
/** Of one look; others come a minute later. */
const AT_ONCE = 100;

interface Unclaimed {
  id: string;
  place: string | null;
  isStopped: boolean;
}

/**
 * Ends runs that no worker has: those that were asked to end, and those that no worker could take for a day. Else such a run would be the last one
 * of its job, as a job runs once at a time.
 */
export async function endUnclaimedSessions(database: Pool, now: Date): Promise<void> {
  for (const { id, place, isStopped } of await listUnclaimed(database, now)) {
    const workerId = newId();
    const places = place === null ? [] : [place];
    // A worker that comes back in this moment either has it, or finds it ended.
    const session = await claimSession(database, { workerId, places, claimMs: CLAIM_MS, running: [], only: id });
    if (session === null) continue;
    const end = isStopped
      ? ({ result: 'Warning', message: stopMessage('stopped') } as const)
      : ({ result: 'Failed', message: NO_WORKER } as const);
    await endSession(database, session, workerId, { ...end, progress: session.progress, restorePoint: null }, now);
  }
}

function listUnclaimed(database: Pool, now: Date): Promise<Unclaimed[]> {
  return rows(
    database,
    sql`select s.id, j.proxy_pool_id as place, s.stop_asked_at is not null as "isStopped"
        from m365_job_sessions s join m365_jobs j on j.provider_id = s.provider_id and j.id = s.job_id
        where s.ended_at is null and (s.claimed_until is null or s.claimed_until < now() - interval '1 minute')
          and ${isOfWorkers('j')} and (s.stop_asked_at is not null or coalesce(s.claimed_until, s.started_at) < ${new Date(now.getTime() - WAIT_MS)})
        order by s.started_at, s.id limit ${AT_ONCE}`,
  );
}
