import type { FaultKind } from '@keepwatch/contract/faults/values';
import type { Anomaly, Result } from '@keepwatch/contract/runs/values';
import { type SQL, sql } from 'drizzle-orm';
import { type Pool, rows } from '../../foundation/database.ts';
import type { FaultJob } from './causes/cause.ts';
import { causeOf } from './causes/cause-of.ts';

interface Run extends FaultJob {
  id: string;
  startedAt: string;
  result: Result;
  anomalies: Anomaly[];
  message: string | null;
  isRemoved: boolean;
  /** What the fault copies of its last run, as one text. */
  copied: string;
}

const copied = (isNoted: SQL) =>
  sql`concat_ws(' ', company_id, source_group, state, ignored_until, changed_by, changed_by_name, changed_at, ${isNoted})`;
const KINDS: Partial<Record<Result, FaultKind>> = { Failed: 'failed', DidntRun: 'missed', Warning: 'warning' };

/** Returns the stored faults, and those that one reads from the executions, run by run: two lists that have to be equal. */
export async function faultsAndRecount(pool: Pool): Promise<{ stored: unknown[]; counted: unknown[] }> {
  const stored = await rows(
    pool,
    sql`select id, job_instance_uid as job, opened_at as "openedAt", fine_at as "fineAt", last_started_at as "lastStartedAt",
          last_execution_id as "lastExecutionId", runs, closed_at as "closedAt", kind, cause_key as key, cause_why as why,
          cause_subject as subject, is_job_removed as "isJobRemoved", ${copied(sql`is_noted`)} as copied from faults order by job_instance_uid, opened_at`,
  );
  const runs = await rows<Run>(
    pool,
    sql`select e.id, e.started_at as "startedAt", e.result, e.anomalies, e.message, e.copied, e.job_instance_uid as "jobInstanceUid",
          j.source_id as "sourceId", e.company_id as "companyId", j.name as "jobName", c.name as "companyName", j.server_name as "serverName",
          j.target_name as "targetName", j.removed_at is not null as "isRemoved"
        from (select *, ${copied(sql`notes is not null`)} as copied from job_executions) e join jobs j on j.job_instance_uid = e.job_instance_uid
        left join companies c on c.id = e.company_id and c.deleted_at is null
        where e.result <> 'Running' order by e.job_instance_uid, e.started_at, (e.result = 'Success' and e.anomalies = '{}') desc, e.id`,
  );
  return { stored, counted: [...Map.groupBy(runs, (run) => run.jobInstanceUid).values()].flatMap(faultsOf) };
}

function faultsOf(runs: readonly Run[]): unknown[] {
  const faults: unknown[] = [];
  let fineAt: string | null = null;
  let sequence: Run[] = [];
  for (const run of runs) {
    const isFine = run.result === 'Success' && run.anomalies.length === 0;
    if (!isFine) sequence.push(run);
    else {
      faults.push(...faultOf(sequence, fineAt, run.startedAt));
      [sequence, fineAt] = [[], run.startedAt];
    }
  }
  return [...faults, ...faultOf(sequence, fineAt, null)];
}

function faultOf(sequence: readonly Run[], fineAt: string | null, closedAt: string | null): unknown[] {
  const [first, last] = [sequence.at(0), sequence.at(-1)];
  if (first === undefined || last === undefined) return [];
  const kind = KINDS[last.result] ?? 'doubtful';
  const { message, anomalies, copied } = last;
  const times = { openedAt: first.startedAt, fineAt, lastStartedAt: last.startedAt, closedAt };
  const cause = causeOf({ kind, message, anomalies, job: last });
  const ids = { id: first.id, job: first.jobInstanceUid, lastExecutionId: last.id };
  const isJobRemoved = closedAt === null && last.isRemoved;
  return [{ ...ids, ...times, runs: sequence.length, kind, ...cause, isJobRemoved, copied }];
}
