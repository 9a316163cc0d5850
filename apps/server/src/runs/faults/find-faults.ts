import type { CauseReason, FaultKind } from '@keepwatch/contract/faults/values';
import type { Anomaly, DataSourceGroup, State } from '@keepwatch/contract/runs/values';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../../directory/companies.ts';
import { type Connection, rows } from '../../foundation/database.ts';
import { type JobSpan, spansOf } from '../rows/execution-rows.ts';
import type { Cause, FaultJob } from './causes/cause.ts';
import { isFine, kindOf } from './faults.ts';

/** The time of a job of which all faults were found again: those that were stored and begin in it are replaced. */
export interface Window {
  jobInstanceUid: string;
  fromAt: string;
  /** `null`: without an end. */
  toAt: string | null;
}

/** A fault as the runs have it. */
export interface FoundFault {
  id: string;
  openedAt: string;
  fineAt: string | null;
  lastStartedAt: string;
  lastExecutionId: string;
  runs: number;
  closedAt: string | null;
  sourceGroup: DataSourceGroup;
  kind: FaultKind;
  state: State;
  ignoredUntil: string | null;
  changedBy: string | null;
  changedByName: string | null;
  changedAt: string | null;
  isNoted: boolean;
  /** It is open, and its job was removed. */
  isJobRemoved: boolean;
  /** Of its last run. */
  message: string | null;
  anomalies: Anomaly[];
  job: FaultJob;
  /** The cause that is stored for the same last run. */
  storedCause: Cause | null;
}

/** Finds the faults of jobs around spans: from the beginning of the fault that a span touches to the first fine run after it. */
export async function findFaults(
  connection: Connection,
  providerId: number,
  spans: readonly JobSpan[],
): Promise<{ windows: Window[]; faults: FoundFault[] }> {
  const found = await rows<Row>(connection, query(providerId, spans));
  const windows = new Map(found.map((row) => [row.jobInstanceUid, windowOf(row)]));
  return { windows: [...windows.values()], faults: found.flatMap((row) => faultOf(row)) };
}

interface Row extends Omit<FoundFault, 'id' | 'job' | 'storedCause'>, FaultJob {
  windowFrom: string;
  windowTo: string | null;
  /** `null`: the job has no fault in the window. */
  id: string | null;
  causeKey: string | null;
  causeWhy: CauseReason | null;
  causeSubject: string | null;
}

function windowOf({ jobInstanceUid, windowFrom, windowTo }: Row): Window {
  return { jobInstanceUid, fromAt: windowFrom, toAt: windowTo };
}

function faultOf(row: Row): FoundFault[] {
  const { id, causeKey, causeWhy, causeSubject, windowFrom, windowTo, ...rest } = row;
  const { jobInstanceUid, sourceId, companyId, jobName, companyName, serverName, targetName, ...fault } = rest;
  if (id === null) return [];
  const job = { jobInstanceUid, sourceId, companyId, jobName, companyName, serverName, targetName };
  const hasCause = causeKey !== null && causeWhy !== null;
  return [
    { ...fault, id, job, storedCause: hasCause ? { key: causeKey, why: causeWhy, subject: causeSubject } : null },
  ];
}

/**
 * `b` is the fault that a span touches; `is_whole`: all of its runs are before the span, so that they need not be read. "offset 0" and
 * "limit" make each read an index probe, also in tables that were never analysed.
 */
function windowsOf(providerId: number, spans: readonly JobSpan[]): SQL {
  const ofJob = sql`e.provider_id = ${providerId} and e.job_instance_uid = k.job`;
  return sql`select k.*, b.id, b.opened_at, b.last_started_at, b.last_execution_id, b.runs,
      b.last_started_at < k.from_at as is_whole, coalesce(b.opened_at, k.from_at) as stored_from,
      case when b.last_started_at >= k.from_at then b.opened_at else k.from_at end as read_from,
      n.started_at as read_to, case when b.id is null then p.started_at else b.fine_at end as fine_at
    from (${spansOf(spans)}) k
    left join lateral (select f.* from faults f where f.provider_id = ${providerId} and f.job_instance_uid = k.job
      and f.opened_at < k.from_at order by f.opened_at desc limit 1) b on b.closed_at is null or b.closed_at >= k.from_at
    left join lateral (select e.started_at from job_executions e where ${ofJob} and e.started_at > k.to_at and ${isFine('e')}
      order by e.started_at limit 1) n on true
    left join lateral (select e.started_at from job_executions e where ${ofJob} and b.id is null and e.started_at < k.from_at and ${isFine('e')}
      order by e.started_at desc limit 1) p on true`;
}

