import type { ProviderClock } from '@keepwatch/contract/backup-days/backup-clock';
import { type BackupClock, UTC_CLOCK } from '@keepwatch/contract/backup-days/backup-day';
import { isTimeZone } from '@keepwatch/contract/backup-days/time-zones';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, row, rows } from '../foundation/database.ts';
import { insert, remove } from '../foundation/table-writes.ts';
import { type DayClock, DayClocks } from './day-clocks.ts';
import { dayClocks } from './tables.ts';

/**
 * Reads by which clocks the runs of a provider are counted. Who writes sums of days reads them after it has the executions lock: a change
 * of the clock counts again what was written before it, and nothing else.
 */
export async function readDayClocks(connection: Connection, providerId: number): Promise<DayClocks> {
  const stored = await rows<DayClock>(
    connection,
    sql`select round(date_part('epoch', k.from_at) * 1000) as "fromMs", k.time_zone as "timeZone", k.begin_hour as "beginHour"
        from day_clocks k where k.provider_id = ${providerId} order by k.from_at`,
  );
  return new DayClocks(stored.map((clock) => ({ ...clock, timeZone: knownZone(clock.timeZone) })));
}

/** A zone that this machine does not know any more counts as UTC: counting must never stop. */
function knownZone(timeZone: string): string {
  return isTimeZone(timeZone) ? timeZone : UTC_CLOCK.timeZone;
}

/** Stores by which clocks the runs of a provider are counted. */
export async function storeDayClocks(connection: Connection, providerId: number, clocks: DayClocks): Promise<void> {
  await remove(connection, dayClocks, { providerId });
  for (const clock of clocks.all) {
    const { timeZone, beginHour, fromMs } = clock;
    const fromAt = Number.isFinite(fromMs) ? new Date(fromMs) : sql`'-infinity'::timestamptz`;
    const recountedFrom = clock === clocks.newest ? clocks.recountedFrom() : null;
    await insert(connection, dayClocks, { providerId, fromAt, timeZone, beginHour, recountedFrom });
  }
}

/** The providers of which some runs are still counted by an earlier clock. */
export async function providersToRecount(connection: Connection): Promise<number[]> {
  const found = await rows<{ providerId: number }>(
    connection,
    sql`select distinct k.provider_id as "providerId" from day_clocks k where k.from_at > '-infinity' order by 1`,
  );
  return found.map(({ providerId }) => providerId);
}

/** A row of `backupClockOf`; `null`: the provider has chosen nothing. */
export type ClockRow = (BackupClock & { recountedFrom: string | null }) | null;

/** Selects the clock of a provider, for `providerClock`: a value of the query that every request asks anyway. */
export function backupClockOf(providerId: SQL): SQL {
  return sql`(select json_build_object('timeZone', k.time_zone, 'beginHour', k.begin_hour, 'recountedFrom', k.recounted_from)
    from day_clocks k where k.provider_id = ${providerId} order by k.from_at desc limit 1)`;
}

/** The clock of a provider as it leaves. */
export function providerClock(stored: ClockRow): ProviderClock {
  if (stored === null) return { ...UTC_CLOCK, isChosen: false, recountedFrom: null, unknownTimeZone: null };
  const timeZone = knownZone(stored.timeZone);
  const unknownTimeZone = timeZone === stored.timeZone ? null : stored.timeZone;
  return { ...stored, timeZone, isChosen: true, unknownTimeZone };
}

/** Reads the clock of a provider. */
export async function findBackupClock(connection: Connection, providerId: number): Promise<ProviderClock> {
  const found = await row<{ clock: ClockRow }>(
    connection,
    sql`select ${backupClockOf(sql`${providerId}::integer`)} as clock`,
  );
  return providerClock(found?.clock ?? null);
}
