import { sql } from 'drizzle-orm';
import { type Connection, execute, type Pool, rows, transaction } from '../foundation/database.ts';
import { wholeSpan } from '../runs/faults/merged-spans.ts';
import { refreshFaults } from '../runs/faults/refresh-faults.ts';
import { JOBS } from '../runs/jobs.ts';
import { uuidArray } from '../runs/rows/column-arrays.ts';
import { executionsLock } from '../schedules/job-state.ts';

/** Jobs whose runs are read in one transaction: intake waits for it. */
const CHUNK_JOBS = 10;

interface JobKey {
  providerId: number;
  jobInstanceUid: string;
}

const BEFORE_ALL: JobKey = { providerId: -1, jobInstanceUid: '00000000-0000-0000-0000-000000000000' };

/**
 * Finds the faults of runs that are older than the table of faults, a few jobs at a time, and returns of how many jobs. Jobs whose last run
 * failed come first, as their faults are open. What is done stays done: after an interruption the next call goes on.
 */
export async function buildFaults(pool: Pool, signal: AbortSignal): Promise<number> {
  let built = 0;
  for (const isOpen of [true, false]) {
    let after = BEFORE_ALL;
    while (!signal.aborted) {
      const jobs = await listUnknown(pool, isOpen, after);
      for (const [providerId, ofProvider] of Map.groupBy(jobs, (job) => job.providerId))
        await buildFaultsOf(
          pool,
          providerId,
          ofProvider.map(({ jobInstanceUid }) => jobInstanceUid),
        );
      built += jobs.length;
      const last = jobs.at(-1);
      if (last === undefined) break;
      after = last;
    }
  }
  return built;
}

function listUnknown(connection: Connection, isOpen: boolean, after: JobKey): Promise<JobKey[]> {
  const hasFailed = sql`j.last_result is distinct from 'Success'`;
  return rows<JobKey>(
    connection,
    sql`select j.provider_id as "providerId", j.job_instance_uid as "jobInstanceUid" from ${JOBS} j
        where not j.are_faults_known and (j.provider_id, j.job_instance_uid) > (${after.providerId}, ${after.jobInstanceUid}::uuid)
          and ${isOpen ? hasFailed : sql`true`}
        order by j.provider_id, j.job_instance_uid limit ${CHUNK_JOBS}`,
  );
}

async function buildFaultsOf(pool: Pool, providerId: number, jobInstanceUids: readonly string[]): Promise<void> {
  const build = async (connection: Connection) => {
    await refreshFaults(connection, providerId, jobInstanceUids.map(wholeSpan));
    await execute(
      connection,
      sql`update ${JOBS} j set are_faults_known = true
          where j.provider_id = ${providerId} and j.job_instance_uid = any(${uuidArray(jobInstanceUids)})`,
    );
  };
  await transaction(pool, build, executionsLock(providerId));
}
