import { type BackupClock, dayNumberOf, startOfDayNumber } from '@keepwatch/contract/backup-days/backup-day';
import { sql } from 'drizzle-orm';
import { DayClocks, type ReplacingClock } from '../backup-days/day-clocks.ts';
import { readDayClocks, storeDayClocks } from '../backup-days/stored-clocks.ts';
import { type Connection, type Pool, row, transaction } from '../foundation/database.ts';
import { publish } from '../foundation/events.ts';
import { countDays, forgetDays } from '../runs/count-days.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { millisecondsOf } from '../runs/rows/column-arrays.ts';
import { lockExecutions } from '../schedules/job-state.ts';

/** Days that one transaction counts: other writers of runs wait for it. */
const DAYS_AT_ONCE = 8;

/** Counts the last days by a new clock. The caller has to hold the executions lock. */
export async function recountLastDays(
  connection: Connection,
  providerId: number,
  clock: ReplacingClock,
  now: Date,
): Promise<void> {
  const newestMs = await newestRunBefore(connection, providerId, Number.POSITIVE_INFINITY);
  // Runs may be dated into the future.
  const toMs = Math.max(newestMs ?? now.getTime(), now.getTime()) + 1;
  const clocks = await readDayClocks(connection, providerId);
  await takeOver(connection, providerId, clocks, clock, { fromMs: daysBack(clock, now.getTime()), toMs });
}

/**
 * Counts some earlier days by the newest clock, in a transaction of its own; `false` once no day is left. How far it came is in the rows,
 * so that it goes on where it was, whatever ended it.
 */
export function recountEarlierDays(pool: Pool, providerId: number): Promise<boolean> {
  return transaction(pool, async (connection) => {
    await lockExecutions(connection, providerId);
    const clocks = await readDayClocks(connection, providerId);
    if (clocks.isOne) return false;
    const { newest } = clocks;
    // Where no run began for long, there is nothing to count.
    const lastMs = (await newestRunBefore(connection, providerId, newest.fromMs)) ?? newest.fromMs;
    await takeOver(connection, providerId, clocks, newest, { fromMs: daysBack(newest, lastMs), toMs: newest.fromMs });
    await publish(connection, { name: 'backup-clock.changed', providerId });
    await publish(connection, { name: 'executions.changed', providerId });
    return true;
  });
}

function daysBack(clock: BackupClock, atMs: number): number {
  return startOfDayNumber(clock, dayNumberOf(clock, atMs) - DAYS_AT_ONCE + 1);
}

/**
 * Counts the runs between two instants by a clock, which from the first of them on is the only one. It counts all runs of the days that any
 * of them was or is counted into, so that each is counted once.
 */
async function takeOver(
  connection: Connection,
  providerId: number,
  before: DayClocks,
  clock: ReplacingClock,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<void> {
  const after = before.replacedFrom(clock, fromMs);
  const [was, is] = [before.daysStoredBetween(fromMs, toMs), after.daysBetween(fromMs, toMs)];
  const days = { first: Math.min(was.first, is.first), last: Math.max(was.last, is.last) };
  await forgetDays(connection, providerId, days);
  await countDays(connection, providerId, after.partsOf(days));
  const isLast = (await newestRunBefore(connection, providerId, fromMs)) === null;
  const stored = isLast ? new DayClocks([{ ...after.newest, fromMs: Number.NEGATIVE_INFINITY }]) : after;
  await storeDayClocks(connection, providerId, stored);
}

async function newestRunBefore(connection: Connection, providerId: number, beforeMs: number): Promise<number | null> {
  const limit = Number.isFinite(beforeMs) ? sql`${new Date(beforeMs)}::timestamptz` : sql`'infinity'::timestamptz`;
  const found = await row<{ startedAtMs: number }>(
    connection,
    sql`select ${millisecondsOf('e.started_at')} as "startedAtMs" from ${JOB_EXECUTIONS} e
        where e.provider_id = ${providerId} and e.started_at < ${limit} order by e.started_at desc limit 1`,
  );
  return found?.startedAtMs ?? null;
}
