import type { SourceExecution } from '@keepwatch/connectors/ports/backup-source';
import type { getLastSync, listUnmatchedRuns, ResultCounts } from '@keepwatch/contract/sources/sources';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import type { CompanyIds } from '../connections/company-links.ts';
import { companyOf } from '../directory/companies.ts';
import { type Connection, execute, rows } from '../foundation/database.ts';
import { type Page, readCount, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { idFrom } from '../runs/execution-id.ts';
import { cleanText } from '../runs/execution-log.ts';
import { SOURCES } from '../runs/source-horizon.ts';
import { storedMessage } from '../runs/stored-message.ts';

type UnmatchedRun = CallReply<typeof listUnmatchedRuns>['data'][number];

/** Number of runs that are stored per source; the oldest are deleted first. */
export const UNMATCHED_MAX = 10_000;
const NAME_LENGTH_MAX = 500;

/** Stores runs that match no job, so that users see what is missing, and removes those that match one by now. */
export async function storeUnmatchedRuns(
  connection: Connection,
  source: { providerId: number; id: string },
  runs: {
    unmatched: readonly SourceExecution[];
    matched: readonly SourceExecution[];
    companyIds: CompanyIds;
  },
): Promise<void> {
  const ofSource = sql`provider_id = ${source.providerId} and source_id = ${source.id}`;
  await removeUnmatchedRuns(
    connection,
    source,
    runs.matched.map((run) => run.externalId),
  );
  if (runs.unmatched.length === 0) return;
  const records = runs.unmatched.map((run) => ({
    id: idFrom(source.id, run.externalId),
    external_id: run.externalId,
    job_name: cleanText(run.jobName, NAME_LENGTH_MAX),
    company_id: run.companyExternalId === null ? null : (runs.companyIds.get(run.companyExternalId) ?? null),
    started_at: run.startedAt.toISOString(),
    result: run.result,
    message: run.message === null ? null : storedMessage(run.message),
  }));
  await execute(
    connection,
    sql`insert into unmatched_runs as u (provider_id, source_id, id, external_id, job_name, company_id, started_at, result, message)
        select ${source.providerId}, ${source.id}, k.id, k.external_id, k.job_name, k.company_id, k.started_at, k.result, k.message
        from json_to_recordset(${JSON.stringify(records)}::json) as k (id uuid, external_id text, job_name text, company_id uuid,
          started_at timestamptz, result execution_result, message text)
        on conflict (provider_id, source_id, external_id) do update set result = excluded.result, message = excluded.message
          where (u.result, u.message) is distinct from (excluded.result, excluded.message)`,
  );
  await execute(
    connection,
    sql`delete from unmatched_runs where ${ofSource} and started_at < (select started_at from unmatched_runs where ${ofSource}
          order by started_at desc offset ${UNMATCHED_MAX} limit 1)`,
  );
}

/** Removes runs that are no longer unmatched. */
export async function removeUnmatchedRuns(
  connection: Connection,
  source: { providerId: number; id: string },
  externalIds: readonly string[],
): Promise<void> {
  await execute(
    connection,
    sql`delete from unmatched_runs where provider_id = ${source.providerId} and source_id = ${source.id}
          and external_id = any(${sql.param(externalIds)}::text[])`,
  );
}

/** Counts the unmatched runs in scope by result. */
export async function countUnmatched(
  connection: Connection,
  scope: Scope,
): Promise<Pick<CallReply<typeof getLastSync>, 'unmatched'>> {
  const results = await rows<ResultCounts[number]>(
    connection,
    sql`select u.result, count(*) as runs from unmatched_runs u where ${scope.rows('u')} group by u.result order by u.result desc`,
  );
  return results.length === 0 ? {} : { unmatched: { results } };
}

/** Counts the unmatched runs in scope, up to `max`. */
export function countUnmatchedRuns(connection: Connection, scope: Scope, max: number): Promise<number> {
  return readCount(
    connection,
    sql`select count(*) as count from (select from unmatched_runs u where ${scope.rows('u')} limit ${max}) counted`,
  );
}

/** Lists the unmatched runs in scope, newest first. */
export function listUnmatched(
  connection: Connection,
  scope: Scope,
  page: { limit: number; offset: number },
): Promise<Page<UnmatchedRun>> {
  const tables = sql`unmatched_runs u join ${SOURCES} s on s.provider_id = u.provider_id and s.id = u.source_id
    ${companyOf('u')} where ${scope.rows('u')}`;
  return readPage(
    connection,
    sql`select u.id as "_id", s.name as source, u.job_name as "jobName", c.name as "companyName", u.started_at as "startedAt", u.result, u.message
        from ${tables} order by u.started_at desc, u.id limit ${page.limit} offset ${page.offset}`,
    sql`select count(*) as count from ${tables}`,
  );
}