/**
 * The runs of the windows in order, cut before each that is fine: what is not fine in a part is one fault. Of runs with the same start the
 * fine ones come first, so that no two faults of a job begin at once.
 */
function query(providerId: number, spans: readonly JobSpan[]): SQL {
  const notFine = sql`filter (where not r.fine)`;
  return sql`with windows as materialized (${windowsOf(providerId, spans)}),
    runs as (
      select w.job, e.started_at, e.id, e.fine, 1 as weight, e.started_at as opened_at, e.id as first_id
      from windows w cross join lateral (select e.started_at, e.id, ${isFine('e')} as fine from job_executions e
        where e.provider_id = ${providerId} and e.job_instance_uid = w.job and e.started_at >= w.read_from
          and e.started_at < coalesce(w.read_to, 'infinity') and e.result <> 'Running' offset 0) e
      union all
      select w.job, w.last_started_at, w.last_execution_id, false, w.runs, w.opened_at, w.id from windows w where w.is_whole),
    parts as (
      select r.*, sum(r.fine::int) over (partition by r.job order by r.started_at, r.fine desc, r.id rows unbounded preceding) as part from runs r),
    sequences as (
      select r.job, r.part, min(r.opened_at) ${notFine} as opened_at, (array_agg(r.first_id order by r.started_at, r.id) ${notFine})[1] as id,
        max(r.started_at) ${notFine} as last_started_at, (array_agg(r.id order by r.started_at desc, r.id desc) ${notFine})[1] as last_id,
        sum(r.weight) ${notFine} as runs, min(r.started_at) filter (where r.fine) as fine_at
      from parts r group by r.job, r.part),
    ended as (select s.*, lead(s.fine_at) over (partition by s.job order by s.part) as closed_at from sequences s),
    found as (select * from ended where runs > 0)
    select w.job as "jobInstanceUid", w.stored_from as "windowFrom", w.read_to as "windowTo", x.id, x.opened_at as "openedAt",
      coalesce(x.fine_at, w.fine_at) as "fineAt", x.last_started_at as "lastStartedAt", x.last_id as "lastExecutionId", x.runs,
      coalesce(x.closed_at, w.read_to) as "closedAt", coalesce(x.closed_at, w.read_to) is null and j.removed_at is not null as "isJobRemoved", e.source_group as "sourceGroup", ${kindOf('e')} as kind, e.state, e.ignored_until as "ignoredUntil",
      e.changed_by as "changedBy", e.changed_by_name as "changedByName", e.changed_at as "changedAt", e.notes is not null as "isNoted", e.company_id as "companyId", e.anomalies,
      case when f.id is null then e.message end as message, j.source_id as "sourceId", j.name as "jobName", c.name as "companyName",
      j.server_name as "serverName", j.target_name as "targetName", f.cause_key as "causeKey", f.cause_why as "causeWhy", f.cause_subject as "causeSubject"
    from windows w
    left join found x on x.job = w.job
    left join lateral (select e.* from job_executions e where e.provider_id = ${providerId} and e.started_at = x.last_started_at and e.id = x.last_id offset 0) e on true
    left join faults f on f.provider_id = ${providerId} and f.id = x.id and f.last_execution_id = x.last_id
      and not (x.last_started_at between w.from_at and w.to_at)
    left join lateral (select j.* from jobs j where j.provider_id = ${providerId} and j.job_instance_uid = w.job offset 0) j on true
    ${companyOf('e')}`;
}
