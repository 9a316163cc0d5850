import type { ProviderClock } from '@keepwatch/contract/backup-days/backup-clock';
import { UTC_CLOCK } from '@keepwatch/contract/backup-days/backup-day';
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
    sql`select round(date_part('epoch', k.from_at) * 1000) as "fromMs", k.time_zone as "timeZone", k.begin_hour as "beginHour",
          k.unknown_time_zone as "unknownTimeZone"
        from day_clocks k where k.provider_id = ${providerId} order by k.from_at`,
  );
  return new DayClocks(stored.map(inKnownZone));
}

/** A zone that this machine does not know any more counts as UTC: counting must never stop. */
function inKnownZone<Clock extends Pick<DayClock, 'timeZone' | 'unknownTimeZone'>>(clock: Clock): Clock {
  const { timeZone } = clock;
  return isTimeZone(timeZone) ? clock : { ...clock, timeZone: UTC_CLOCK.timeZone, unknownTimeZone: timeZone };
}

/** The providers that count by a zone which this machine does not know. */
export async function providersOfUnknownZones(connection: Connection): Promise<number[]> {
  const newest = await rows<{ providerId: number; timeZone: string }>(
    connection,
    sql`select distinct on (k.provider_id) k.provider_id as "providerId", k.time_zone as "timeZone" from day_clocks k
        order by k.provider_id, k.from_at desc`,
  );
  return newest.filter(({ timeZone }) => !isTimeZone(timeZone)).map(({ providerId }) => providerId);
}

/** Stores by which clocks the runs of a provider are counted. */
export async function storeDayClocks(connection: Connection, providerId: number, clocks: DayClocks): Promise<void> {
  await remove(connection, dayClocks, { providerId });
  for (const clock of clocks.all) {
    const { timeZone, beginHour, fromMs, unknownTimeZone } = clock;
    const fromAt = Number.isFinite(fromMs) ? new Date(fromMs) : sql`'-infinity'::timestamptz`;
    const recountedFrom = clock === clocks.newest ? clocks.recountedFrom() : null;
    await insert(connection, dayClocks, { providerId, fromAt, timeZone, beginHour, unknownTimeZone, recountedFrom });
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
export type ClockRow = Omit<ProviderClock, 'isChosen'> | null;

/** Selects the clock of a provider, for `providerClock`: a value of the query that every request asks anyway. */
export function backupClockOf(providerId: SQL): SQL {
  return sql`(select json_build_object('timeZone', k.time_zone, 'beginHour', k.begin_hour, 'recountedFrom', k.recounted_from,
      'unknownTimeZone', k.unknown_time_zone)
    from day_clocks k where k.provider_id = ${providerId} order by k.from_at desc limit 1)`;
}

/** The clock of a provider as it leaves. */
export function providerClock(stored: ClockRow): ProviderClock {
  if (stored === null) return { ...UTC_CLOCK, isChosen: false, recountedFrom: null, unknownTimeZone: null };
  return { ...inKnownZone(stored), isChosen: true };
}

/** Reads the clock of a provider. */
export async function findBackupClock(connection: Connection, providerId: number): Promise<ProviderClock> {
  const found = await row<{ clock: ClockRow }>(
    connection,
    sql`select ${backupClockOf(sql`${providerId}::integer`)} as clock`,
  );
  return providerClock(found?.clock ?? null);
}
