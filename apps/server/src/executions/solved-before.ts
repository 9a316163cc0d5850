import type { JobExecution, SolvedBefore } from '@keepwatch/contract/executions/job-executions';
import type { CauseReason } from '@keepwatch/contract/faults/values';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../directory/companies.ts';
import { type Connection, row } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';
import { lastNoteBy } from '../runs/execution-notes.ts';
import type { Cause, FaultJob } from '../runs/faults/causes/cause.ts';
import { causeOf } from '../runs/faults/causes/cause-of.ts';
import { FAULTS, kindOfResult } from '../runs/faults/faults.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';
import { isFineRun } from '../runs/rows/execution-rows.ts';
import { JOB_NAME } from './shared-jobs.ts';

/** Of the faults of a cause that were resolved last, so many are looked at for a note that goes with that. */
const RESOLVED_MAX = 20;
/** A note that is written and saved right before the fault is resolved goes with that; an older one says how things were then. */
const NOTED_BEFORE_MINUTES = 15;

/** A run of a fault: where it is, and what it is caused by. */
export interface CausedRun {
  jobInstanceUid: string;
  startedAt: string;
  cause: Pick<Cause, 'key' | 'why'>;
}

/** Causes that say what is wrong. Of others all that is known is which job or server it is: what helped once was something else. */
const REMEMBERED: ReadonlySet<CauseReason> = new Set<CauseReason>([
  'server',
  'repository',
  'certificate',
  'licence',
  'credentials',
  'message',
]);

/** Reads what solved the cause of a run before; `null` for a run that is fine, and where nothing did. */
export async function findSolvedOfRun(
  connection: Connection,
  scope: Scope,
  { jobInstanceUid, startedAt, result, anomalies, message }: JobExecution,
  job: FaultJob,
): Promise<SolvedBefore | null> {
  if (result === 'Running' || isFineRun(result, anomalies)) return null;
  const cause = causeOf({ kind: kindOfResult(result), message, anomalies, job });
  return findSolved(connection, scope, { jobInstanceUid, startedAt, cause });
}

/**
 * Reads the note of the last fault of this cause within the caller's scope that was resolved with one: another than the run's own. It is the
 * last note of who resolved the fault, written then or later.
 */
export async function findSolved(connection: Connection, scope: Scope, run: CausedRun): Promise<SolvedBefore | null> {
  const { why } = run.cause;
  if (!REMEMBERED.has(why)) return null;
  const found = await row<Omit<SolvedBefore, 'why'>>(connection, solvedQuery(scope, run));
  return found === null ? null : { why, ...found };
}

/** A few probes of the index of such faults, however many runs there are. */
export function solvedQuery(scope: Scope, { jobInstanceUid, startedAt, cause }: CausedRun): SQL {
  const isOwn = sql`f.job_instance_uid = ${jobInstanceUid} and f.opened_at <= ${startedAt}::timestamptz and f.last_started_at >= ${startedAt}::timestamptz`;
  return sql`select e.note->>'by' as by, e.note->>'at' as at, e.note->>'content' as note, ${JOB_NAME} as "jobName", c.name as "companyName"
    from (select f.* from ${FAULTS} f where ${scope.rows('f')} and f.cause_key = ${cause.key} and f.state = 'resolved' and f.is_noted and not (${isOwn})
      order by f.changed_at desc nulls last, f.id limit ${RESOLVED_MAX}) f
    join ${JOBS} j on j.provider_id = f.provider_id and j.job_instance_uid = f.job_instance_uid
    ${companyOf('f')}
    cross join lateral (select ${lastNoteBy(sql`f.changed_by`)} as note from ${JOB_EXECUTIONS} e where e.provider_id = f.provider_id
      and e.started_at = f.last_started_at and e.id = f.last_execution_id offset 0) e
    where (e.note->>'at')::timestamptz >= f.changed_at - make_interval(mins => ${NOTED_BEFORE_MINUTES})
    order by f.changed_at desc nulls last, f.id limit 1`;
}
