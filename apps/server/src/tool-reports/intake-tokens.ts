import {
  type getIntakeToken,
  type IntakeToken,
  type ReportedJob,
  TEST_TOOL,
} from '@keepwatch/contract/tool-reports/tool-reports';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../audit/target-name.ts';
import { COMPANIES, companiesWithin } from '../directory/companies.ts';
import { every } from '../foundation/conditions.ts';
import { type Connection, execute, repeatedRows, row, rows } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { hashOfToken, newId, newToken } from '../foundation/secrets.ts';
import { insert, remove } from '../foundation/table-writes.ts';
import { forgetJobs } from '../runs/forget-jobs.ts';
import { JOBS } from '../runs/jobs.ts';
import { numberArray } from '../runs/rows/column-arrays.ts';
import { intakeTokens } from './tables.ts';

type IntakeTokenDetail = CallReply<typeof getIntakeToken>['data'];

/** Jobs in the detail of a token. */
const JOBS_MAX = 20;

/** Company and provider of a token. */
export interface TokenOwner {
  providerId: number;
  companyId: string;
}

/** The job (alias `j`) was last reported with the token (alias `t`). */
const OF_TOKEN = sql`j.provider_id = t.provider_id and j.company_id = t.company_id and j.intake_token_id = t.id`;
const COLUMNS = sql`t.id as "_id", t.name, t.company_id as "companyId", c.name as "companyName", t.created_at as "createdAt", t.last_used_at as "lastUsedAt",
  exists (select from ${JOBS} j where ${OF_TOKEN} and j.tool = ${TEST_TOOL}) as "hasTestRun"`;
const TABLES = sql`intake_tokens t join ${COMPANIES} c on c.provider_id = t.provider_id and c.id = t.company_id and c.deleted_at is null`;

/** Names a token in the users logs. */
export const nameOfToken: NameOfTarget = (scope, id) =>
  sql`select t.name from intake_tokens t where ${scope.rows('t')} and t.id = ${id}`;

/** Lists the tokens of companies in scope, newest first. */
export function listTokens(
  connection: Connection,
  scope: Scope,
  page: { limit: number; offset: number },
): Promise<Page<IntakeToken>> {
  const within = scope.rows('t');
  return readPage(
    connection,
    sql`select ${COLUMNS} from ${TABLES} where ${within} order by t.created_at desc, t.id limit ${page.limit} offset ${page.offset}`,
    sql`select count(*) as count from ${TABLES} where ${within}`,
  );
}

/** Creates a token for a company; `null` if it is outside the scope. The token itself is returned only this once. */
export async function createToken(
  connection: Connection,
  scope: Scope,
  { name, companyId, at }: { name: string; companyId: string; at: Date },
): Promise<{ token: string; data: IntakeToken } | null> {
  const within = every(companiesWithin(scope.narrowedTo([companyId])));
  if ((await row(connection, sql`select c.id from ${COMPANIES} c where ${within} for key share`)) === null) return null;
  const [token, id] = [newToken(), newId()];
  const { providerId } = scope;
  await insert(connection, intakeTokens, {
    tokenHash: hashOfToken(token),
    providerId,
    id,
    companyId,
    name,
    createdAt: at,
  });
  const data = await row<IntakeToken>(
    connection,
    sql`select ${COLUMNS} from ${TABLES} where ${scope.rows('t')} and t.id = ${id}`,
  );
  return data === null ? null : { token, data };
}

