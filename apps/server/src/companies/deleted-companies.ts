import type { DeletedCompany, listDeletedCompanies } from '@keepwatch/contract/companies/companies';
import type { CallInput } from '@keepwatch/contract/wire/call';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import { COMPANIES } from '../directory/companies.ts';
import { USERS } from '../directory/users.ts';
import { containing, every, orderOf } from '../foundation/conditions.ts';
import type { Connection } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';

type Query = CallInput<typeof listDeletedCompanies>['query'];

const SORTS: Readonly<Record<SortOf<typeof listDeletedCompanies>, SQL>> = {
  deletedAt: sql`c.deleted_at`,
  name: sql`lower(c.name)`,
};

/** Lists the deleted companies of a provider, those deleted last first unless asked otherwise. */
export function findDeleted(connection: Connection, scope: Scope, query: Query): Promise<Page<DeletedCompany>> {
  return readPage<DeletedCompany>(connection, deletedQuery(scope, query), deletedCountQuery(scope, query));
}

export function deletedQuery(scope: Scope, query: Query): SQL {
  return sql`select c.id as "_id", c.name, c.deleted_at as "deletedAt", u.name as "deletedBy", c.deletion_reason as reason
    from ${COMPANIES} c left join ${USERS} u on u.provider_id = c.provider_id and u.id = c.deleted_by
    where ${deleted(scope, query)} order by ${orderOf(SORTS, query.sort ?? '-deletedAt')}, c.id limit ${query.limit} offset ${query.offset}`;
}

export function deletedCountQuery(scope: Scope, query: Query): SQL {
  return sql`select count(*) as count from ${COMPANIES} c where ${deleted(scope, query)}`;
}

function deleted(scope: Scope, { search }: Query): SQL {
  const conditions = [scope.companies('c'), sql`c.deleted_at is not null`];
  if (search) conditions.push(sql`c.name ilike ${containing(search)}`);
  return every(conditions);
}
