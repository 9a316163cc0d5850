import type {
  Computer,
  getComputersStatus,
  listComputers,
  UnprotectedCompany,
} from '@keepwatch/contract/inventory/computers';
import type { CallReply } from '@keepwatch/contract/wire/call';
import type { OrderOf, SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../audit/target-name.ts';
import { companyOf } from '../directory/companies.ts';
import { containing, every, orderOf } from '../foundation/conditions.ts';
import { type Connection, row } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { update } from '../foundation/table-writes.ts';
import { computers } from './tables.ts';

/** The machines that consoles know, which a sync writes. */
export const COMPUTERS = computers;

/** Names a computer in the users logs. */
export const nameOfComputer: NameOfTarget = (scope, id) =>
  sql`select t.host_name from computers t where ${scope.rows('t')} and t.id = ${id}`;

/** Marks the computers of a source as removed. */
export async function removeComputers(
  connection: Connection,
  source: { providerId: number; sourceId: string },
  at: Date,
): Promise<void> {
  await update(connection, computers, { removedAt: sql`coalesce(removed_at, ${at})` }, source);
}

export type ComputersStatus = CallReply<typeof getComputersStatus>['data'];

export interface ComputerQuery {
  filter: {
    companyIds?: string[] | undefined;
    search?: string | undefined;
    withoutCompany?: boolean | undefined;
    ignored: boolean;
    unprotected: boolean;
  };
  sort?: OrderOf<typeof listComputers> | undefined;
  limit: number;
  offset: number;
}

const SORTS: Readonly<Record<SortOf<typeof listComputers>, SQL>> = {
  hostName: sql`lower(p.host_name)`,
  companyName: sql`lower(c.name)`,
  status: sql`p.status`,
  lastSeenAt: sql`p.last_seen_at`,
};

const HAS_AGENT = sql`p.agent_installation_status is not distinct from 'Installed'`;
const STILL_THERE = sql`p.removed_at is null`;
const TABLES = sql`computers p ${companyOf('p')}`;

export function computerQuery(scope: Scope, query: ComputerQuery): SQL {
  return sql`select p.id as "_id", p.host_name as "hostName", p.fqdn, c.id as "companyId", c.name as "companyName",
      p.operating_system as "operatingSystem", p.platform, p.ip_addresses as "ipAddresses", p.status,
      p.agent_installation_status as "agentInstallationStatus", p.agent_management_status as "agentManagementStatus",
      p.last_seen_at as "lastSeenAt", p.ignored_at is not null as "isIgnored", p.note
    from ${TABLES} where ${found(scope, query)}
    order by ${orderOf(SORTS, query.sort ?? 'hostName')}, p.id limit ${query.limit} offset ${query.offset}`;
}

export function computerCountQuery(scope: Scope, query: ComputerQuery): SQL {
  return sql`select count(*) as count from ${TABLES} where ${found(scope, query)}`;
}

function found(scope: Scope, { filter }: ComputerQuery): SQL {
  const conditions = [scope.narrowedTo(filter.companyIds).rows('p'), STILL_THERE];
  if (!filter.ignored) conditions.push(sql`p.ignored_at is null`);
  if (filter.unprotected) conditions.push(sql`not (${HAS_AGENT})`);
  if (filter.withoutCompany) conditions.push(sql`c.id is null`);
  if (filter.search) {
    const pattern = containing(filter.search);
    conditions.push(sql`(p.host_name ilike ${pattern} or p.fqdn ilike ${pattern} or c.name ilike ${pattern})`);
  }
  return every(conditions);
}

/** Lists discovered computers, by default sorted by name; ignored ones only on request. */
export function listFoundComputers(
  connection: Connection,
  scope: Scope,
  query: ComputerQuery,
): Promise<Page<Computer>> {
  return readPage<Computer>(connection, computerQuery(scope, query), computerCountQuery(scope, query));
}

/** Counts computers; ignored ones count in `ignored` alone. */
export function computersStatusQuery(scope: Scope, companyIds?: string[] | undefined): SQL {
  const shown = sql`p.ignored_at is null`;
  return sql`select count(*) filter (where ${shown}) as total, count(*) filter (where ${shown} and ${HAS_AGENT}) as "withAgent",
      count(*) filter (where ${shown} and not (${HAS_AGENT})) as "withoutAgent",
      count(*) filter (where ${shown} and p.status = 'Offline') as offline,
      count(*) filter (where not (${shown})) as ignored
    from computers p where ${scope.narrowedTo(companyIds).rows('p')} and ${STILL_THERE}`;
}

export async function readComputersStatus(
  connection: Connection,
  scope: Scope,
  companyIds?: string[] | undefined,
): Promise<ComputersStatus> {
  const status = await row<ComputersStatus>(connection, computersStatusQuery(scope, companyIds));
  if (status === null) throw new Error('An aggregate without groups gave no row.');
  return status;
}

/** Groups the shown computers by company; of companies whose computers all have an agent there is no row. */
export function unprotectedCompaniesQuery(scope: Scope, companyIds?: string[] | undefined): SQL {
  const without = sql`count(*) filter (where not (${HAS_AGENT}))`;
  return sql`select c.id as "companyId", c.name as "companyName", ${without} as "withoutAgent", count(*) as total
    from ${TABLES} where ${scope.narrowedTo(companyIds).rows('p')} and ${STILL_THERE} and p.ignored_at is null
    group by c.id, c.name having ${without} > 0`;
}

/** Lists companies with computers that have no agent, those with the most first. */
export function listCompaniesWithoutAgents(
  connection: Connection,
  scope: Scope,
  { companyIds, limit, offset }: { companyIds?: string[] | undefined; limit: number; offset: number },
): Promise<Page<UnprotectedCompany>> {
  const companies = unprotectedCompaniesQuery(scope, companyIds);
  return readPage<UnprotectedCompany>(
    connection,
    sql`select * from (${companies}) u order by u."withoutAgent" desc, lower(u."companyName"), u."companyId" limit ${limit} offset ${offset}`,
    sql`select count(*) as count from (${companies}) u`,
  );
}

/** A change of a computer: the time since which it is ignored (`null`: unignored), or its note (`null`: none). */
export type ComputerMark = { ignoredAt: Date | null } | { note: string | null };

/** Both values before a change. */
export interface ComputerMarks {
  isIgnored: boolean;
  note: string | null;
}

/** Changes a computer and returns its previous values; `null` if it is outside the caller's scope. */
export function markComputer(
  connection: Connection,
  scope: Scope,
  id: string,
  mark: ComputerMark,
): Promise<ComputerMarks | null> {
  const change = 'note' in mark ? sql`note = ${mark.note}` : sql`ignored_at = ${mark.ignoredAt}::timestamptz`;
  return row<ComputerMarks>(
    connection,
    sql`with before as (select p.provider_id, p.id, p.ignored_at, p.note from computers p where ${scope.rows('p')} and p.id = ${id} for update)
        update computers p set ${change} from before where p.provider_id = before.provider_id and p.id = before.id
        returning before.ignored_at is not null as "isIgnored", before.note`,
  );
}