/** Reads a token with the jobs that were last reported with it; `null` if the scope has no such token. */
export async function findToken(connection: Connection, scope: Scope, id: string): Promise<IntakeTokenDetail | null> {
  const isIt = sql`${scope.rows('t')} and t.id = ${id}`;
  const token = await row<IntakeToken>(connection, sql`select ${COLUMNS} from ${TABLES} where ${isIt}`);
  if (token === null) return null;
  const jobs = await rows<ReportedJob>(
    connection,
    sql`select j.job_instance_uid as "jobInstanceUid", j.name as "jobName", j.tool, j.last_execution_id as "executionId",
          j.last_started_at as "startedAt", j.last_result as result
        from ${TABLES} join ${JOBS} j on ${OF_TOKEN} where ${isIt} and j.last_execution_id is not null
        order by j.last_started_at desc, j.job_instance_uid limit ${JOBS_MAX}`,
  );
  return { ...token, jobs };
}

/** Removes the jobs that only test the token, with their runs; `null` if the scope has no such token. The caller holds the executions lock. */
export async function removeTestJobs(connection: Connection, scope: Scope, id: string): Promise<number | null> {
  const isIt = sql`${scope.rows('t')} and t.id = ${id}`;
  if ((await row(connection, sql`select from intake_tokens t where ${isIt}`)) === null) return null;
  const tests = await rows<{ uid: string }>(
    connection,
    sql`select j.job_instance_uid as uid from intake_tokens t join ${JOBS} j on ${OF_TOKEN} where ${isIt} and j.tool = ${TEST_TOOL}`,
  );
  await forgetJobs(
    connection,
    scope.providerId,
    tests.map(({ uid }) => uid),
  );
  return tests.length;
}

/** Removes a token and returns its name; `null` if the scope has no such token. */
export async function deleteToken(connection: Connection, scope: Scope, id: string): Promise<string | null> {
  const found = await row<{ name: string }>(
    connection,
    sql`select t.name from intake_tokens t where ${scope.rows('t')} and t.id = ${id} for update`,
  );
  if (found !== null) await remove(connection, intakeTokens, { providerId: scope.providerId, id });
  return found?.name ?? null;
}

/** Reads the owners of tokens by hash, without tokens that do not exist or were removed. */
export function readTokenOwners(
  connection: Connection,
  hashes: readonly Buffer[],
): Promise<(TokenOwner & { tokenHash: Buffer })[]> {
  return rows(
    connection,
    sql`select t.token_hash as "tokenHash", t.provider_id as "providerId", t.company_id as "companyId"
        from ${TABLES} where t.token_hash = any(${sql.param(hashes)}::bytea[])`,
  );
}

/** A use of a token with its time. */
interface UsedToken {
  tokenHash: Buffer;
  at: Date;
}

/** Reads which tokens of a provider exist, and for which of them a use has to be recorded, at most once a minute. */
export async function readTokens(
  connection: Connection,
  providerId: number,
  used: readonly UsedToken[],
): Promise<(UsedToken & { isDue: boolean })[]> {
  const found = await repeatedRows<{ place: number; isDue: boolean }>(
    connection,
    sql`select k.place::int as place, coalesce(t.last_used_at < k.at - interval '1 minute', true) as "isDue"
        from ${unnested(used)} join ${TABLES} on t.token_hash = k.hash and t.provider_id = ${providerId}`,
  );
  return found.flatMap(({ place, isDue }) => {
    const token = used[place - 1];
    return token === undefined ? [] : [{ tokenHash: token.tokenHash, at: token.at, isDue }];
  });
}

/** Records when tokens were used. */
export async function touchTokens(
  connection: Connection,
  tokens: readonly (UsedToken & { isDue: boolean })[],
): Promise<void> {
  const due = tokens.filter((token) => token.isDue);
  if (due.length === 0) return;
  await execute(
    connection,
    sql`update intake_tokens t set last_used_at = k.at from ${unnested(due)} where t.token_hash = k.hash`,
  );
}

function unnested(used: readonly UsedToken[]): SQL {
  const hashes = sql.param(used.map((token) => token.tokenHash));
  const instants = numberArray(
    used.map((token) => token.at.getTime()),
    'timestamptz',
  );
  return sql`unnest(${hashes}::bytea[], ${instants}) with ordinality as k (hash, at, place)`;
}
