import { AUDIT_ACTIONS } from '@keepwatch/contract/audit/actions';
import { LOG_COUNT_MAX, type listUserLogs, type UserLog } from '@keepwatch/contract/audit/user-logs';
import type { CallInput } from '@keepwatch/contract/wire/call';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import { containing, every } from '../foundation/conditions.ts';
import type { Connection } from '../foundation/database.ts';
import type { Actor } from '../foundation/http/context.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { type TargetNames, targetName } from './target-name.ts';

export type UserLogQuery = CallInput<typeof listUserLogs>['query'];
export type UserLogFilter = Omit<UserLogQuery, 'limit' | 'offset' | 'sort'>;
export type StoredLog = Omit<UserLog, 'actionText'>;

/** Reads a page of entries and their number (at most `LOG_COUNT_MAX`). */
export async function findUserLogs(
  connection: Connection,
  names: TargetNames,
  scope: Scope,
  query: UserLogQuery,
): Promise<Page<UserLog>> {
  const page = await readPage<StoredLog>(
    connection,
    userLogQuery(names, scope, query),
    userLogCountQuery(scope, query),
  );
  return presentLogs(page);
}

const TEXTS = new Map<string, string>(Object.entries(AUDIT_ACTIONS));

/** The text of an entry's action; of an action that this version does not know, its name. */
export function actionText({ action }: Pick<StoredLog, 'action'>): string {
  return TEXTS.get(action) ?? action;
}

/** The columns of an entry (alias `e`) as callers see it. */
function userLogColumns(names: TargetNames, scope: Scope): SQL {
  return sql`e.id as "_id", e.at, e.user_id as "userId", e.username, e.as_user_id as "asUserId", e.as_username as "asUsername",
    e.api_key as "apiKey", e.action, e.target_kind as "targetKind", e.target_id as "targetId",
    ${targetName(names, scope, 'e')} as "targetName", e.address, e.before, e.after`;
}

/** Reads a page of what a user did, and of what administrators did as the user, newest first. */
export async function findOwnLogs(
  connection: Connection,
  names: TargetNames,
  { userId, scope }: Actor,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<UserLog>> {
  const own = sql`audit_entries e where e.provider_id = ${scope.providerId} and ${doneBy([userId])}`;
  const page = await readPage<StoredLog>(
    connection,
    sql`select ${userLogColumns(names, scope)} from (
        select e.* from ${own} order by e.at desc, e.id desc limit ${limit} offset ${offset}) e order by e.at desc, e.id desc`,
    sql`select count(*) as count from (select from ${own} limit ${LOG_COUNT_MAX}) counted`,
  );
  return presentLogs(page);
}

function presentLogs(page: Page<StoredLog>): Page<UserLog> {
  return { ...page, data: page.data.map((entry) => ({ ...entry, actionText: actionText(entry) })) };
}

/** Selects all entries that a filter leaves. */
export function allUserLogsQuery(
  names: TargetNames,
  scope: Scope,
  { sort, ...filter }: UserLogFilter & Pick<UserLogQuery, 'sort'>,
): SQL {
  return sql`select ${userLogColumns(names, scope)} from audit_entries e where ${every(userLogConditions(scope, filter))}
    order by ${userLogOrder(sort)}`;
}

/** Selects the page first, and looks up names for its rows alone. */
export function userLogQuery(names: TargetNames, scope: Scope, query: UserLogQuery): SQL {
  const order = userLogOrder(query.sort);
  return sql`select ${userLogColumns(names, scope)} from (
      select e.* from audit_entries e where ${every(userLogConditions(scope, query))}
      order by ${order} limit ${query.limit} offset ${query.offset}) e
    order by ${order}`;
}

export function userLogCountQuery(scope: Scope, query: UserLogFilter): SQL {
  return sql`select count(*) as count from (
    select from audit_entries e where ${every(userLogConditions(scope, query))} limit ${LOG_COUNT_MAX}) counted`;
}

/** Of no column is anything unknown, and each has an index in this form. */
const SORTS: Readonly<Record<SortOf<typeof listUserLogs>, SQL>> = {
  at: sql`e.at`,
  username: sql`lower(coalesce(e.username, ''))`,
  action: sql`e.action`,
};

/** Sorts by the requested field, then newest first. */
function userLogOrder(sort: UserLogQuery['sort'] = '-at'): SQL {
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc');
  if (sort === 'at' || sort === '-at') return sql`e.at ${direction}, e.id ${direction}`;
  return sql`${SORTS[sort === 'username' || sort === '-username' ? 'username' : 'action']} ${direction}, e.at desc, e.id desc`;
}

/** Entries (alias `e`) within reach and filter. */
function userLogConditions(scope: Scope, filter: UserLogFilter): SQL[] {
  const { from, to, ids, userIds, actions, targetIds, search } = filter;
  const conditions = logsWithin(scope);
  if (from !== undefined) conditions.push(sql`e.at >= ${from}::timestamptz`);
  if (to !== undefined) conditions.push(sql`e.at <= ${to}::timestamptz`);
  if (ids !== undefined) conditions.push(sql`e.id = any(${sql.param(ids)}::uuid[])`);
  if (userIds !== undefined) conditions.push(doneBy(userIds));
  if (actions !== undefined) conditions.push(sql`e.action = any(${sql.param(actions)}::text[])`);
  if (targetIds !== undefined)
    conditions.push(sql`e.target_id = any(${sql.param(targetIds.map((id) => id.toLowerCase()))}::text[])`);
  if (search) conditions.push(matching(search));
  return conditions;
}

/**
 * Who is limited to companies sees what was done by users who were limited to some of the same companies, and to no other, when they did
 * it: all that such an entry contains is of these companies. What other users did may name what is outside them.
 */
function logsWithin(scope: Scope): SQL[] {
  const ofProvider = sql`e.provider_id = ${scope.providerId}`;
  if (scope.companyIds === null) return [ofProvider];
  return [ofProvider, sql`e.company_ids <@ ${sql.param(scope.companyIds)}::uuid[]`, sql`e.company_ids <> '{}'`];
}

/** Done by one of the users, or by an administrator as one of them. */
function doneBy(userIds: readonly string[]): SQL {
  const ids = sql`any(${sql.param(userIds)}::uuid[])`;
  return sql`(e.user_id = ${ids} or e.as_user_id = ${ids})`;
}

function matching(search: string): SQL {
  const pattern = containing(search);
  const actions = [...TEXTS]
    .filter(([, text]) => text.toLowerCase().includes(search.toLowerCase()))
    .map(([action]) => action);
  return sql`(e.username ilike ${pattern} or e.as_username ilike ${pattern} or e.api_key ilike ${pattern} or e.address ilike ${pattern} or e.action = any(${sql.param(actions)}::text[]))`;
}
