import { sql } from 'drizzle-orm';
import { type Connection, type Pool, rows, transaction } from '../foundation/database.ts';
import { publish } from '../foundation/events.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';

/** Executions that one transaction unignores. */
const BATCH_MAX = 5_000;

/**
 * Makes executions pending again whose "ignore until" has passed, and returns their number. Skips executions that a user is changing
 * at the moment; the next call handles those.
 */
export async function endExpiredIgnores(pool: Pool, now: Date): Promise<number> {
  for (let ended = 0; ; ) {
    const count = await transaction(pool, (connection) => endSome(connection, now));
    ended += count;
    if (count < BATCH_MAX) return ended;
  }
}

/** Rows are locked in the order in which users' changes lock them, see execution-changes.ts. */
async function endSome(connection: Connection, now: Date): Promise<number> {
  const ended = await rows<{ providerId: number }>(
    connection,
    sql`with expired as materialized (
          select e.provider_id, e.started_at, e.id from ${JOB_EXECUTIONS} e
          where e.state = 'ignored' and e.ignored_until is not null and e.ignored_until <= ${now}
          order by e.started_at, e.id limit ${BATCH_MAX} for update skip locked)
        update ${JOB_EXECUTIONS} e set state = 'pending', ignored_until = null from expired x
        where e.provider_id = x.provider_id and e.started_at = x.started_at and e.id = x.id
        returning e.provider_id as "providerId"`,
  );
  for (const providerId of new Set(ended.map((execution) => execution.providerId)))
    await publish(connection, { name: 'executions.changed', providerId });
  return ended.length;
}
