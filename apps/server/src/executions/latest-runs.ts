import type { ExecutionFilter } from '@keepwatch/contract/executions/filters';
import { type SQL, sql } from 'drizzle-orm';
import { every } from '../foundation/conditions.ts';
import type { Scope } from '../foundation/scope.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';
import { jobConditions } from './execution-filter.ts';
import { jobStatus, STILL_THERE } from './job-status.ts';

/** The status of the job (alias `j`) is the result of its last run. */
const HAS_STATUS_OF_LAST_RUN: SQL = sql`j.job_status not in ('DidntRun', 'disabled', 'never')`;

/** A missed run is newer than the last run of its job (alias `j`). */
function isNewerThanLast(alias: 'm' | 'e'): SQL {
  return sql`${sql.identifier(alias)}.started_at > coalesce(j.last_started_at, '-infinity')`;
}

/**
 * Selects the execution that determines each job's current status, at any age, with the columns of `job_executions`. The overview
 * counts jobs by the same executions, so that a figure leads to as many rows. For an overdue job it is the newest missed run, for any
 * other job the last run. Removed jobs, disabled jobs and jobs that never ran have none.
 *
 * The query starts from the jobs, whose rows name their last run: one primary key lookup per job, however many executions there are,
 * and the index of missed runs. "offset 0" preserves that plan in tables that were never analysed.
 */
export function latestRuns(scope: Scope, filter: ExecutionFilter, now: Date): SQL {
  return sql`(select n.* from (
      select j.provider_id, j.job_instance_uid, j.last_execution_id, j.last_started_at, ${jobStatus(now)} as job_status
      from ${JOBS} j where ${every([...jobConditions(scope, filter, 'j'), STILL_THERE])} offset 0) j
    cross join lateral (
      (select r.* from ${JOB_EXECUTIONS} r where ${HAS_STATUS_OF_LAST_RUN} and r.provider_id = j.provider_id
        and r.started_at = j.last_started_at and r.id = j.last_execution_id offset 0)
      union all
      (select m.* from ${JOB_EXECUTIONS} m where j.job_status = 'DidntRun' and m.provider_id = j.provider_id
        and m.job_instance_uid = j.job_instance_uid and m.result = 'DidntRun' and ${isNewerThanLast('m')}
        order by m.started_at desc limit 1)) n
    ${ofStatus(filter)})`;
}

/** Avoids the lookups for jobs with another status. */
function ofStatus({ type }: ExecutionFilter): SQL {
  return type?.length ? sql`where j.job_status = any(${sql.param(type)}::text[])` : sql``;
}

/**
 * The same condition for one execution (alias `e`), for lists of a time range: the few executions pending in two days cost one lookup
 * each, instead of one for each job.
 */
export function isLatest(now: Date): SQL {
  return sql`exists (select from (
      select j.last_started_at, ${jobStatus(now)} as job_status from ${JOBS} j
      where j.provider_id = e.provider_id and j.job_instance_uid = e.job_instance_uid and ${STILL_THERE}
        and (e.result = 'DidntRun' or e.id = j.last_execution_id) offset 0) j
    where case when e.result <> 'DidntRun' then ${HAS_STATUS_OF_LAST_RUN}
      else j.job_status = 'DidntRun' and ${isNewerThanLast('e')} and not exists (
        select from ${JOB_EXECUTIONS} m where m.provider_id = e.provider_id and m.job_instance_uid = e.job_instance_uid
          and m.result = 'DidntRun' and m.started_at > e.started_at) end)`;
}
