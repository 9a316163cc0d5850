import type { FaultKind } from '@keepwatch/contract/faults/values';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../../directory/companies.ts';
import { type Connection, rows } from '../../foundation/database.ts';
import { type JobSpan, spansOf } from '../rows/execution-rows.ts';
import type { FaultJob, FaultRun } from './causes/cause.ts';
import { isFine, isNotFine, kindOf } from './faults.ts';

/** A run of an open fault that a person works on, or ignores until a day: its last one, or one after that. */
export interface WorkedRun extends FaultRun {
  id: string;
  startedAt: string;
  /** It was the last one when the person changed the fault. */
  isLast: boolean;
  /** It is among what was reported just now, in the company in which it was. */
  isReported: boolean;
  /** No user changed it, and the fault is not ignored for a shorter time. */
  isFree: boolean;
  fault: { id: string; state: 'in-progress' | 'ignored'; kind: FaultKind; causeKey: string };
}

interface Row extends Omit<WorkedRun, 'job' | 'fault'>, FaultJob {
  faultId: string;
  faultState: WorkedRun['fault']['state'];
  faultKind: FaultKind;
  causeKey: string;
}

/** Reads those runs of each job in their order, up to the end of the span or the first run that is fine. */
export async function readWorkedRuns(
  connection: Connection,
  providerId: number,
  spans: readonly JobSpan[],
): Promise<WorkedRun[]> {
  return (await rows<Row>(connection, query(providerId, spans))).map(workedRun);
}

function workedRun({ faultId, faultState, faultKind, causeKey, ...rest }: Row): WorkedRun {
  const { jobInstanceUid, sourceId, companyId, jobName, companyName, serverName, targetName, ...run } = rest;
  const job = { jobInstanceUid, sourceId, companyId, jobName, companyName, serverName, targetName };
  return { ...run, job, fault: { id: faultId, state: faultState, kind: faultKind, causeKey } };
}

/** Only the cause of what is ignored is asked for: it needs the message. */
function query(providerId: number, spans: readonly JobSpan[]): SQL {
  const isIgnored = sql`f.state = 'ignored'`;
  const worked = sql`select k.from_at, k.to_at, f.* from (${spansOf(spans)}) k
    cross join lateral (select f.* from faults f where f.provider_id = ${providerId} and f.job_instance_uid = k.job
      order by f.opened_at desc limit 1) f
    where f.closed_at is null and f.changed_by is not null and f.last_started_at <= k.to_at
      and (f.state = 'in-progress' or (${isIgnored} and f.ignored_until is not null))`;
  const ofJob = (alias: string) =>
    sql`${sql.identifier(alias)}.provider_id = ${providerId} and ${sql.identifier(alias)}.job_instance_uid = f.job_instance_uid`;
  return sql`with worked as materialized (${worked})
    select e.id, e.started_at as "startedAt", e.id = f.last_execution_id as "isLast",
      e.started_at >= f.from_at and e.company_id is not distinct from f.company_id as "isReported",
      e.state = 'pending' and e.changed_by is null and (not ${isIgnored} or f.ignored_until > e.started_at) as "isFree",
      ${kindOf('e')} as kind, case when ${isIgnored} then e.message end as message, e.anomalies, f.id as "faultId", f.state as "faultState",
      f.kind as "faultKind", f.cause_key as "causeKey", f.job_instance_uid as "jobInstanceUid", j.source_id as "sourceId",
      e.company_id as "companyId", j.name as "jobName", c.name as "companyName", j.server_name as "serverName", j.target_name as "targetName"
    from worked f
    cross join lateral (select e.* from job_executions e where ${ofJob('e')} and e.started_at >= f.last_started_at and e.started_at <= f.to_at
      and (e.started_at > f.last_started_at or e.id = f.last_execution_id) and ${isNotFine('e')}
      and not exists (select from job_executions n where ${ofJob('n')} and n.started_at >= f.last_started_at and n.started_at <= e.started_at
        and ${isFine('n')}) offset 0) e
    left join lateral (select j.* from jobs j where j.provider_id = ${providerId} and j.job_instance_uid = f.job_instance_uid offset 0) j on true
    ${companyOf('e')}
    order by f.job_instance_uid, e.started_at, e.id`;
}
