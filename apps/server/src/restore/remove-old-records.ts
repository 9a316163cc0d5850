import { type SQL, sql } from 'drizzle-orm';
import { execute, type Pool } from '../foundation/database.ts';
import { inBatches } from '../foundation/in-batches.ts';

/** For how many days records are retained after their end: decision 54. */
const SESSION_DAYS = 90;
const DOWNLOAD_DAYS = 90;
const PLAN_DAYS = 30;
const RESTORE_DAYS = 400;
/** Of one transaction: a restore has up to 10,000 lines. */
const RESTORES_AT_ONCE = 20;
const ROWS_AT_ONCE = 1_000;
const DAY_MS = 86_400_000;

/** Removes sessions, restores with their reports, and downloads whose files are gone, that ended longer ago than they are retained. */
export async function removeOldRecords(database: Pool, now: Date, signal: AbortSignal): Promise<void> {
  const before = (days: number) => sql`${new Date(now.getTime() - days * DAY_MS)}`;
  const restores = (isPlan: boolean, days: number) =>
    inBatches(signal, () =>
      execute(
        database,
        oldest(
          sql`restore_operations`,
          sql`r.is_plan = ${isPlan} and r.ended_at < ${before(days)} order by r.ended_at`,
          RESTORES_AT_ONCE,
        ),
      ),
    );
  await restores(true, PLAN_DAYS);
  await restores(false, RESTORE_DAYS);
  const sessions = oldest(
    sql`restore_sessions`,
    sql`r.ends_at < ${before(SESSION_DAYS)} order by r.ends_at`,
    ROWS_AT_ONCE,
  );
  await inBatches(signal, () => execute(database, sessions));
  const isOver = sql`r.state in ('expired', 'failed', 'cancelled') and r.created_at < ${before(DOWNLOAD_DAYS)}`;
  const downloads = oldest(sql`restore_downloads`, sql`${isOver} order by r.created_at`, ROWS_AT_ONCE);
  await inBatches(signal, () => execute(database, downloads));
}

const oldest = (table: SQL, which: SQL, limit: number): SQL =>
  sql`delete from ${table} d using (select r.provider_id, r.id from ${table} r where ${which} limit ${limit}) gone
    where d.provider_id = gone.provider_id and d.id = gone.id`;
