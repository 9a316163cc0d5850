import type { LicenseDay } from '@keepwatch/contract/microsoft365/dashboard';
import { LICENSE_DAYS } from '@keepwatch/contract/microsoft365/licensing';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../../directory/companies.ts';
import { type Connection, row, rows } from '../../foundation/database.ts';
import type { Scope } from '../../foundation/scope.ts';
import { type Days, dayAfter } from '../../runs/report-range.ts';
import { organizationsWithin } from '../licensing/license-days.ts';

interface Change {
  day: string;
  users: number;
}

/** Counts licensed users day by day: those before the first day, and from there on what began and what ended. */
export async function readActivity(
  connection: Connection,
  scope: Scope,
  { days, companyId }: { days: Days; companyId: string | undefined },
): Promise<LicenseDay[]> {
  const { firstDay, lastDay } = days;
  const from = sql`from m365_license_periods p join m365_protected_users u on u.provider_id = p.provider_id and u.id = p.user_id
    join m365_organizations o on o.provider_id = u.provider_id and o.id = u.organization_id ${companyOf('o')}
    where p.provider_id = ${scope.providerId} and ${organizationsWithin(scope, companyId)}`;
  const firstWithout = sql`p.last_backup_on + ${LICENSE_DAYS}::int`;
  const within = (day: SQL) => sql`${day} between ${firstDay}::date and ${lastDay}::date`;
  const [before, added, released] = await Promise.all([
    row<{ users: number }>(
      connection,
      sql`select count(*) as users ${from} and p.began_on < ${firstDay}::date and ${firstWithout} >= ${firstDay}::date`,
    ),
    rows<Change>(
      connection,
      sql`select p.began_on as day, count(*) as users ${from} and ${within(sql`p.began_on`)} group by 1`,
    ),
    rows<Change>(
      connection,
      sql`select ${firstWithout} as day, count(*) as users ${from} and ${within(firstWithout)} group by 1`,
    ),
  ]);
  return dayByDay(days, before?.users ?? 0, byDay(added), byDay(released));
}

const byDay = (changes: readonly Change[]) => new Map(changes.map(({ day, users }) => [day, users]));

function dayByDay(
  { firstDay, lastDay, count }: Days,
  before: number,
  added: ReadonlyMap<string, number>,
  released: ReadonlyMap<string, number>,
): LicenseDay[] {
  let licensed = before;
  return Array.from({ length: count }, (_, place) => dayAfter(firstDay, place))
    .filter((day) => day <= lastDay)
    .map((day) => {
      const change = { added: added.get(day) ?? 0, released: released.get(day) ?? 0 };
      licensed += change.added - change.released;
      return { day, licensed, ...change };
    });
}
