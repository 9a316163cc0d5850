import type { SearchQuery } from '../../catalog.ts';
import { type Connection, rows } from '../sessions/connection.ts';

/**
 * The index stores words by periods of about 199 days, so that the newest matches are found without a look at all older ones, however
 * frequent a word is. Of the repository's number and the period's each word has a beginning of its own.
 */
export interface WordScope {
  repository: number;
  period: number;
}

const PERIOD_BITS = 34;
/** Ends in 2105. What has an earlier or a later date shares the first or the last. */
export const PERIOD_MAX = 248;

/** The period of a date by which entries sort (sort-keys.ts). */
export function periodOf(sortDate: number): number {
  return Math.max(0, Math.min(PERIOD_MAX, Math.floor(sortDate / 2 ** PERIOD_BITS)));
}

/** The same in the database. */
export function periodColumn(alias: string): string {
  return `greatest(0, least(${PERIOD_MAX}, ${alias}.sort_date >> ${PERIOD_BITS}))::integer`;
}

/** The periods in which the repository has entries between the dates asked for, newest first: one look into the index of dates each. */
export async function periodsOf(
  connection: Connection,
  repository: number,
  { dateFrom, dateTo }: Pick<SearchQuery, 'dateFrom' | 'dateTo'>,
): Promise<number[]> {
  const newest = (before: string) =>
    `(SELECT e.sort_date FROM search_entries e WHERE e.repository = $1 AND ${before} ORDER BY e.sort_date DESC LIMIT 1)`;
  const found = await rows<{ period: number }>(
    connection,
    `WITH RECURSIVE newest AS (
       SELECT ${newest('e.sort_date <= coalesce($2::bigint, e.sort_date)')} AS sort_date
       UNION ALL
       SELECT ${newest(`e.sort_date < ${periodColumn('n')}::bigint << ${PERIOD_BITS} AND ${periodColumn('n')} > 0`)}
       FROM newest n WHERE n.sort_date IS NOT NULL)
     SELECT ${periodColumn('n')} AS period FROM newest n WHERE n.sort_date IS NOT NULL AND ${periodColumn('n')} >= $3`,
    [repository, dateTo?.getTime() ?? null, periodOf(dateFrom?.getTime() ?? Number.NEGATIVE_INFINITY)],
  );
  return found.map(({ period }) => period);
}
