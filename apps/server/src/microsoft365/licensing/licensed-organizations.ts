import type { LicensedOrganization, listLicensing } from '@keepwatch/contract/microsoft365/licensing';
import type { CallInput } from '@keepwatch/contract/wire/call';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../../directory/companies.ts';
import { containing, every, orderOf } from '../../foundation/conditions.ts';
import { type Connection, row } from '../../foundation/database.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';
import { licences, licenseDays, organizationsWithin } from './license-days.ts';

type Query = CallInput<typeof listLicensing>['query'];
export type OrganizationFilter = Omit<Query, 'limit' | 'offset'>;
export type LicenseCounts = Pick<LicensedOrganization, 'licensedUsers' | 'newUsers' | 'releasedUsers' | 'bytes'>;

const COLUMNS = sql`o.id as "_id", json_build_object('id', o.provider_id) as "serviceProvider", o.name as "organizationName",
  o.company_id as "companyId", c.name as "companyName", coalesce(f.licensed, 0) as "licensedUsers", coalesce(f.new, 0) as "newUsers",
  coalesce(f.released, 0) as "releasedUsers", coalesce(f.bytes, 0) as bytes`;

const SORTS: Readonly<Record<SortOf<typeof listLicensing>, SQL>> = {
  organizationName: sql`lower(o.name)`,
  companyName: sql`lower(c.name)`,
  licensedUsers: sql`coalesce(f.licensed, 0)`,
  newUsers: sql`coalesce(f.new, 0)`,
  releasedUsers: sql`coalesce(f.released, 0)`,
  bytes: sql`coalesce(f.bytes, 0)`,
};

/** Lists organizations, those without licensed users too, with the sums of all that match. */
export async function listOrganizations(
  connection: Connection,
  scope: Scope,
  query: Query,
  now: Date,
): Promise<Page<LicensedOrganization> & { total: LicenseCounts }> {
  const found = matching(scope, query, now);
  const [page, total] = await Promise.all([
    readPage<LicensedOrganization>(
      connection,
      sql`select ${COLUMNS} ${found} order by ${orderOf(SORTS, query.sort ?? 'companyName')}, o.id
          limit ${query.limit} offset ${query.offset}`,
      sql`select count(*) as count ${found}`,
    ),
    row<LicenseCounts>(
      connection,
      sql`select coalesce(sum(f.licensed), 0)::bigint as "licensedUsers", coalesce(sum(f.new), 0)::bigint as "newUsers",
          coalesce(sum(f.released), 0)::bigint as "releasedUsers", coalesce(sum(f.bytes), 0)::bigint as bytes ${found}`,
    ),
  ]);
  return { ...page, total: total ?? { licensedUsers: 0, newUsers: 0, releasedUsers: 0, bytes: 0 } };
}

/** Selects all of them. */
export function allOrganizationsQuery(scope: Scope, filter: OrganizationFilter, now: Date): SQL {
  return sql`select ${COLUMNS} ${matching(scope, filter, now)} order by ${orderOf(SORTS, filter.sort ?? 'companyName')}, o.id`;
}

function matching(scope: Scope, filter: OrganizationFilter, now: Date): SQL {
  const { companyId, search } = filter;
  const conditions = [organizationsWithin(scope, companyId)];
  if (search) conditions.push(sql`(o.name ilike ${containing(search)} or c.name ilike ${containing(search)})`);
  return sql`from m365_organizations o ${companyOf('o')} left join (
      select u.provider_id, u.organization_id, count(*) as licensed, count(*) filter (where l.is_new) as new,
        count(*) filter (where l.is_released) as released, sum(u.bytes)::bigint as bytes
      from ${licences(scope, licenseDays(filter, now))} join m365_protected_users u on u.provider_id = l.provider_id and u.id = l.user_id
      group by u.provider_id, u.organization_id) f on f.provider_id = o.provider_id and f.organization_id = o.id
    where ${every(conditions)}`;
}
