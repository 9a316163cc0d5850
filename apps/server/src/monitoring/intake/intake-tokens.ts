import type { IntakeToken } from '@keepwatch/contract/monitoring/sources';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute, repeatedRows, row, rows } from '../../foundation/database.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';
import { hashOfToken, newId, newToken } from '../../foundation/secrets.ts';
import { numberArray } from '../executions/column-arrays.ts';

/** Company and provider that a token stands for. */
export interface TokenOwner {
  providerId: number;
  companyId: string;
}

const COLUMNS = sql`t.id as "_id", t.name, t.company_id as "companyId", c.name as "companyName", t.created_at as "createdAt", t.last_used_at as "lastUsedAt"`;
const TABLES = sql`intake_tokens t join companies c on c.provider_id = t.provider_id and c.id = t.company_id and c.deleted_at is null`;

/** The tokens of companies within reach, the newest first. */
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

/** Makes a token for a company; `null` where the company is not within reach. The token itself is known this one time. */
export async function createToken(
  connection: Connection,
  scope: Scope,
  { name, companyId, at }: { name: string; companyId: string; at: Date },
): Promise<{ token: string; data: IntakeToken } | null> {
  const token = newToken();
  const data = await row<IntakeToken>(
    connection,
    sql`with made as (
          insert into intake_tokens (token_hash, provider_id, id, company_id, name, created_at)
          select ${hashOfToken(token)}, c.provider_id, ${newId()}, c.id, ${name}, ${at} from companies c
          where ${scope.companies('c')} and c.id = ${companyId} and c.deleted_at is null returning *)
        select ${COLUMNS} from made t join companies c on c.provider_id = t.provider_id and c.id = t.company_id`,
  );
  return data === null ? null : { token, data };
}

/** Removes a token; gives its name, `null` where there is none within reach. */
export async function deleteToken(connection: Connection, scope: Scope, id: string): Promise<string | null> {
  const removed = await row<{ name: string }>(
    connection,
    sql`delete from intake_tokens t where ${scope.rows('t')} and t.id = ${id} returning t.name`,
  );
  return removed?.name ?? null;
}

/** To whom tokens belong, by their hashes; a token that does not exist or was removed is not among them. */
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

/** A token that is used, and when. */
interface UsedToken {
  tokenHash: Buffer;
  at: Date;
}

/** Those of a provider's tokens that exist, each with whether its last use is to be written down: once a minute at most. */
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

/** Writes down when tokens were used, of those for which that is due. */
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
