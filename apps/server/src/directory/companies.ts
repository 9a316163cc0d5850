import type { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import type { CallReply } from '@keepwatch/contract/wire/call';
import type { OrderOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../audit/target-name.ts';
import { PROVIDERS } from '../branding/brands.ts';
import { isLinked, linksJoin } from '../connections/company-links.ts';
import { containing, every, orderOf } from '../foundation/conditions.ts';
import { type Connection, row } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { USERS_WITH_REACH, usersWithin } from './listed-users.ts';
import { companies } from './tables.ts';
import { IS_LIVING } from './users.ts';

/** The companies, for queries that list them with figures of their own, for what `companies` changes, and for a sync. */
export const COMPANIES = companies;

/** Joins the company that a row (by its alias) belongs to as `c`. A removed company is none: its jobs and runs remain without one. */
export function companyOf(alias: string): SQL {
  const table = sql.identifier(alias);
  return sql`left join companies c on c.provider_id = ${table}.provider_id and c.id = ${table}.company_id and c.deleted_at is null`;
}

/** Names a company in the users logs. */
export const nameOfCompany: NameOfTarget = (scope, id) =>
  sql`select t.name from companies t where ${scope.companies('t')} and t.id = ${id}`;

/** A company as it leaves; aliases as in `companyTables`. */
export const COMPANY_COLUMNS: SQL = sql`c.id as "_id", c.name, c.email, c.phone, c.is_active as "isActive", c.is_managed as "isManaged",
  coalesce(sp.name, p.name) as "serviceProvider",
  json_build_object('vac', json_build_object('id', links.vac_id), 'vcd', json_build_object('id', links.vcd_id),
    'zerto', json_build_object('id', links.zerto_id)) as applications`;

/** The companies within scope, with what `COMPANY_COLUMNS` needs: `c` company, `sp` sub-provider, `p` provider, `links` their ids in consoles. */
export function companyTables(scope: Scope): SQL {
  return sql`companies c join ${PROVIDERS} p on p.id = c.provider_id
    left join sub_providers sp on sp.provider_id = c.provider_id and sp.id = c.sub_provider_id ${linksJoin(scope)}`;
}

/** Companies (alias `c`) within reach that are not removed. */
export function companiesWithin(scope: Scope, search?: string | undefined): SQL[] {
  const conditions = [scope.companies('c'), sql`c.deleted_at is null`];
  if (search) conditions.push(sql`c.name ilike ${containing(search)}`);
  return conditions;
}

/** Counts the companies within reach. */
export async function countCompanies(connection: Connection, scope: Scope): Promise<number> {
  const found = await row<{ count: number }>(
    connection,
    sql`select count(*) as count from companies c where ${every(companiesWithin(scope))}`,
  );
  return found?.count ?? 0;
}

export type ReportingCompany = CallReply<typeof listReportingCompanies>['data'][number];

export interface ReportingCompanyQuery {
  search?: string | undefined;
  ids?: string[] | undefined;
  vacId?: string | undefined;
  vcdId?: string | undefined;
  zertoId?: string | undefined;
  users?: boolean | undefined;
  sort?: OrderOf<typeof listReportingCompanies> | undefined;
  limit: number;
  offset: number;
}

/** The people limited to a company (alias `c`) who can sign in, among those whom the caller may see. */
function usersOf(scope: Scope): SQL {
  const isLimitedToIt = sql`(u.sub_provider_id = c.sub_provider_id
    or u.id in (select uc.user_id from user_companies uc where uc.provider_id = c.provider_id and uc.company_id = c.id))`;
  return sql`(select coalesce(json_agg(json_build_object('_id', u.id, 'name', u.name, 'email', u.email) order by lower(u.name), u.id), '[]')
    from ${USERS_WITH_REACH} where ${every([...usersWithin(scope), IS_LIVING, isLimitedToIt])})`;
}

export function reportingCompanyQuery(scope: Scope, query: ReportingCompanyQuery): SQL {
  const order = orderOf({ name: sql`lower(c.name)` }, query.sort ?? 'name');
  return sql`select c.id as "_id", c.name, links.vac_id as "vacId", links.vcd_id as "vcdId", links.zerto_id as "zertoId"
      ${query.users ? sql`, ${usersOf(scope)} as users` : sql``}
    from companies c ${linksJoin(scope.narrowedTo(query.ids))} where ${reported(scope, query)} order by ${order}, c.id limit ${query.limit} offset ${query.offset}`;
}

export function reportingCompanyCountQuery(scope: Scope, query: ReportingCompanyQuery): SQL {
  return sql`select count(*) as count from companies c where ${reported(scope, query)}`;
}

function reported(scope: Scope, { search, ids, vacId, vcdId, zertoId }: ReportingCompanyQuery): SQL {
  const conditions = companiesWithin(scope.narrowedTo(ids), search);
  if (vacId !== undefined) conditions.push(isLinked('vac', vacId));
  if (vcdId !== undefined) conditions.push(isLinked('vcd', vcdId));
  if (zertoId !== undefined) conditions.push(isLinked('zerto', zertoId));
  return every(conditions);
}

/** Companies for filters and look-ups; with `users` also the people limited to each. */
export function findReportingCompanies(
  connection: Connection,
  scope: Scope,
  query: ReportingCompanyQuery,
): Promise<Page<ReportingCompany>> {
  return readPage(connection, reportingCompanyQuery(scope, query), reportingCompanyCountQuery(scope, query));
}
