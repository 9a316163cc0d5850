import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../../foundation/database.ts';
import { publish } from '../../foundation/events.ts';
import { uuidArray } from '../rows/column-arrays.ts';

/**
 * Takes the open faults of jobs that were removed out of the work, and those of jobs that are back into it again. The caller holds the
 * executions lock: runs that are reported at the same time make faults from what the job was.
 */
export async function followRemovals(
  connection: Connection,
  providerId: number,
  jobInstanceUids: readonly string[],
): Promise<void> {
  if (jobInstanceUids.length === 0) return;
  const changed = await execute(
    connection,
    sql`update faults f set is_job_removed = not f.is_job_removed from jobs j
        where j.provider_id = ${providerId} and j.job_instance_uid = any(${uuidArray(jobInstanceUids)})
          and f.provider_id = j.provider_id and f.job_instance_uid = j.job_instance_uid and f.closed_at is null
          and f.is_job_removed <> (j.removed_at is not null)`,
  );
  if (changed > 0) await publish(connection, { name: 'executions.changed', providerId });
}
