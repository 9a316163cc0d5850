import type {
  JobCandidate,
  JobExecution,
  JobExecutionDetail,
  PastRun,
} from '@keepwatch/contract/monitoring/job-executions';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, row, rows } from '../../foundation/database.ts';
import type { Scope } from '../../foundation/scope.ts';
import { type ExecutionRow, withAnomalyTexts } from './anomaly-texts.ts';
import { startOfExecution } from './execution-id.ts';
import { readNotes, type StoredNote } from './execution-notes.ts';
import { BASELINE_COLUMN, EXECUTION_COLUMNS, EXECUTION_TABLES } from './job-executions.ts';
import { STILL_THERE } from './job-standing.ts';
import { WHOLE_DURATION } from './whole-duration.ts';

/** Runs in the small picture of a job. */
const PAST_RUNS = 30;

type DetailRow = ExecutionRow<Omit<JobExecutionDetail, 'pastRuns' | 'notes' | 'candidates'>> & {
  notes: StoredNote[] | null;
};

/** No execution starts later; PostgreSQL does not read every instant that 48 bits can name. */
const LATEST_START = Date.UTC(2100, 0, 1);

/** The start that an id carries, for a query: it is found by the whole key, in one month. */
export function startIn(id: string): string {
  return new Date(Math.min(startOfExecution(id).getTime(), LATEST_START)).toISOString();
}

/** The one execution of that id (alias `e`). */
function oneOf(scope: Scope, id: string): SQL {
  return sql`${scope.rows('e')} and e.started_at = ${startIn(id)}::timestamptz and e.id = ${id}`;
}

export function executionQuery(scope: Scope, id: string): SQL {
  return sql`select ${EXECUTION_COLUMNS}, ${BASELINE_COLUMN} from ${EXECUTION_TABLES} where ${oneOf(scope, id)}`;
}

/** One execution as lists show it, or `null` where it is none of the caller's. */
export async function findExecution(connection: Connection, scope: Scope, id: string): Promise<JobExecution | null> {
  const found = await row<ExecutionRow<JobExecution>>(connection, executionQuery(scope, id));
  return found === null ? null : withAnomalyTexts(found);
}

export function executionDetailQuery(scope: Scope, id: string): SQL {
  return sql`select ${EXECUTION_COLUMNS}, coalesce(l.lines, '[]') as log, e.notes,
      j.schedule_type as "scheduleType", j.next_run_at as "nextRunAt", j.target_name as "targetName", j.last_success_at as "lastSuccessAt", ${BASELINE_COLUMN}
    from ${EXECUTION_TABLES}
    left join job_execution_logs l on l.provider_id = e.provider_id and l.started_at = e.started_at and l.execution_id = e.id
    where ${oneOf(scope, id)}`;
}

export function pastRunsQuery(scope: Scope, jobInstanceUid: string): SQL {
  return sql`select e.id as "_id", e.started_at as "startedAt", e.result, ${WHOLE_DURATION} as "durationMs",
      e.transferred_bytes as "transferredBytes", e.anomalies
    from job_executions e where ${scope.rows('e')} and e.job_instance_uid = ${jobInstanceUid}
    order by e.started_at desc limit ${PAST_RUNS}`;
}

/** The jobs that the runs of a shared job may belong to, with what distinguishes them. */
export function candidatesQuery(scope: Scope, sharedJob: string): SQL {
  return sql`select j.job_instance_uid as "jobInstanceUid", j.name as "jobName", j.job_type as "jobType", j.server_name as "serverName",
      j.target_name as "targetName", j.last_started_at as "lastStartedAt", j.last_result as "lastResult"
    from jobs j where ${scope.rows('j')} and j.shared_job = ${sharedJob} and ${STILL_THERE}
    order by j.name, j.server_name, j.job_type, j.job_instance_uid`;
}

/** One execution with its log and the last runs of its job, oldest first; `null` where it is none of the caller's. */
export async function findExecutionDetail(
  connection: Connection,
  scope: Scope,
  id: string,
  callerId: string,
): Promise<JobExecutionDetail | null> {
  const found = await row<DetailRow>(connection, executionDetailQuery(scope, id));
  if (found === null) return null;
  const pastRuns = await rows<PastRun>(connection, pastRunsQuery(scope, found.jobInstanceUid));
  const candidates =
    found.sharedBy === null ? [] : await rows<JobCandidate>(connection, candidatesQuery(scope, found.jobInstanceUid));
  return {
    ...withAnomalyTexts(found),
    notes: readNotes(found.notes, callerId),
    pastRuns: pastRuns.reverse(),
    candidates,
  };
}
