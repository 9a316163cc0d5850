import type { ExecutionFilter } from '@keepwatch/contract/monitoring/filters';
import { type SQL, sql } from 'drizzle-orm';
import { every } from '../../foundation/conditions.ts';
import type { Scope } from '../../foundation/scope.ts';
import { jobConditions } from './execution-filter.ts';
import { STILL_THERE, standing } from './job-standing.ts';

/** The job (alias `j`, with its standing) stands by its last run. */
const STANDS_BY_ITS_LAST: SQL = sql`j.standing not in ('DidntRun', 'disabled', 'never')`;

/** A missed run is newer than all that its job (alias `j`) did. */
function isNewerThanLast(alias: 'm' | 'e'): SQL {
  return sql`${sql.identifier(alias)}.started_at > coalesce(j.last_started_at, '-infinity')`;
}

/**
 * The executions by which jobs stand now, whenever they were, at most one a job, as the columns of `job_executions`: what the overview counts as jobs
 * by last result, so that a figure leads to as many rows. Of an overdue job that is its newest missed run, of any other one
 * its last run; removed and disabled jobs have none, nor those that never ran.
 *
 * It begins at the jobs, whose rows know their last run: a probe of the primary key a job, a missed run by its own index, however
 * many executions there are. "offset 0" keeps it so in tables that were never analysed.
 */
export function latestRuns(scope: Scope, filter: ExecutionFilter, now: Date): SQL {
  return sql`(select n.* from (
      select j.provider_id, j.job_instance_uid, j.last_execution_id, j.last_started_at, ${standing(now)} as standing
      from jobs j where ${every([...jobConditions(scope, filter, 'j'), STILL_THERE])} offset 0) j
    cross join lateral (
      (select r.* from job_executions r where ${STANDS_BY_ITS_LAST} and r.provider_id = j.provider_id
        and r.started_at = j.last_started_at and r.id = j.last_execution_id offset 0)
      union all
      (select m.* from job_executions m where j.standing = 'DidntRun' and m.provider_id = j.provider_id
        and m.job_instance_uid = j.job_instance_uid and m.result = 'DidntRun' and ${isNewerThanLast('m')}
        order by m.started_at desc limit 1)) n
    ${ofStanding(filter)})`;
}

/** Spares the probes of jobs that stand otherwise. */
function ofStanding({ type }: ExecutionFilter): SQL {
  return type?.length ? sql`where j.standing = any(${sql.param(type)}::text[])` : sql``;
}

/**
 * The same asked of one execution (alias `e`), for lists that are bounded by a range of time: of the few that are pending in two
 * days it costs a probe each, and not one for each job.
 */
export function isLatest(now: Date): SQL {
  return sql`exists (select from (
      select j.last_started_at, ${standing(now)} as standing from jobs j
      where j.provider_id = e.provider_id and j.job_instance_uid = e.job_instance_uid and ${STILL_THERE}
        and (e.result = 'DidntRun' or e.id = j.last_execution_id) offset 0) j
    where case when e.result <> 'DidntRun' then ${STANDS_BY_ITS_LAST}
      else j.standing = 'DidntRun' and ${isNewerThanLast('e')} and not exists (
        select from job_executions m where m.provider_id = e.provider_id and m.job_instance_uid = e.job_instance_uid
          and m.result = 'DidntRun' and m.started_at > e.started_at) end)`;
}
