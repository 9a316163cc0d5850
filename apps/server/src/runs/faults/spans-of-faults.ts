import { type SQL, sql } from 'drizzle-orm';
import { type Connection, repeatedRows } from '../../foundation/database.ts';
import { numberArray, uuidArray } from '../rows/column-arrays.ts';
import type { JobSpan } from '../rows/execution-rows.ts';

/**
 * Returns the spans, one of a job, in which a run that is fine makes a difference to a fault: one covers it or ends in it, or is the next after
 * it. Of the usual run, which comes after all others, that is one probe of an index: the newest fault says it.
 */
export async function spansOfFaults(
  connection: Connection,
  providerId: number,
  spans: readonly JobSpan[],
): Promise<JobSpan[]> {
  if (spans.length === 0) return [];
  const instants = (of: (span: JobSpan) => number) => numberArray(spans.map(of), 'timestamptz');
  const jobs = uuidArray(spans.map(({ jobInstanceUid }) => jobInstanceUid));
  const ofJob = sql`f.provider_id = ${providerId} and f.job_instance_uid = k.job`;
  const found = await repeatedRows<{ place: number }>(
    connection,
    sql`select k.place::int - 1 as place
        from unnest(${jobs}, ${instants((span) => span.fromMs)}, ${instants((span) => span.toMs)}) with ordinality as k (job, from_at, to_at, place)
        cross join lateral (select f.opened_at, f.closed_at from faults f where ${ofJob} order by f.opened_at desc limit 1) l
        where case when l.opened_at <= k.to_at then ${touches('l')} else exists (select from (select f.opened_at, f.closed_at from faults f
              where ${ofJob} and f.opened_at <= k.to_at order by f.opened_at desc limit 1) b where ${touches('b')})
          or exists (select from (select f.fine_at from faults f where ${ofJob} and f.opened_at > k.to_at order by f.opened_at limit 1) n
            where coalesce(n.fine_at, '-infinity') <= k.to_at) end`,
  );
  return found.flatMap(({ place }) => spans[place] ?? []);
}

/** The last fault (by its alias) that opened before the end of a span (alias `k`) is not over before that begins. */
function touches(alias: 'l' | 'b'): SQL {
  const fault = sql.identifier(alias);
  return sql`(${fault}.closed_at is null or ${fault}.closed_at >= k.from_at or ${fault}.opened_at >= k.from_at)`;
}
