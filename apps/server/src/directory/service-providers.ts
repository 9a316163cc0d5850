import type { listServiceProviders } from '@keepwatch/contract/directory/companies';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { type SQL, sql } from 'drizzle-orm';
import { PROVIDERS } from '../branding/brands.ts';
import { containing } from '../foundation/conditions.ts';
import type { Connection } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';

export type ServiceProvider = CallReply<typeof listServiceProviders>['data'][number];

export interface ServiceProviderQuery {
  search?: string | undefined;
  limit: number;
  offset: number;
}

export function serviceProviderQuery(scope: Scope, query: ServiceProviderQuery): SQL {
  return sql`select s.id as "_id", s.name, s.companies from ${found(scope, query)}
    order by s.is_sub, lower(s.name), s.id limit ${query.limit} offset ${query.offset}`;
}

export function serviceProviderCountQuery(scope: Scope, query: ServiceProviderQuery): SQL {
  return sql`select count(*) as count from ${found(scope, query)}`;
}

/** Who is limited to companies sees their own provider, and of its sub-providers those that these companies belong to. */
function found(scope: Scope, { search }: ServiceProviderQuery): SQL {
  const companies = sql`(select count(*) from companies c where ${scope.companies('c')} and c.deleted_at is null`;
  return sql`(select p.id::text as id, p.name, false as is_sub, ${companies}) as companies
      from ${PROVIDERS} p where p.id = ${scope.providerId}
    union all select sp.id::text, sp.name, true, ${companies} and c.sub_provider_id = sp.id)
      from sub_providers sp where sp.provider_id = ${scope.providerId}) s
    where s.name ilike ${containing(search ?? '')} and (${scope.companyIds === null} or not s.is_sub or s.companies > 0)`;
}

/** The provider itself first, then its sub-providers by name, each with how many companies the caller reaches there. */
export function findServiceProviders(
  connection: Connection,
  scope: Scope,
  query: ServiceProviderQuery,
): Promise<Page<ServiceProvider>> {
  return readPage(connection, serviceProviderQuery(scope, query), serviceProviderCountQuery(scope, query));
}
