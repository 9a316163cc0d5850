import { sql } from 'drizzle-orm';
import { type Connection, type Pool, rows, transaction } from '../foundation/database.ts';
import { publish } from '../foundation/events.ts';
import { refreshFaultStates } from '../runs/faults/fault-states.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { executionsLock } from '../schedules/job-state.ts';

/** Executions that one transaction unignores. */
const BATCH_MAX = 5_000;

/** Makes executions pending again whose "ignore until" has passed, and their faults; returns how many executions. */
export async function endExpiredIgnores(pool: Pool, now: Date): Promise<number> {
  let ended = 0;
  for (const { providerId } of await providersWithExpired(pool, now)) {
    for (let count = BATCH_MAX; count === BATCH_MAX; ended += count) {
      const endIn = (connection: Connection) => endSome(connection, providerId, now);
      count = await transaction(pool, endIn, executionsLock(providerId));
    }
  }
  return ended;
}

function providersWithExpired(connection: Connection, now: Date): Promise<{ providerId: number }[]> {
  return rows(
    connection,
    sql`select distinct e.provider_id as "providerId" from ${JOB_EXECUTIONS} e
        where e.state = 'ignored' and e.ignored_until is not null and e.ignored_until <= ${now}`,
  );
}

async function endSome(connection: Connection, providerId: number, now: Date): Promise<number> {
  const ended = await rows<{ id: string }>(
    connection,
    sql`with expired as materialized (
          select e.started_at, e.id from ${JOB_EXECUTIONS} e
          where e.provider_id = ${providerId} and e.state = 'ignored' and e.ignored_until is not null and e.ignored_until <= ${now}
          order by e.started_at, e.id limit ${BATCH_MAX} for update)
        update ${JOB_EXECUTIONS} e set state = 'pending', ignored_until = null from expired x
        where e.provider_id = ${providerId} and e.started_at = x.started_at and e.id = x.id
        returning e.id`,
  );
  if (ended.length === 0) return 0;
  await refreshFaultStates(
    connection,
    providerId,
    ended.map(({ id }) => id),
  );
  await publish(connection, { name: 'executions.changed', providerId });
  return ended.length;
}
