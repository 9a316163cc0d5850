import { type SQL, sql } from 'drizzle-orm';
import { lastTry, type Tries } from './retries.ts';

/**
 * Returns how long a run took: as its source reports it or, after several attempts, from the start of the first to the
 * end of the last, waits included.
 */
export function wholeDurationMs(tries: Tries): number | null {
  const { durationMs, endedAtMs } = lastTry(tries);
  if (tries.length === 1) return durationMs;
  return endedAtMs === null ? null : endedAtMs - tries[0].startedAtMs;
}

/** The same for a stored execution (alias `e`), whose row has the duration of its last attempt. */
export const WHOLE_DURATION: SQL = sql`case when e.attempts = 1 then e.duration_ms
  else (extract(epoch from e.ended_at - e.started_at) * 1000)::bigint end`;
