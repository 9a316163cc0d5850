import { type Fault, LAST_RESULTS, type listFaults as listFaultsCall } from '@keepwatch/contract/faults/faults';
import { CELL_ANOMALY, CELL_LETTERS, COUNT_MAX } from '@keepwatch/contract/runs/values';
import type { OrderOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../directory/companies.ts';
import { JOB_NAME } from '../executions/shared-jobs.ts';
import type { Connection } from '../foundation/database.ts';
import { type Page, readCount, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import type { EvaluatedExecution } from '../runs/anomalies.ts';
import { withAnomalyTexts } from '../runs/anomaly-texts.ts';
import { FAULTS, IS_OPEN_WORK, IS_WORK } from '../runs/faults/faults.ts';
import { daysWithoutFine, WITHOUT_FINE_SINCE } from '../runs/faults/without-fine.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';
import { SOURCES } from '../runs/source-horizon.ts';
import { type ChosenFaults, FAULT_STATE, faultParts, IS_HEALED, IS_NOT_HEALED } from './fault-filter.ts';

/** `fineAt`: the longest without a run that is fine first; `-fineAt` the shortest. Healed faults are last, whatever the order. */
export type FaultSort = OrderOf<typeof listFaultsCall>;

export interface FaultQuery extends ChosenFaults {
  sort: FaultSort | undefined;
  limit: number;
  offset: number;
  now: Date;
}

/** As the database has a fault: with what the texts of its anomalies are made from. */
export type FaultRow = Omit<Fault, 'anomalyTexts'> &
  EvaluatedExecution & { baseline: Buffer | null; lastAttemptMs: number | null };

/** Failed before missed, doubtful, warning and healed; of these the last to run first. */
const QUEUE_ORDER: SQL = sql`f.place, f.last_started_at desc, f.id`;

function faultOrder(sort: FaultSort | undefined): SQL {
  if (sort === undefined) return QUEUE_ORDER;
  const direction = sort === 'fineAt' ? sql`asc` : sql`desc`;
  return sql`${IS_HEALED}, ${WITHOUT_FINE_SINCE} ${direction}, f.id`;
}

const LETTER = sql.join(
  [
    sql.raw(`case when r.result = 'Success' and cardinality(r.anomalies) > 0 then '${CELL_ANOMALY}'`),
    ...Object.entries(CELL_LETTERS).map(([result, letter]) => sql.raw(`when r.result = '${result}' then '${letter}'`)),
    sql.raw('end'),
  ],
  sql` `,
);

/** A daily job has its last results within this. */
const RECENT = sql.raw("interval '31 days'");

/**
 * The last results of the job of a fault. Of most jobs they are in the newest months: the older parts of the table, more each month, are
 * looked into only where those do not have enough.
 */
function lastResults(scope: Scope, now: Date): SQL {
  const since = sql`${now}::timestamptz - ${RECENT}`;
  const runs = (condition: SQL) => sql`select r.started_at, ${LETTER} as letter from ${JOB_EXECUTIONS} r
    where ${scope.rows('r')} and r.job_instance_uid = f.job_instance_uid and ${condition} order by r.started_at desc limit ${LAST_RESULTS}`;
  const isShort = sql`(select count(*) from recent) < ${LAST_RESULTS}`;
  return sql`(with recent as materialized (${runs(sql`r.started_at > ${since}`)})
    select coalesce(string_agg(x.letter, '' order by x.started_at), '') from (
      select * from (select * from recent union all (${runs(sql`r.started_at <= ${since} and ${isShort}`)})) all_of order by started_at desc
      limit ${LAST_RESULTS}) x)`;
}

/** The faults of a query (aliased `f`, whole rows) as callers see them. How many share a cause is counted once for each cause. */
export function faultRowsQuery(scope: Scope, chosen: SQL, now: Date, sort?: FaultSort): SQL {
  return sql`with page as materialized (${chosen}),
    sharing as materialized (select f.cause_key, count(*) as jobs, count(distinct f.company_id) as companies from ${FAULTS} f
      where ${scope.rows('f')} and f.cause_key in (select cause_key from page) and ${IS_OPEN_WORK} group by 1)
    select f.id as "_id", f.job_instance_uid as "jobInstanceUid", ${JOB_NAME} as "jobName", j.shared_by as "sharedBy", j.job_type as "jobType",
      c.id as "companyId", c.name as "companyName", s.kind as source, f.source_group as "sourceGroup", j.server_name as "serverName",
      f.kind, ${FAULT_STATE} as state, f.runs, f.opened_at as "openedAt", f.last_started_at as "lastStartedAt",
      f.last_execution_id as "lastExecutionId", f.closed_at as "closedAt", f.fine_at as "fineAt", ${daysWithoutFine(now)} as "daysWithoutFine",
      e.message, e.anomalies, ${lastResults(scope, now)} as "lastResults", e.notes->-1->>'content' as note,
      f.ignored_until as "ignoredUntil", f.changed_by_name as "changedBy", f.changed_at as "changedAt",
      json_build_object('key', f.cause_key, 'why', f.cause_why, 'subject', f.cause_subject, 'jobs', coalesce(n.jobs, 0),
        'companies', coalesce(n.companies, 0)) as cause,
      e.started_at as "startedAt", e.result, e.duration_ms as "durationMs", e.transferred_bytes as "transferredBytes", e.size_bytes as "sizeBytes",
      case when cardinality(e.anomalies) > 0 then j.baseline end as baseline, e.duration_ms as "lastAttemptMs"
    from page f
    join ${JOBS} j on j.provider_id = f.provider_id and j.job_instance_uid = f.job_instance_uid
    join ${SOURCES} s on s.provider_id = j.provider_id and s.id = j.source_id
    ${companyOf('f')}
    cross join lateral (select e.* from ${JOB_EXECUTIONS} e where e.provider_id = f.provider_id and e.started_at = f.last_started_at
      and e.id = f.last_execution_id offset 0) e
    left join sharing n on n.cause_key = f.cause_key
    order by ${faultOrder(sort)}`;
}

/** Every part in its order first, so that a page is read from the beginning of each index. */
export function faultPageQuery(scope: Scope, { limit, offset, sort, ...chosen }: FaultQuery): SQL {
  const order = faultOrder(sort);
  const parts = faultParts(scope, chosen).map(
    (conditions) => sql`(select f.* from ${FAULTS} f where ${conditions} order by ${order} limit ${limit + offset})`,
  );
  return sql`select f.* from (${sql.join(parts, sql` union all `)}) f order by ${order} limit ${limit} offset ${offset}`;
}

export function faultCountQuery(scope: Scope, chosen: ChosenFaults): SQL {
  const parts = faultParts(scope, chosen).map((conditions) => sql`(select from ${FAULTS} f where ${conditions})`);
  return sql`select count(*) as count from (select from (${sql.join(parts, sql` union all `)}) f limit ${COUNT_MAX}) counted`;
}

/** Reads a page of faults and their total number (at most `COUNT_MAX`). */
export async function listFaults(connection: Connection, scope: Scope, query: FaultQuery): Promise<Page<Fault>> {
  const list = faultRowsQuery(scope, faultPageQuery(scope, query), query.now, query.sort);
  const page = await readPage<FaultRow>(connection, list, faultCountQuery(scope, query));
  return { ...page, data: page.data.map(faultOf) };
}

/** Counts the faults that are open, up to `max`. */
export function countOpenFaults(connection: Connection, scope: Scope, max: number): Promise<number> {
  const open = sql`select from ${FAULTS} f where ${scope.rows('f')} and ${IS_WORK} and ${IS_NOT_HEALED} limit ${max}`;
  return readCount(connection, sql`select count(*) as count from (${open}) counted`);
}

export function faultOf(row: FaultRow): Fault {
  const { startedAt, result, durationMs, transferredBytes, sizeBytes, lastAttemptMs, ...fault } = withAnomalyTexts(row);
  return fault;
}
