import { isRole } from '@keepwatch/contract/abilities';
import type { ListedUser, listUsers } from '@keepwatch/contract/directory/users';
import type { CallInput } from '@keepwatch/contract/wire/call';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import { containing, every, orderOf } from '../foundation/conditions.ts';
import type { Connection } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { SEES_SOME_COMPANIES, SIGNS_IN_ELSEWHERE, USER_COMPANY_IDS } from './users.ts';

export type ListedUserQuery = CallInput<typeof listUsers>['query'];
type UserFilter = Omit<ListedUserQuery, 'limit' | 'offset'>;
export type ListedUserRow = Omit<ListedUser, 'acl'> & { roles: string[] };

/** Users (`u`) with the ids of the companies that limit them (`reach.ids`). */
export const USERS_WITH_REACH = sql`users u cross join lateral (select ${USER_COMPANY_IDS} as ids) reach`;

const COMPANIES = sql`companies c where c.provider_id = u.provider_id and c.id = any(reach.ids)`;
const COMPANY_NAME = sql`(select c.name from ${COMPANIES} order by lower(c.name), c.id limit 1)`;
const STATE = sql`case when u.disabled_at is null then 'active' else 'disabled' end`;

const COLUMNS = sql`u.id as "_id", u.username, u.name, u.email, u.roles, ${STATE} as state, u.created_at as "createdAt",
  case when u.directory_account is null then 'db' else 'ad' end as "authType",
  u.password_hash = ${SIGNS_IN_ELSEWHERE} as "signsInElsewhere", ${COMPANY_NAME} as "companyName",
  case when ${SEES_SOME_COMPANIES} then
    (select coalesce(json_agg(json_build_object('_id', c.id, 'name', c.name) order by lower(c.name), c.id), '[]') from ${COMPANIES}) end as companies`;

const BY_COMPANY_NAME = sql`lower(${COMPANY_NAME})`;
const SORTS: Readonly<Record<SortOf<typeof listUsers>, SQL>> = {
  name: sql`lower(u.name)`,
  username: sql`lower(u.username)`,
  email: sql`lower(u.email)`,
  state: STATE,
  companyName: BY_COMPANY_NAME,
  company: BY_COMPANY_NAME,
  companies: BY_COMPANY_NAME,
  createdAt: sql`u.created_at`,
};

/** Lists the users within reach, without those that were removed. */
export async function findUsers(
  connection: Connection,
  scope: Scope,
  query: ListedUserQuery,
): Promise<Page<ListedUser>> {
  const page = await readPage<ListedUserRow>(connection, userQuery(scope, query), userCountQuery(scope, query));
  return { ...page, data: page.data.map(presentListed) };
}

export function userQuery(scope: Scope, query: ListedUserQuery): SQL {
  return sql`${allUsersQuery(scope, query)} limit ${query.limit} offset ${query.offset}`;
}

/** Selects all users that a filter leaves. */
export function allUsersQuery(scope: Scope, query: UserFilter): SQL {
  return sql`select ${COLUMNS} from ${USERS_WITH_REACH} where ${every(conditions(scope, query))}
    order by ${orderOf(SORTS, query.sort ?? 'name')}, u.id`;
}

export function userCountQuery(scope: Scope, query: UserFilter): SQL {
  return sql`select count(*) as count from ${USERS_WITH_REACH} where ${every(conditions(scope, query))}`;
}

function presentListed({ roles, ...user }: ListedUserRow): ListedUser {
  return { ...user, acl: roles.filter(isRole).map((role) => ({ role })) };
}

function conditions(scope: Scope, { search, roles, states, ids }: UserFilter): SQL[] {
  const found = usersWithin(scope);
  if (roles !== undefined) found.push(sql`u.roles && ${sql.param(roles)}::text[]`);
  if (states !== undefined) found.push(sql`${STATE} = any(${sql.param(states)}::text[])`);
  if (ids !== undefined) found.push(sql`u.id = any(${sql.param(ids)}::uuid[])`);
  if (search) {
    const pattern = containing(search);
    found.push(sql`(u.name ilike ${pattern} or u.username ilike ${pattern} or u.email ilike ${pattern})`);
  }
  return found;
}

/** Conditions for `USERS_WITH_REACH`: who is limited to companies sees users who are limited to some of the same companies, and to no other. */
export function usersWithin(scope: Scope): SQL[] {
  const living = sql`u.provider_id = ${scope.providerId} and u.deleted_at is null`;
  if (scope.companyIds === null) return [living];
  return [living, sql`reach.ids <@ ${sql.param(scope.companyIds)}::uuid[]`, sql`reach.ids <> '{}'`];
}
