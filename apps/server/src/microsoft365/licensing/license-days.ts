import { UTC_CLOCK } from '@keepwatch/contract/backup-days/backup-day';
import { LICENSE_DAYS } from '@keepwatch/contract/microsoft365/licensing';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../../directory/companies.ts';
import type { Scope } from '../../foundation/scope.ts';
import { type Days, rangeOrLastDays, reportDays } from '../../runs/report-range.ts';

/** Returns the days of a report up to today: licences of days to come are not known. */
export function licenseDays(asked: { from?: string | undefined; to?: string | undefined }, now: Date): Days {
  const { firstDay, lastDay, count } = reportDays(UTC_CLOCK, rangeOrLastDays(asked, now, LICENSE_DAYS - 1));
  const today = now.toISOString().slice(0, 10);
  return { firstDay, lastDay: lastDay < today ? lastDay : today, count };
}

/** Returns today alone. */
export function todayOf(now: Date): Days {
  const today = now.toISOString().slice(0, 10);
  return { firstDay: today, lastDay: today, count: 1 };
}

/**
 * The users who were licensed on any of the days: one row (alias `l`) each, also where a licence ended and another began. It has the first day, the day of
 * the last backup, and whether a licence began or ended on one of the days.
 */
export function licences({ providerId }: Scope, { firstDay, lastDay }: Days): SQL {
  return sql`(select p.provider_id, p.user_id, min(p.began_on) as began_on, max(p.last_backup_on) as last_backup_on,
      bool_or(p.began_on >= ${firstDay}::date) as is_new, bool_or(p.last_backup_on + ${LICENSE_DAYS}::int <= ${lastDay}::date) as is_released
    from m365_license_periods p
    where p.provider_id = ${providerId} and p.began_on <= ${lastDay}::date and p.last_backup_on > ${firstDay}::date - ${LICENSE_DAYS}::int
      and ${firstDay}::date <= ${lastDay}::date
    group by p.provider_id, p.user_id) l`;
}

/** The same (`l`) with the users (`u`), their organizations (`o`) and companies (`c`). */
export function licensedUsers(scope: Scope, days: Days): SQL {
  return sql`${licences(scope, days)} join m365_protected_users u on u.provider_id = l.provider_id and u.id = l.user_id
    join m365_organizations o on o.provider_id = u.provider_id and o.id = u.organization_id ${companyOf('o')}`;
}

/** Organizations (`o`) within reach, of companies that are there (`c`). */
export function organizationsWithin(scope: Scope, companyId: string | undefined): SQL {
  return sql`${scope.narrowedTo(companyId === undefined ? undefined : [companyId]).rows('o')} and c.id is not null`;
}
