import type { UserFigures } from '@keepwatch/contract/microsoft365/dashboard';
import { sql } from 'drizzle-orm';
import { type Connection, row } from '../../foundation/database.ts';
import type { Scope } from '../../foundation/scope.ts';
import { licensedUsers, organizationsWithin, todayOf } from '../licensing/license-days.ts';
import { isStale, PART_COLUMNS } from '../licensing/licensed-users.ts';

const NONE: UserFigures = { licensed: 0, mailbox: 0, archive: 0, drive: 0, chats: 0, stale: 0, organizations: 0 };

/** Counts the users who are licensed today, by what of them is backed up. */
export async function readFigures(
  connection: Connection,
  scope: Scope,
  companyId: string | undefined,
  now: Date,
): Promise<UserFigures> {
  const today = todayOf(now);
  const { mailbox, archive, drive, chats } = PART_COLUMNS;
  const found = await row<UserFigures>(
    connection,
    sql`select count(*) as licensed, count(${mailbox}) as mailbox, count(${archive}) as archive, count(${drive}) as drive,
          count(${chats}) as chats, count(*) filter (where ${isStale(today.lastDay)}) as stale, count(distinct o.id) as organizations
        from ${licensedUsers(scope, today)} where ${organizationsWithin(scope, companyId)}`,
  );
  return found ?? NONE;
}
