import {
  FITTING_RUNS_MAX,
  type FittingRun,
  type listFittingRuns,
  phrasesOf,
  SEARCHED_RUNS_MAX,
} from '@keepwatch/contract/watch/hints';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { EXECUTION_NAMES } from '../executions/job-executions.ts';
import { JOB_NAME } from '../executions/shared-jobs.ts';
import type { Connection } from '../foundation/database.ts';
import { type Page, readCount, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { fits } from './hint-condition.ts';

const DAYS = 30;
const NEWEST = 3;

/**
 * Reads the newest runs of the last 30 days that fit a condition, and how many there are, up to `FITTING_RUNS_MAX`. Of a large provider
 * only the newest `SEARCHED_RUNS_MAX` are looked at: messages have no index, and people ask at each pause of typing.
 */
export async function readFittingRuns(
  connection: Connection,
  scope: Scope,
  { words = '', result, sourceGroups = [], jobTypes = [] }: Partial<CallInput<typeof listFittingRuns>['query']>,
  now: Date,
): Promise<Page<FittingRun> & { searched: number }> {
  const isFitting = fits(
    {
      message: sql`e.message`,
      result: sql`e.result::text`,
      sourceGroup: sql`e.source_group::text`,
      jobType: sql`j.job_type`,
    },
    {
      phrases: sql`${sql.param(phrasesOf(words))}::text[]`,
      result: sql`${result ?? null}::text`,
      sourceGroups: sql`${sql.param(sourceGroups)}::text[]`,
      jobTypes: sql`${sql.param(jobTypes)}::text[]`,
    },
  );
  const recent = sql`(select e.* from ${JOB_EXECUTIONS} e where ${scope.rows('e')}
    and e.started_at >= ${now}::timestamptz - make_interval(days => ${DAYS}) order by e.started_at desc limit ${SEARCHED_RUNS_MAX}) e`;
  const [page, searched] = await Promise.all([
    readPage<FittingRun>(
      connection,
      sql`select e.id as "_id", ${JOB_NAME} as "jobName", c.name as "companyName", e.started_at as "startedAt", e.result, e.message
          from ${recent} ${EXECUTION_NAMES} where ${isFitting} order by e.started_at desc, e.id limit ${NEWEST}`,
      sql`select count(*) as count from (select from ${recent} ${EXECUTION_NAMES} where ${isFitting} limit ${FITTING_RUNS_MAX}) counted`,
    ),
    readCount(connection, sql`select count(*) as count from ${recent}`),
  ]);
  return { ...page, searched };
}
