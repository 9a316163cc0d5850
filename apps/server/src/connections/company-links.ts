import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute, rows } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';
import { insert, update } from '../foundation/table-writes.ts';
import type { ConnectionKey } from './connection-settings.ts';
import { companyLinks } from './tables.ts';

/** The condition that a link (alias `l`) counts. One that a user has removed remains, so that no sync makes it again. */
const LINKED = sql`l.state = 'linked'`;

/** The kinds of consoles whose ids of a company the API shows by name. */
const SHOWN_KINDS = ['vac', 'vcd', 'zerto'] as const;
type ShownKind = (typeof SHOWN_KINDS)[number];

/**
 * Joins the ids of the companies (alias `c`) within scope in the consoles of each vendor as `links`, in one pass: `vac_id`, `vcd_id`,
 * `zerto_id`. A company that two consoles of a vendor know shows one of its ids.
 */
export function linksJoin(scope: Scope): SQL {
  const ids = SHOWN_KINDS.map(
    (kind) => sql`min(l.external_id) filter (where n.kind = ${kind}) as ${sql.identifier(`${kind}_id`)}`,
  );
  return sql`left join (select l.company_id, ${sql.join(ids, sql`, `)}
      from company_links l join connections n on n.provider_id = l.provider_id and n.id = l.connection_id
      where ${scope.rows('l')} and ${LINKED} group by l.company_id) links on links.company_id = c.id`;
}

/** The condition that a company (alias `c`) has an id in a console of a kind. */
export function isLinked(kind: ShownKind, externalId: string): SQL {
  return sql`exists (select from company_links l join connections n on n.provider_id = l.provider_id and n.id = l.connection_id
    where l.provider_id = c.provider_id and l.external_id = ${externalId} and l.company_id = c.id and ${LINKED} and n.kind = ${kind})`;
}

/** Joins the id in a connection of the company that a row (by its alias) belongs to, as `l.external_id`. */
export function linkJoin({ id }: Pick<ConnectionKey, 'id'>, alias: string): SQL {
  const table = sql.identifier(alias);
  return sql`left join company_links l on l.provider_id = ${table}.provider_id and l.company_id = ${table}.company_id and l.connection_id = ${id} and ${LINKED}`;
}

/** The companies of a connection with their ids in it, as a table: `l.company_id`, `l.external_id`. */
export function linksOf({ providerId, id }: ConnectionKey): SQL {
  return sql`(select company_id, external_id from company_links l where provider_id = ${providerId} and connection_id = ${id} and ${LINKED}) l`;
}

/** A link of a company, with the name of the connected system. */
export interface NamedLink {
  connectionId: string;
  connectionName: string;
  port: string;
  externalId: string;
}

/** Lists the links of a company to connected systems, by their names. */
export function listLinks(connection: Connection, scope: Scope, companyId: string): Promise<NamedLink[]> {
  return rows<NamedLink>(
    connection,
    sql`select n.id as "connectionId", n.name as "connectionName", n.port, l.external_id as "externalId"
        from company_links l join connections n on n.provider_id = l.provider_id and n.id = l.connection_id
        where ${scope.narrowedTo([companyId]).rows('l')} and ${LINKED} and n.deleted_at is null order by lower(n.name), n.id`,
  );
}

/** Companies by their ids in a connection; `null` for an id that a user has unlinked, so that it belongs to no company. */
export type CompanyIds = ReadonlyMap<string, string | null>;

/** Reads the ids of the companies of a connection, by their external ids. */
export async function companyIdsOf(connection: Connection, { providerId, id }: ConnectionKey): Promise<CompanyIds> {
  const found = await rows<{ externalId: string; companyId: string | null }>(
    connection,
    sql`select l.external_id as "externalId", case when ${LINKED} then l.company_id end as "companyId" from company_links l
        where l.provider_id = ${providerId} and l.connection_id = ${id}`,
  );
  return new Map(found.map(({ externalId, companyId }) => [externalId, companyId]));
}

export interface CompanyLink {
  externalId: string;
  companyId: string;
}

/** Links companies to a connection, each with one id. Of ids and companies, those that are linked stay so, and unlinked ids too. */
export async function linkCompanies(
  connection: Connection,
  { providerId, id }: ConnectionKey,
  links: readonly CompanyLink[],
): Promise<number> {
  if (links.length === 0) return 0;
  return execute(
    connection,
    sql`insert into company_links (provider_id, connection_id, external_id, company_id)
        select ${providerId}, ${id}, k."externalId", k."companyId"
        from json_to_recordset(${JSON.stringify(links)}::json) as k ("externalId" text, "companyId" uuid)
        on conflict do nothing`,
  );
}

/** Links a company to an id of a connection, which another company may have had. */
export async function moveLink(
  connection: Connection,
  { providerId, id: connectionId }: ConnectionKey,
  { externalId, companyId }: CompanyLink,
): Promise<void> {
  await insert(
    connection,
    companyLinks,
    { providerId, connectionId, externalId, companyId },
    sql`on conflict (provider_id, connection_id, external_id) do update set company_id = excluded.company_id, state = excluded.state`,
  );
}

/** Removes the link of a company to a connection, for its syncs too. */
export async function unlinkCompany(
  connection: Connection,
  { providerId, id }: ConnectionKey,
  companyId: string,
): Promise<void> {
  const linked = { providerId, connectionId: id, companyId, state: 'linked' };
  await update(connection, companyLinks, { state: 'unlinked' }, linked);
}

/**
 * Returns the companies that a removed connection of the same port and kind knew by these external ids: a console that is
 * disconnected and connected again reports the same companies. Of several the one removed last counts.
 */
export async function formerCompanies(
  connection: Connection,
  { providerId, id }: ConnectionKey,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await rows<CompanyLink>(
    connection,
    sql`select distinct on (l.external_id) l.external_id as "externalId", l.company_id as "companyId"
        from connections n
        join connections former on former.provider_id = n.provider_id and former.port = n.port and former.kind = n.kind and former.deleted_at is not null
        join company_links l on l.provider_id = former.provider_id and l.connection_id = former.id
        where n.provider_id = ${providerId} and n.id = ${id} and ${LINKED} and l.external_id = any(${sql.param(externalIds)}::text[])
        order by l.external_id, former.deleted_at desc`,
  );
  return new Map(found.map(({ externalId, companyId }) => [externalId, companyId]));
}
