import type { JobFilter } from '@keepwatch/contract/executions/filters';
import { type Changes, NAMED_MAX } from '@keepwatch/contract/insights/changes';
import { type SQL, sql } from 'drizzle-orm';
import { jobConditions, jobsWithin, ofNames } from '../executions/execution-filter.ts';
import { COUNTED } from '../executions/job-status.ts';
import { containing, every } from '../foundation/conditions.ts';
import { type Connection, row, rows } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';
import { FAULTS, IS_WORK } from '../runs/faults/faults.ts';
import { JOBS } from '../runs/jobs.ts';
import { REPORTS_ITSELF, SOURCES } from '../runs/source-horizon.ts';
import { isKnownFrom } from './job-names.ts';

const SINCE_MS = 86_400_000;

/** A source that was not read for this long, and for several of its intervals, has stopped: a console that restarts comes back earlier. */
const STOPPED_HOURS = 1;
const STOPPED_INTERVALS = 3;

type Counted = Changes['newJobs'];

/** Counts the jobs of a query, and names the first of them. */
function countedQuery(jobs: SQL): SQL {
  return sql`with found as materialized (${jobs})
    select (select count(*) from found) as count,
      array(select found.name from found order by lower(found.name), found.name limit ${NAMED_MAX}) as names`;
}

/** Faults (alias `f`) that are worked on, as the list of faults selects them. */
function faultsQuery(scope: Scope, filter: JobFilter, condition: SQL): SQL {
  const conditions = [...jobConditions(scope, filter, 'f'), IS_WORK, condition];
  if (filter.search) conditions.push(ofNames(scope, 'f', containing(filter.search)));
  return countedQuery(
    sql`select j.name from ${FAULTS} f join ${JOBS} j on j.provider_id = f.provider_id and j.job_instance_uid = f.job_instance_uid
      where ${every(conditions)}`,
  );
}

/** A fault that began since then ran since then: its last run is in the index, its first one is not. */
export function newFaultsQuery(scope: Scope, filter: JobFilter, since: string): SQL {
  const isNew = sql`f.closed_at is null and f.last_started_at >= ${since}::timestamptz and f.opened_at >= ${since}::timestamptz`;
  return faultsQuery(scope, filter, isNew);
}

export function healedFaultsQuery(scope: Scope, filter: JobFilter, since: string): SQL {
  return faultsQuery(scope, filter, sql`f.closed_at >= ${since}::timestamptz`);
}

export function newJobsQuery(scope: Scope, filter: JobFilter, since: string): SQL {
  const conditions = [...jobsWithin(scope, filter), COUNTED, isKnownFrom(since)];
  return countedQuery(sql`select j.name from ${JOBS} j where ${every(conditions)}`);
}

/**
 * Sources with a job within scope and filter that should have been read and were not; what reports itself is never read. A source is the
 * provider's own, and its name may be that of a machine: who sees some companies only learns that it stopped, not what it is called.
 */
export function stoppedSourcesQuery(scope: Scope, filter: JobFilter, now: Date): SQL {
  const patience = sql`greatest(make_interval(hours => ${STOPPED_HOURS}), ${STOPPED_INTERVALS} * make_interval(mins => s.sync_interval_minutes))`;
  const name = scope.companyIds === null ? sql`s.name` : sql`null`;
  return sql`select s.id as "_id", ${name} as name, s.history_read_to as "readTo" from ${SOURCES} s
    where s.provider_id = ${scope.providerId} and s.deleted_at is null and s.is_enabled and not (${REPORTS_ITSELF})
      and s.history_read_to < ${now}::timestamptz - ${patience}
      and exists (select from ${JOBS} j where ${every([...jobsWithin(scope, filter), COUNTED])} and j.source_id = s.id)
    order by s.history_read_to, s.id`;
}

/** Reads what is different from the same time yesterday. */
export async function readChanges(
  connection: Connection,
  scope: Scope,
  filter: JobFilter,
  now: Date,
): Promise<Changes> {
  const since = new Date(now.getTime() - SINCE_MS).toISOString();
  const read = async (query: SQL) => (await row<Counted>(connection, query)) ?? { count: 0, names: [] };
  const [newFaults, healedFaults, newJobs, stoppedSources] = await Promise.all([
    read(newFaultsQuery(scope, filter, since)),
    read(healedFaultsQuery(scope, filter, since)),
    read(newJobsQuery(scope, filter, since)),
    rows<Changes['stoppedSources'][number]>(connection, stoppedSourcesQuery(scope, filter, now)),
  ]);
  return { since, newFaults, healedFaults, newJobs, stoppedSources };
}
