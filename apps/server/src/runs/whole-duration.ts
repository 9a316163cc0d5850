import { type SQL, sql } from 'drizzle-orm';
import { type Attempts, lastAttempt } from './retries.ts';

/**
 * Returns how long a run took: as its source reports it or, after several attempts, from the start of the first to the
 * end of the last, waits included.
 */
export function wholeDurationMs(attempts: Attempts): number | null {
  const { durationMs, endedAtMs } = lastAttempt(attempts);
  if (attempts.length === 1) return durationMs;
  return endedAtMs === null ? null : endedAtMs - attempts[0].startedAtMs;
}

/** The same for a stored execution (alias `e`), whose row has the duration of its last attempt. */
export const WHOLE_DURATION: SQL = sql`case when e.attempts = 1 then e.duration_ms
  else (extract(epoch from e.ended_at - e.started_at) * 1000)::bigint end`;
