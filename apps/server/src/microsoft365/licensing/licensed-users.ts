import {
  LICENSE_DAYS,
  type LicensedUser,
  type listLicensedUsers,
  STALE_DAYS,
  type UserPart,
} from '@keepwatch/contract/microsoft365/licensing';
import type { CallInput } from '@keepwatch/contract/wire/call';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import { containing, every, orderOf } from '../../foundation/conditions.ts';
import type { Connection } from '../../foundation/database.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';
import type { Days } from '../../runs/report-range.ts';
import { licenseDays, licensedUsers, organizationsWithin } from './license-days.ts';

type Query = CallInput<typeof listLicensedUsers>['query'];
export type UserFilter = Omit<Query, 'limit' | 'offset'>;

const COLUMNS = sql`u.id as "_id", json_build_object('id', u.provider_id) as "serviceProvider", u.object_id as "objectId", u.name, u.address,
  o.id as "organizationId", o.name as "organizationName", o.company_id as "companyId", c.name as "companyName",
  l.began_on as "licensedFrom", l.last_backup_on as "lastBackupOn", l.last_backup_on + ${LICENSE_DAYS - 1}::int as "licensedUntil",
  u.mailbox_bytes as "mailboxBytes", u.archive_bytes as "archiveBytes", u.drive_bytes as "driveBytes", u.chats_bytes as "chatsBytes", u.bytes`;

const SORTS: Readonly<Record<SortOf<typeof listLicensedUsers>, SQL>> = {
  name: sql`lower(u.name)`,
  organizationName: sql`lower(o.name)`,
  companyName: sql`lower(c.name)`,
  licensedFrom: sql`l.began_on`,
  lastBackupOn: sql`l.last_backup_on`,
  bytes: sql`u.bytes`,
};

/** The columns that say whether a part of a user (alias `u`) is backed up. */
export const PART_COLUMNS: Readonly<Record<UserPart, SQL>> = {
  mailbox: sql`u.mailbox_bytes`,
  archive: sql`u.archive_bytes`,
  drive: sql`u.drive_bytes`,
  chats: sql`u.chats_bytes`,
};

/** Lists users who were licensed on any of the days. */
export function listUsers(connection: Connection, scope: Scope, query: Query, now: Date): Promise<Page<LicensedUser>> {
  const { limit, offset } = query;
  const found = matching(scope, query, now);
  return readPage<LicensedUser>(
    connection,
    sql`select ${COLUMNS} ${found} order by ${orderOf(SORTS, query.sort ?? 'name')}, u.id limit ${limit} offset ${offset}`,
    sql`select count(*) as count ${found}`,
  );
}

/** Selects all of them. */
export function allUsersQuery(scope: Scope, filter: UserFilter, now: Date): SQL {
  return sql`select ${COLUMNS} ${matching(scope, filter, now)} order by ${orderOf(SORTS, filter.sort ?? 'name')}, u.id`;
}

function matching(scope: Scope, filter: UserFilter, now: Date): SQL {
  const days = licenseDays(filter, now);
  return sql`from ${licensedUsers(scope, days)} where ${every(conditions(scope, filter, days))}`;
}

function conditions(scope: Scope, filter: UserFilter, { lastDay }: Days): SQL[] {
  const { companyId, organizationId, ids, search, parts, change, stale } = filter;
  const found = [organizationsWithin(scope, companyId)];
  if (organizationId !== undefined) found.push(sql`u.organization_id = ${organizationId}`);
  if (ids !== undefined) found.push(sql`u.id = any(${sql.param(ids)}::uuid[])`);
  if (search) found.push(sql`(u.name ilike ${containing(search)} or u.address ilike ${containing(search)})`);
  if (parts !== undefined && parts.length > 0)
    found.push(
      sql`coalesce(${sql.join(
        parts.map((part) => PART_COLUMNS[part]),
        sql`, `,
      )}) is not null`,
    );
  if (change !== undefined) found.push(change === 'new' ? sql`l.is_new` : sql`l.is_released`);
  if (stale === true) found.push(isStale(lastDay));
  return found;
}

/** The last backup of a licence (alias `l`) is so long ago that something may have gone wrong. */
export function isStale(lastDay: string): SQL {
  return sql`l.last_backup_on <= ${lastDay}::date - ${STALE_DAYS}::int`;
}
