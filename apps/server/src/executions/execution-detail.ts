import type {
  JobCandidate,
  JobExecution,
  JobExecutionDetail,
  PastRun,
} from '@keepwatch/contract/executions/job-executions';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, row, rows } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';
import { type ExecutionRow, withAnomalyTexts } from '../runs/anomaly-texts.ts';
import { startIn } from '../runs/execution-id.ts';
import { readNotes, type StoredNote } from '../runs/execution-notes.ts';
import type { FaultJob } from '../runs/faults/causes/cause.ts';
import { JOB_EXECUTION_LOGS, JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';
import { WHOLE_DURATION } from '../runs/whole-duration.ts';
import { BASELINE_COLUMN, EXECUTION_COLUMNS, EXECUTION_TABLES } from './job-executions.ts';
import { STILL_THERE } from './job-status.ts';
import { findSolvedOfRun } from './solved-before.ts';

/** Runs in the small chart of a job. */
const PAST_RUNS = 30;

type DetailRow = ExecutionRow<Omit<JobExecutionDetail, 'pastRuns' | 'notes' | 'candidates' | 'hints' | 'solved'>> & {
  notes: StoredNote[] | null;
  job: FaultJob;
};

/** Selects the execution of an id (alias `e`). */
function oneOf(scope: Scope, id: string): SQL {
  return sql`${scope.rows('e')} and e.started_at = ${startIn(id)}::timestamptz and e.id = ${id}`;
}

export function executionQuery(scope: Scope, id: string): SQL {
  return sql`select ${EXECUTION_COLUMNS}, ${BASELINE_COLUMN} from ${EXECUTION_TABLES} where ${oneOf(scope, id)}`;
}

/** Reads one execution as lists show it; `null` if it is outside the caller's scope. */
export async function findExecution(connection: Connection, scope: Scope, id: string): Promise<JobExecution | null> {
  const found = await row<ExecutionRow<JobExecution>>(connection, executionQuery(scope, id));
  return found === null ? null : withAnomalyTexts(found);
}

export function executionDetailQuery(scope: Scope, id: string): SQL {
  return sql`select ${EXECUTION_COLUMNS}, coalesce(l.lines, '[]') as log, e.notes,
      j.schedule_type as "scheduleType", j.next_run_at as "nextRunAt", j.target_name as "targetName", j.last_success_at as "lastSuccessAt", ${BASELINE_COLUMN},
      json_build_object('jobInstanceUid', j.job_instance_uid, 'sourceId', j.source_id, 'companyId', e.company_id, 'jobName', j.name,
        'companyName', c.name, 'serverName', j.server_name, 'targetName', j.target_name) as job
    from ${EXECUTION_TABLES}
    left join ${JOB_EXECUTION_LOGS} l on l.provider_id = e.provider_id and l.started_at = e.started_at and l.execution_id = e.id
    where ${oneOf(scope, id)}`;
}

export function pastRunsQuery(scope: Scope, jobInstanceUid: string): SQL {
  return sql`select e.id as "_id", e.started_at as "startedAt", e.result, ${WHOLE_DURATION} as "durationMs",
      e.transferred_bytes as "transferredBytes", e.anomalies
    from ${JOB_EXECUTIONS} e where ${scope.rows('e')} and e.job_instance_uid = ${jobInstanceUid}
    order by e.started_at desc limit ${PAST_RUNS}`;
}

/** Reads the candidates of a shared job, with the fields that distinguish them. */
export function candidatesQuery(scope: Scope, sharedJob: string): SQL {
  return sql`select j.job_instance_uid as "jobInstanceUid", j.name as "jobName", j.job_type as "jobType", j.server_name as "serverName",
      j.target_name as "targetName", j.last_started_at as "lastStartedAt", j.last_result as "lastResult"
    from ${JOBS} j where ${scope.rows('j')} and j.shared_job = ${sharedJob} and ${STILL_THERE}
    order by j.name, j.server_name, j.job_type, j.job_instance_uid`;
}

/** Reads one execution with its log and its job's last runs, oldest first; `null` if it is outside the caller's scope. */
export async function findExecutionDetail(
  connection: Connection,
  scope: Scope,
  id: string,
  callerId: string,
): Promise<Omit<JobExecutionDetail, 'hints'> | null> {
  const found = await row<DetailRow>(connection, executionDetailQuery(scope, id));
  if (found === null) return null;
  const pastRuns = await rows<PastRun>(connection, pastRunsQuery(scope, found.jobInstanceUid));
  const candidates =
    found.sharedBy === null ? [] : await rows<JobCandidate>(connection, candidatesQuery(scope, found.jobInstanceUid));
  const { job, ...stored } = found;
  const run = withAnomalyTexts(stored);
  return {
    ...run,
    notes: readNotes(found.notes, callerId),
    pastRuns: pastRuns.reverse(),
    candidates,
    solved: await findSolvedOfRun(connection, scope, run, job),
  };
}
