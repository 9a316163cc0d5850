import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../audit/target-name.ts';
import { jobExecutionLogs, jobExecutions } from './tables.ts';

/** Stored runs, written by ingest, and missed ones, written by schedules; what users make of them is written by executions. */
export const JOB_EXECUTIONS = jobExecutions;

/** Their log lines and attempts, where there are any. */
export const JOB_EXECUTION_LOGS = jobExecutionLogs;

/** Names a run in the users logs: by its job. */
export const nameOfExecution: NameOfTarget = (scope, id) =>
  sql`select j.name from job_executions t join jobs j on j.provider_id = t.provider_id and j.job_instance_uid = t.job_instance_uid
    where ${scope.rows('t')} and t.id = ${id} and t.started_at = ${startWithin(id)}`;

/** The start that the id of a run carries (`executionId`), so that one partition is read. */
function startWithin(id: SQL): SQL {
  return sql`to_timestamp(('x' || lpad(left(replace(${id}::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0)`;
}
