import { sql } from 'drizzle-orm';
import type { PoolClient } from 'pg';
import { execute, type Pool, row } from '../../foundation/database.ts';
import { publish } from '../../foundation/events.ts';
import { announce } from '../../foundation/outbox/domain-events.ts';
import { ingestInTransaction } from '../../ingest/ingest-runs.ts';
import { reportEnd } from '../monitoring/report-run.ts';
import type { ClaimedSession } from './claims.ts';
import type { SessionEnd } from './session-end.ts';
import { sessionEnded } from './session-events.ts';

/**
 * Ends a run of a worker: its result, what runs next because of it, what Monitoring shows of it, and the event, all or nothing.
 * @returns `false` where the run is not the worker's any more: another one goes on with it
 */
export function endSession(
  database: Pool,
  session: ClaimedSession,
  workerId: string,
  end: SessionEnd,
  at: Date,
): Promise<boolean> {
  return ingestInTransaction(database, session.providerId, at, async (connection, ingest) => {
    const ended = await row<{ isStopped: boolean }>(
      connection,
      sql`update m365_job_sessions s set ended_at = greatest(${at}, s.started_at), result = ${end.result}, message = ${end.message},
            progress = ${JSON.stringify(end.progress)}::jsonb, restore_point = ${end.restorePoint}, claimed_until = null
          where s.provider_id = ${session.providerId} and s.id = ${session.id} and s.worker_id = ${workerId} and s.ended_at is null
          returning s.stop_asked_at is not null as "isStopped"`,
    );
    if (ended === null) return false;
    await planAttempt(connection, session, end.result === 'Failed' && !ended.isStopped, at);
    await startChained(connection, session, at);
    await reportEnd(connection, ingest, session, end, at);
    await announceEnd(connection, session, end, at);
    return true;
  });
}

/** After a failure the next attempt is due in some minutes, as often as the job says; after everything else attempts begin to count again. */
async function planAttempt(
  connection: PoolClient,
  session: ClaimedSession,
  isFailed: boolean,
  at: Date,
): Promise<void> {
  const { retries, retryMinutes, type } = session.schedule;
  const again = new Date(at.getTime() + retryMinutes * 60_000);
  const isRetried = sql`${isFailed && type !== 'Disabled'} and j.attempts < ${retries}`;
  await execute(
    connection,
    sql`update m365_jobs j set attempts = case when ${isRetried} then j.attempts + 1 else 0 end,
          next_run_at = case when ${isRetried} then least(j.next_run_at, ${again}) else j.next_run_at end
        where j.provider_id = ${session.providerId} and j.id = ${session.jobId}`,
  );
}

async function startChained(connection: PoolClient, { providerId, jobId }: ClaimedSession, at: Date): Promise<void> {
  await execute(
    connection,
    sql`update m365_jobs j set next_run_at = ${at} where j.provider_id = ${providerId} and j.is_enabled
          and j.schedule->>'type' = 'Chained' and j.schedule->>'afterJobId' = ${jobId}`,
  );
}

async function announceEnd(connection: PoolClient, session: ClaimedSession, end: SessionEnd, at: Date): Promise<void> {
  const { providerId, id, jobId, jobName, organizationId, companyId, startedAt } = session;
  const { result, message } = end;
  await announce(
    connection,
    sessionEnded,
    { providerId, id },
    { jobId, jobName, organizationId, companyId, result, startedAt, endedAt: at.toISOString(), message },
  );
  await publish(connection, { name: 'm365-jobs.changed', providerId });
}
