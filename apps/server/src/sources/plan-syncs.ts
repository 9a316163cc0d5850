import { sql } from 'drizzle-orm';
import { row, rows, transaction } from '../foundation/database.ts';
import { publish } from '../foundation/events.ts';
import { REPORTS_ITSELF, SOURCES } from '../runs/source-horizon.ts';
import type { IntakeServices } from './source-services.ts';
import { syncJob } from './sync-job.ts';
import { endDeadRuns, listRunning, syncLock } from './sync-runs.ts';

/**
 * A sync starts some seconds after the minute in which it was sent, and the schedule runs once a minute. Without this allowance, an
 * interval of five minutes would take six.
 */
const LATE_START_SECONDS = 30;

/**
 * Sends a sync for every source whose interval has passed, unless one runs. One that waits is not sent again.
 */
export async function planSyncs({
  database,
  queue,
  now,
}: Pick<IntakeServices, 'database' | 'queue' | 'now'>): Promise<void> {
  const due = await rows<{ id: string }>(
    database,
    sql`select s.id from ${SOURCES} s
        left join lateral (select r.started_at, r.status from sync_runs r where r.provider_id = s.provider_id and r.source_id = s.id
          order by r.started_at desc limit 1) last on true
        where s.deleted_at is null and s.is_enabled and not ${REPORTS_ITSELF}
          and (last.started_at is null or last.status <> 'RUNNING' and last.started_at <= ${now()}::timestamptz - make_interval(mins => s.sync_interval_minutes, secs => ${-LATE_START_SECONDS}))`,
  );
  for (const { id } of due) await queue.send(database, syncJob, { sourceId: id, isRequested: false });
}

/** Ends the syncs whose process has died, recognized by their released lock. */
export async function endDeadSyncs({ database, now }: Pick<IntakeServices, 'database' | 'now'>): Promise<void> {
  for (const { providerId, sourceId } of await listRunning(database)) {
    await transaction(database, async (connection) => {
      const lock = await row<{ isFree: boolean }>(
        connection,
        sql`select pg_try_advisory_xact_lock(${syncLock(sourceId)}) as "isFree"`,
      );
      if (lock?.isFree !== true) return;
      const ended = await endDeadRuns(connection, providerId, sourceId, now());
      if (ended > 0) await publish(connection, { name: 'sync.changed', providerId });
    });
  }
}
