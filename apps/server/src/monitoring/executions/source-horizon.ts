import { type SQL, sql } from 'drizzle-orm';

/**
 * Up to when it is known what the jobs of a source (alias `s`) did: up to where its history was read. Tools report their runs
 * themselves, as they end. `null` for a source that was never read: nothing is known of its jobs.
 */
export function knownUntil(now: Date): SQL {
  return sql`(case when s.kind = 'intake' or s.history_read_to > ${now}::timestamptz then ${now}::timestamptz else s.history_read_to end)`;
}
