import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute } from '../foundation/database.ts';
import { JOBS } from '../runs/jobs.ts';

/**
 * Marks the jobs that meet a condition (alias `j`) as removed, due for no further run, and returns their number. One that is removed
 * stays so since then.
 */
export function removeJobs(connection: Connection, condition: SQL, at: Date): Promise<number> {
  return execute(
    connection,
    sql`update ${JOBS} j set removed_at = coalesce(j.removed_at, ${at}), expected_at = null, overdue_at = null where ${condition}`,
  );
}
