import type { JobFilter } from '@keepwatch/contract/monitoring/filters';
import type { FailureOrder, RankedJob } from '@keepwatch/contract/monitoring/insight';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';
import type { Scope } from '../../foundation/scope.ts';
import { shownSum } from '../executions/bounded-sums.ts';
import type { Days } from '../executions/report-range.ts';
import { JOB_NAME } from '../executions/shared-jobs.ts';
import { jobRollups, withinDays } from './counted-days.ts';

export type Ranking = 'failures' | 'duration' | 'transferred';

export interface RankingQuery {
  ranking: Ranking;
  /** Of the ranking by failures; `count` unless given. */
  by?: FailureOrder;
  days: Days;
  filter: JobFilter;
  limit: number;
}

const ENDED_RUNS = sql`d.success + d.warning + d.failed`;
const ALL_RUNS = sql`${ENDED_RUNS} + d.running`;

/**
 * How a job's days become its value, which days count, and the runs that the value is made of: a run that did not tell its bytes is
 * none of those that transferred. Failures are read from the index of days with trouble.
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

/** Jobs with the highest values, of which the rates are compared. */
const RATED_MAX = 1_000;

/**
 * The share of failures of which one can be 95 % sure (the lower bound of Wilson's interval), so that 7 of 7 is above 20 of 161
 * and a single failure of a single run above neither 7 of 7 nor 20 of 21.
 */
const SURE_RATE = sql`(r.value + 1.92 - 1.96 * sqrt(r.value * (c.runs - r.value)::float8 / c.runs + 0.96)) / (c.runs + 3.84)`;

/** The jobs are ranked first; names and runs are looked up for those that made it and are still within reach. */
export function rankingQuery(scope: Scope, query: RankingQuery): SQL {
  const { value, days, runs } = VALUES[query.ranking];
  const isByRate = query.by === 'rate';
  const reach = scope.narrowedTo(query.filter.companyIds);
  // The days of few companies are found by their jobs; those of all lie together anyway.
  const ofCompanies =
    reach.companyIds === null
      ? sql``
      : sql`and d.job_instance_uid in (select own.job_instance_uid from jobs own where ${reach.rows('own')})`;
  return sql`select r.job_instance_uid as "jobInstanceUid", ${JOB_NAME} as "jobName", j.company_id as "companyId", c.name as "companyName",
      j.source_group as "sourceGroup", r.value, r.runs
    from (select r.job_instance_uid, r.value, c.runs, ${isByRate ? SURE_RATE : sql`r.value`} as rank
      from (select d.job_instance_uid, ${value} as value ${jobRollups(scope, query.days, query.filter)} and ${days} ${ofCompanies}
        group by d.job_instance_uid order by value desc, d.job_instance_uid limit ${isByRate ? RATED_MAX : query.limit}) r
      cross join lateral (select sum(${runs})::bigint as runs from job_days d
        where ${scope.rows('d')} and d.job_instance_uid = r.job_instance_uid and ${withinDays(query.days)}) c
      order by rank desc, r.value desc, r.job_instance_uid limit ${query.limit}) r
    join jobs j on j.job_instance_uid = r.job_instance_uid and ${reach.rows('j')}
    left join companies c on c.provider_id = j.provider_id and c.id = j.company_id
    order by r.rank desc, r.value desc, r.job_instance_uid`;
}

/** The jobs of the highest value; those with none (no failure, nothing transferred) are left out. */
export function rankJobs(connection: Connection, scope: Scope, query: RankingQuery): Promise<RankedJob[]> {
  return rows<RankedJob>(connection, rankingQuery(scope, query));
}
