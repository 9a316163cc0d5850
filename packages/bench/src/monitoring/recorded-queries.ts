import type { Pool } from '@keepwatch/server/foundation/database';

/** A statement as the server sends it. */
export interface RecordedQuery {
  text: string;
  values: unknown[];
}

/**
 * Notes every statement that goes through the pool while `work` runs: the same SQL can then be timed alone, whatever it is
 * and wherever it is written.
 */
export async function recordQueries(pool: Pool, work: () => Promise<unknown>): Promise<RecordedQuery[]> {
  const recorded: RecordedQuery[] = [];
  const query = pool.query.bind(pool);
  pool.query = ((text: unknown, values: unknown) => {
    if (typeof text === 'string') recorded.push({ text, values: Array.isArray(values) ? values : [] });
    return query(text as string, values as unknown[]);
  }) as Pool['query'];
  try {
    await work();
  } finally {
    pool.query = query as Pool['query'];
  }
  // Who asks is looked up for every call; it is no part of the report.
  return recorded.filter(({ text }) => !/ from (sessions|users)\b/.test(text));
}
