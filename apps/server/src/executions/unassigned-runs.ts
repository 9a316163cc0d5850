import type { getLastSync, ResultCounts } from '@keepwatch/contract/sources/sources';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';
import { RANGE_DAYS_MAX } from '../runs/report-range.ts';

/**
 * Counts the pending runs of shared jobs in the caller's scope by result, as far back as a list can show. Starts from the shared
 * jobs, of which there are few.
 */
export async function countUnassigned(
  connection: Connection,
  scope: Scope,
  now: Date,
): Promise<Pick<CallReply<typeof getLastSync>, 'unassigned'>> {
  const found = await rows<ResultCounts[number] & { since: string }>(
    connection,
    sql`select e.result, count(*) as runs, min(e.started_at) as since
        from (select j.provider_id, j.job_instance_uid from ${JOBS} j where ${scope.rows('j')} and j.shared_by is not null offset 0) j
        join ${JOB_EXECUTIONS} e on e.provider_id = j.provider_id and e.job_instance_uid = j.job_instance_uid
        where e.started_at > ${now}::timestamptz - make_interval(days => ${RANGE_DAYS_MAX - 1}) and e.state = 'pending'
        group by e.result order by e.result desc`,
  );
  const [since] = found.map((counted) => counted.since).sort();
  return since === undefined ? {} : { unassigned: { since, results: found } };
}
