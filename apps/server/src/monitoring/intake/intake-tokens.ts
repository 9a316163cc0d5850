import type { IntakeToken } from '@keepwatch/contract/monitoring/sources';
import { sql } from 'drizzle-orm';
import { type Connection, execute, row } from '../../foundation/database.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';
import { hashOfToken, newId, newToken } from '../../foundation/secrets.ts';

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

/** Whose token this is; `null` for one that does not exist or was removed. */
export function ownerOfToken(connection: Connection, token: string): Promise<TokenOwner | null> {
  return row<TokenOwner>(
    connection,
    sql`select t.provider_id as "providerId", t.company_id as "companyId" from ${TABLES} where t.token_hash = ${hashOfToken(token)}`,
  );
}

/** Writes down that a token was used, once a minute at most. */
export async function keepTokenUse(connection: Connection, token: string, at: Date): Promise<void> {
  await execute(
    connection,
    sql`update intake_tokens set last_used_at = ${at} where token_hash = ${hashOfToken(token)}
          and (last_used_at is null or last_used_at < ${at}::timestamptz - interval '1 minute')`,
  );
}
