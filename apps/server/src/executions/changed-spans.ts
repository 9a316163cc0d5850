import type { ChangedSpan } from '@keepwatch/contract/executions/job-executions';
import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { plainArray, uuidArray } from '../runs/rows/column-arrays.ts';

export type Span = Omit<ChangedSpan, 'runs'>;

/** Finds the runs within spans that are still as a change of a user left them. */
export async function findChangedRuns(
  connection: Connection,
  scope: Scope,
  spans: readonly Span[],
  { userId, madeAt }: { userId: string; madeAt: string },
): Promise<string[]> {
  const jobs = uuidArray(spans.map(({ jobInstanceUid }) => jobInstanceUid));
  const froms = plainArray(
    spans.map(({ from }) => from),
    'timestamptz',
  );
  const tos = plainArray(
    spans.map(({ to }) => to),
    'timestamptz',
  );
  const found = await rows<{ id: string }>(
    connection,
    sql`select distinct e.id from unnest(${jobs}, ${froms}, ${tos}) as w (job, from_at, to_at)
        cross join lateral (select e.id from ${JOB_EXECUTIONS} e where ${scope.rows('e')} and e.job_instance_uid = w.job
          and e.started_at between w.from_at and w.to_at and e.changed_by = ${userId} and e.changed_at = ${madeAt}::timestamptz offset 0) e`,
  );
  return found.map(({ id }) => id);
}
