import { type BackupClock, dayNumberOf, startOfDayNumber } from '@keepwatch/contract/backup-days/backup-day';
import type { ExecutionFilter } from '@keepwatch/contract/executions/filters';
import { sql } from 'drizzle-orm';
import type { Connection } from '../foundation/database.ts';
import { readCount } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { chosenExecutions } from './job-executions.ts';

const DAY_MS = 86_400_000;

/** What the daily checks list unless a filter is set (specification "portal", part 9). */
const DEFAULT_FILTER: ExecutionFilter = { state: 'pending', ignored: false, anomaly: true, latest: false };

interface Since {
  /** By which the two days are those of yesterday and today. */
  clock: BackupClock;
  now: Date;
}

/** Counts what the daily checks show at first, up to `max`: the pending runs of two days, from the index of open ones. */
export function countPendingChecks(
  connection: Connection,
  scope: Scope,
  { clock, now }: Since,
  max: number,
): Promise<number> {
  const begin = new Date(startOfDayNumber(clock, dayNumberOf(clock, now.getTime()) - 1));
  // A run that a console dates into the future is in the list, too, as far as its day goes.
  const range = { from: begin.toISOString(), to: new Date(now.getTime() + DAY_MS).toISOString() };
  const chosen = chosenExecutions(scope, { ...range, filter: DEFAULT_FILTER, now });
  return readCount(connection, sql`select count(*) as count from (select from ${chosen} limit ${max}) counted`);
}
