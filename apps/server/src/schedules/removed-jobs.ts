import { type SQL, sql } from 'drizzle-orm';
import { type Connection, rows } from '../foundation/database.ts';
import { followRemovals } from '../runs/faults/follow-removals.ts';
import { JOBS } from '../runs/jobs.ts';

/**
 * Marks the jobs of a provider that meet a condition (alias `j`) as removed, due for no further run, and returns their number. One that is
 * removed stays so since then. The caller holds the executions lock.
 */
export async function removeJobs(
  connection: Connection,
  providerId: number,
  condition: SQL,
  at: Date,
): Promise<number> {
  const removed = await rows<{ uid: string }>(
    connection,
    sql`update ${JOBS} j set removed_at = coalesce(j.removed_at, ${at}), expected_at = null, overdue_at = null
        where j.provider_id = ${providerId} and ${condition} returning j.job_instance_uid as uid`,
  );
  const uids = removed.map(({ uid }) => uid);
  await followRemovals(connection, providerId, uids);
  return uids.length;
}
