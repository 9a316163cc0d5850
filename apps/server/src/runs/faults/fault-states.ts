import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../../foundation/database.ts';
import { startIn } from '../execution-id.ts';
import { plainArray, uuidArray } from '../rows/column-arrays.ts';

/**
 * Copies what people made of runs, and whether they noted it, to the faults of which they are the last. Runs and causes stay as they are, so that this costs the same
 * however long a fault is. The caller holds the executions lock.
 */
export async function refreshFaultStates(
  connection: Connection,
  providerId: number,
  executionIds: readonly string[],
): Promise<void> {
  if (executionIds.length === 0) return;
  const starts = plainArray(executionIds.map(startIn), 'timestamptz');
  await execute(
    connection,
    sql`with changed as materialized (
          select g.id as fault, e.* from unnest(${uuidArray(executionIds)}, ${starts}) as k (id, started_at)
          cross join lateral (select e.job_instance_uid, e.id, e.started_at, e.state, e.ignored_until, e.changed_by, e.changed_by_name, e.changed_at,
              e.notes is not null as is_noted
            from job_executions e where e.provider_id = ${providerId} and e.started_at = k.started_at and e.id = k.id offset 0) e
          cross join lateral (select g.id, g.last_execution_id from faults g where g.provider_id = ${providerId}
            and g.job_instance_uid = e.job_instance_uid and g.opened_at <= e.started_at order by g.opened_at desc limit 1) g
          where g.last_execution_id = e.id)
        update faults f set state = c.state, ignored_until = c.ignored_until, changed_by = c.changed_by,
          changed_by_name = c.changed_by_name, changed_at = c.changed_at, is_noted = c.is_noted
        from changed c
        where f.provider_id = ${providerId} and f.id = c.fault`,
  );
}
