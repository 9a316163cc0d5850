import type { getRepositoryHistory, listRepositories, Repository } from '@keepwatch/contract/inventory/repositories';
import type { CallReply } from '@keepwatch/contract/wire/call';
import type { OrderOf, SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../directory/companies.ts';
import { containing, every, orderOf } from '../foundation/conditions.ts';
import { type Connection, row, rows } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { update } from '../foundation/table-writes.ts';
import { shownSum } from '../runs/bounded-sums.ts';
import type { Days } from '../runs/report-range.ts';
import { forecast, USED_RATIO } from './repository-forecast.ts';
import { repositories, repositoryDays } from './tables.ts';

/** The repositories and their sizes by day, which a sync writes. */
export const REPOSITORIES = repositories;
export const REPOSITORY_DAYS = repositoryDays;

/** Marks the repositories of a source as removed. */
export async function removeRepositories(
  connection: Connection,
  source: { providerId: number; sourceId: string },
  at: Date,
): Promise<void> {
  await update(connection, repositories, { removedAt: sql`coalesce(removed_at, ${at})` }, source);
}

export type DayUsage = CallReply<typeof getRepositoryHistory>['data'][number];

export interface RepositoryQuery {
  companyIds?: string[] | undefined;
  search?: string | undefined;
  sort?: OrderOf<typeof listRepositories> | undefined;
  limit: number;
  offset: number;
  now: Date;
}

const SORTS: Readonly<Record<SortOf<typeof listRepositories>, SQL>> = {
  usedRatio: USED_RATIO,
  fullAt: sql`g.full_at`,
  name: sql`lower(r.name)`,
  companyName: sql`lower(c.name)`,
  freeBytes: sql`r.free_bytes`,
};

/** Calculates forecasts for the page alone, unless it is sorted by them. */
export function repositoryQuery(scope: Scope, query: RepositoryQuery): SQL {
  const sort = query.sort ?? '-usedRatio';
  const isByForecast = sort.endsWith('fullAt');
  const makeForecast = forecast(query.now);
  return sql`select r.id as "_id", r.name, r.named_company_id as "companyId", r.company_name as "companyName", r.kind, r.server_name as "serverName",
      r.path, r.status, r.capacity_bytes as "capacityBytes", r.free_bytes as "freeBytes", r.used_bytes as "usedBytes",
      ${USED_RATIO} as "usedRatio", g.growth as "growthBytesPerDay", g.full_at as "fullAt", r.read_at as "readAt"
    from (select r.*, c.id as named_company_id, c.name as company_name, row_number() over (order by ${orderOf(SORTS, sort)}, r.id) as place
      from ${TABLES} ${isByForecast ? makeForecast : sql``} where ${found(scope, query)}
      order by place limit ${query.limit} offset ${query.offset}) r
    ${makeForecast} order by r.place`;
}

export function repositoryCountQuery(scope: Scope, query: RepositoryQuery): SQL {
  return sql`select count(*) as count from ${TABLES} where ${found(scope, query)}`;
}

const TABLES = sql`repositories r ${companyOf('r')}`;

function found(scope: Scope, { companyIds, search }: RepositoryQuery): SQL {
  const conditions = [scope.narrowedTo(companyIds).rows('r'), sql`r.removed_at is null`];
  if (search) {
    const pattern = containing(search);
    conditions.push(sql`(r.name ilike ${pattern} or c.name ilike ${pattern} or r.server_name ilike ${pattern})`);
  }
  return every(conditions);
}

/** Lists repositories with fill level and forecast, by default the fullest first. */
export function listFilledRepositories(
  connection: Connection,
  scope: Scope,
  query: RepositoryQuery,
): Promise<Page<Repository>> {
  return readPage<Repository>(connection, repositoryQuery(scope, query), repositoryCountQuery(scope, query));
}

/**
 * Sums all repositories, with a row for each day on which one was read. Excludes those without a known capacity (object
 * storage), whose bytes would count against the capacity of others.
 */
export function repositoryTrendQuery(scope: Scope, days: Days, companyIds?: string[] | undefined): SQL {
  return sql`select y.day, ${shownSum(sql`sum(y.capacity_bytes)`)} as "capacityBytes", ${shownSum(sql`sum(y.used_bytes)`)} as "usedBytes",
      ${shownSum(sql`sum(y.capacity_bytes - y.used_bytes)`)} as "freeBytes"
    from repositories r join repository_days y on y.provider_id = r.provider_id and y.repository_id = r.id
    where ${scope.narrowedTo(companyIds).rows('r')} and ${within(days)} and y.capacity_bytes is not null and y.used_bytes is not null
    group by y.day order by y.day`;
}

export function readRepositoriesTrend(
  connection: Connection,
  scope: Scope,
  days: Days,
  companyIds?: string[] | undefined,
): Promise<DayUsage[]> {
  return rows<DayUsage>(connection, repositoryTrendQuery(scope, days, companyIds));
}

export function repositoryHistoryQuery(scope: Scope, days: Days, repositoryId: string): SQL {
  return sql`select y.day, coalesce(y.capacity_bytes, 0) as "capacityBytes", coalesce(y.used_bytes, 0) as "usedBytes",
      coalesce(y.free_bytes, 0) as "freeBytes"
    from repository_days y where y.provider_id = ${scope.providerId} and y.repository_id = ${repositoryId} and ${within(days)}
    order by y.day`;
}

/** Reads one repository by day, with 0 for unknown figures; `null` if it is outside the caller's scope. */
export async function readRepositoryHistory(
  connection: Connection,
  scope: Scope,
  days: Days,
  repositoryId: string,
): Promise<DayUsage[] | null> {
  const reached = sql`select r.id from repositories r where ${scope.rows('r')} and r.id = ${repositoryId}`;
  if ((await row(connection, reached)) === null) return null;
  return rows<DayUsage>(connection, repositoryHistoryQuery(scope, days, repositoryId));
}

function within({ firstDay, lastDay }: Days): SQL {
  return sql`y.day between ${firstDay}::date and ${lastDay}::date`;
}
