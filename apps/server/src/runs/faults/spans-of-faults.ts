import { sql } from 'drizzle-orm';
import { type Connection, repeatedRows } from '../../foundation/database.ts';
import { numberArray, uuidArray } from '../rows/column-arrays.ts';
import type { JobSpan } from '../rows/execution-rows.ts';

/**
 * Returns the spans, one of a job, in which a run that is fine makes a difference to a fault: one covers it or ends in it, or is the next after
 * it. That costs two probes of an index for each.
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
        where exists (select from (select f.opened_at, f.closed_at from faults f where ${ofJob} and f.opened_at <= k.to_at
              order by f.opened_at desc limit 1) b
            where b.closed_at is null or b.closed_at >= k.from_at or b.opened_at >= k.from_at)
          or exists (select from (select f.fine_at from faults f where ${ofJob} and f.opened_at > k.to_at order by f.opened_at limit 1) n
            where coalesce(n.fine_at, '-infinity') <= k.to_at)`,
  );
  return found.flatMap(({ place }) => spans[place] ?? []);
}
