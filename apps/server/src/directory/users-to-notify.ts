import type { listUsersToNotify } from '@keepwatch/contract/directory/users';
import type { CallInput, CallReply } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { isLinked } from '../connections/company-links.ts';
import { containing, every } from '../foundation/conditions.ts';
import { type Connection, rows } from '../foundation/database.ts';
import { conflict, notFound } from '../foundation/errors.ts';
import { readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { companiesWithin } from './companies.ts';
import { USERS_WITH_REACH, usersWithin } from './listed-users.ts';
import { IS_LIVING, maySee } from './users.ts';

type Query = CallInput<typeof listUsersToNotify>['query'];
type FoundUser = CallReply<typeof listUsersToNotify>['users'][number];

/**
 * Lists who may be mailed about a company: users within the caller's reach who may see it.
 * @param companyId in this portal, or in a VSPC console
 * @throws 404 for a company that is not within reach, 409 for an id that several have
 */
export async function findUsersToNotify(
  connection: Connection,
  scope: Scope,
  companyId: string,
  { search, ids, limit, offset }: Query,
): Promise<{ count: number; users: FoundUser[] }> {
  const company = await findCompany(connection, scope, companyId);
  const conditions = [...usersWithin(scope), IS_LIVING, sql`u.email <> ''`, maySee(company)];
  if (ids !== undefined) conditions.push(sql`u.id = any(${sql.param(ids)}::uuid[])`);
  if (search) conditions.push(sql`(u.name ilike ${containing(search)} or u.email ilike ${containing(search)})`);
  const found = sql`from ${USERS_WITH_REACH} where ${every(conditions)}`;
  const { count, data } = await readPage<FoundUser>(
    connection,
    sql`select u.id as "_id", u.name, u.email ${found} order by lower(u.name), u.id limit ${limit} offset ${offset}`,
    sql`select count(*) as count ${found}`,
  );
  return { count, users: data };
}

/** The id of the portal comes before that of a console. Two consoles may have the same for two companies. */
async function findCompany(connection: Connection, scope: Scope, companyId: string): Promise<string> {
  const within = every(companiesWithin(scope));
  const [found, other] = await rows<{ id: string }>(
    connection,
    sql`select c.id, c.id::text = lower(${companyId}) as is_own from companies c
        where ${within} and (c.id::text = lower(${companyId}) or ${isLinked('vac', companyId)}) order by is_own desc, c.id limit 2`,
  );
  if (found === undefined) throw notFound('company');
  if (other !== undefined && found.id !== companyId.toLowerCase()) throw conflict(SEVERAL);
  return found.id;
}

const SEVERAL = 'Several companies have this id in their consoles. Give the id of the company in this portal.';
