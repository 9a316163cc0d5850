import type { Pool } from '../../foundation/database.ts';
import { transaction } from '../../foundation/database.ts';
import { executionsLock } from '../../schedules/job-state.ts';
import { listReportedProviders, removeMissingJobs, reportJobs } from './monitored-jobs.ts';

/** Follows in Monitoring what users change on jobs: names, schedules, removal. A run that is due later than its job says then counts as missed. */
export async function reportAllJobs(database: Pool, now: Date, signal: AbortSignal): Promise<void> {
  for (const providerId of await listReportedProviders(database)) {
    if (signal.aborted) return;
    await transaction(
      database,
      async (connection) => {
        await reportJobs(connection, providerId, now);
        await removeMissingJobs(connection, providerId, now);
      },
      executionsLock(providerId),
    );
  }
}
