import { type SQL, sql } from 'drizzle-orm';

/** Since when a job (of the fault `f`) is without a good restore point; of one that never had one, since it failed first. */
export const WITHOUT_FINE_SINCE: SQL = sql`coalesce(f.fine_at, f.opened_at)`;

/** Whole days since the last run that was fine, `null` where there was none; a healed fault has one since. */
export function daysWithoutFine(now: Date): SQL {
  // The greatest of zero and nothing would be zero.
  return sql`case when f.closed_at is not null then 0 when f.fine_at is null then null
    else greatest(0, floor(date_part('epoch', ${now}::timestamptz - f.fine_at) / 86400))::int end`;
}
