import { sql } from 'drizzle-orm';
import { readDayClocks } from '../backup-days/stored-clocks.ts';
import { type Connection, execute, rows } from '../foundation/database.ts';
import { DayRollups, type DayShare } from './day-rollups.ts';
import { millisecondsOf, uuidArray } from './rows/column-arrays.ts';
import { faults, jobDays, jobExecutionLogs, jobExecutions, jobIgnores, jobs } from './tables.ts';
import { WHOLE_DURATION } from './whole-duration.ts';

/**
 * Removes jobs that never were backups, with their runs and what these add to the sums of days. A job that its source no longer has is
 * marked as removed instead: its history stays. The caller holds the executions lock.
 */
export async function forgetJobs(connection: Connection, providerId: number, uids: readonly string[]): Promise<void> {
  if (uids.length === 0) return;
  const isOf = (alias: string) =>
    sql`${sql.identifier(alias)}.provider_id = ${providerId} and ${sql.identifier(alias)}.job_instance_uid = any(${uuidArray(uids)})`;
  await subtractDays(connection, providerId, await readShares(connection, isOf('e')));
  await execute(
    connection,
    sql`delete from ${jobExecutionLogs} l using ${jobExecutions} e where ${isOf('e')} and l.provider_id = e.provider_id
          and l.started_at = e.started_at and l.execution_id = e.id`,
  );
  for (const table of [jobExecutions, faults, jobDays, jobIgnores, jobs])
    await execute(connection, sql`delete from ${table} x where ${isOf('x')}`);
}

function readShares(connection: Connection, condition: ReturnType<typeof sql>): Promise<DayShare[]> {
  return rows<DayShare>(
    connection,
    sql`select ${millisecondsOf('e.started_at')} as "startedAtMs", e.job_instance_uid as "jobInstanceUid", e.company_id as "companyId",
          e.source_group as "sourceGroup", e.result, cardinality(e.anomalies) > 0 as "isAnomalous",
          e.transferred_bytes as "transferredBytes", ${WHOLE_DURATION} as "durationMs"
        from ${jobExecutions} e where ${condition}`,
  );
}

async function subtractDays(connection: Connection, providerId: number, shares: readonly DayShare[]): Promise<void> {
  const rollups = new DayRollups(await readDayClocks(connection, providerId));
  for (const share of shares) rollups.subtract(share);
  await rollups.write(connection, providerId);
}
