import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { type Pool, row } from '../foundation/database.ts';

const WAITING = sql`select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Waits until one statement waits for a lock that a transaction of the test holds. @param timeout in milliseconds */
export async function untilOneWaits(database: Pool, timeout = 1_000): Promise<void> {
  await expect.poll(() => row(database, WAITING), { timeout }).toEqual({ count: 1 });
}
