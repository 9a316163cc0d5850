import type { JobFilter } from '@keepwatch/contract/executions/filters';
import type { FailureOrder, RankedJob } from '@keepwatch/contract/insights/insights';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../directory/companies.ts';
import { JOB_NAME } from '../executions/shared-jobs.ts';
import { type Connection, rows } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';
import { shownSum } from '../runs/bounded-sums.ts';
import { JOB_DAYS } from '../runs/day-rollups.ts';
import { JOBS } from '../runs/jobs.ts';
import type { Days } from '../runs/report-range.ts';
import { jobRollups, withinDays } from './counted-days.ts';

export type Ranking = 'failures' | 'duration' | 'transferred';

export interface RankingQuery {
  ranking: Ranking;
  /** Order of the ranking by failures; the default is `count`. */
  by?: FailureOrder;
  days: Days;
  filter: JobFilter;
  limit: number;
}

const ENDED_RUNS = sql`d.success + d.warning + d.failed`;
const ALL_RUNS = sql`${ENDED_RUNS} + d.running`;

/**
 * For each ranking the value of a job, the days that count, and the runs behind the value: a run that reported no bytes does not count
 * as one that transferred. Failures are read from the index of days with trouble.
 */
const VALUES: Readonly<Record<Ranking, { value: SQL; days: SQL; runs: SQL }>> = {
  failures: { value: sql`sum(d.failed)::bigint`, days: sql`d.failed > 0`, runs: ENDED_RUNS },
  duration: { value: sql`max(d.duration_ms_max)`, days: sql`d.duration_ms_max > 0`, runs: ALL_RUNS },
  transferred: {
    value: shownSum(sql`sum(d.transferred_bytes)`),
    days: sql`d.transferred_bytes > 0`,
    runs: sql`${ALL_RUNS} - d.unmeasured`,
  },
};

/** Number of jobs with the highest values whose rates are compared. */
const RATED_MAX = 1_000;

/**
 * The failure rate that is certain to 95 % (the lower bound of Wilson's interval), so that 7 of 7 ranks above 20 of 161, and 1 of 1
 * above neither 7 of 7 nor 20 of 21.
 */
const SURE_RATE = sql`(r.value + 1.92 - 1.96 * sqrt(r.value * (c.runs - r.value)::float8 / c.runs + 0.96)) / (c.runs + 3.84)`;

/** Ranks jobs first, then looks up names and runs of the ranked ones that are still in scope. */
export function rankingQuery(scope: Scope, query: RankingQuery): SQL {
  const { value, days, runs } = VALUES[query.ranking];
  const isByRate = query.by === 'rate';
  const reach = scope.narrowedTo(query.filter.companyIds);
  // The days of a few companies are found by their jobs; those of all companies are adjacent anyway.
  const ofCompanies =
    reach.companyIds === null
      ? sql``
      : sql`and d.job_instance_uid in (select own.job_instance_uid from ${JOBS} own where ${reach.rows('own')})`;
  return sql`select r.job_instance_uid as "jobInstanceUid", ${JOB_NAME} as "jobName", c.id as "companyId", c.name as "companyName",
      j.source_group as "sourceGroup", r.value, r.runs
    from (select r.job_instance_uid, r.value, c.runs, ${isByRate ? SURE_RATE : sql`r.value`} as rank
      from (select d.job_instance_uid, ${value} as value ${jobRollups(scope, query.days, query.filter)} and ${days} ${ofCompanies}
        group by d.job_instance_uid order by value desc, d.job_instance_uid limit ${isByRate ? RATED_MAX : query.limit}) r
      cross join lateral (select sum(${runs})::bigint as runs from ${JOB_DAYS} d
        where ${scope.rows('d')} and d.job_instance_uid = r.job_instance_uid and ${withinDays(query.days)}) c
      order by rank desc, r.value desc, r.job_instance_uid limit ${query.limit}) r
    join ${JOBS} j on j.job_instance_uid = r.job_instance_uid and ${reach.rows('j')}
    ${companyOf('j')}
    order by r.rank desc, r.value desc, r.job_instance_uid`;
}

/** Returns the jobs of the highest value, without those that have none (no failure, nothing transferred). */
export function rankJobs(connection: Connection, scope: Scope, query: RankingQuery): Promise<RankedJob[]> {
  return rows<RankedJob>(connection, rankingQuery(scope, query));
}
