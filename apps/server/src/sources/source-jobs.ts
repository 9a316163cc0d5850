import { sql } from 'drizzle-orm';
import { endExpiredIgnores } from '../executions/expired-ignores.ts';
import { execute } from '../foundation/database.ts';
import type { Queue } from '../foundation/queue.ts';
import { findMissedRuns } from '../schedules/missed-runs.ts';
import { findStalledReporters } from '../schedules/stalled-jobs.ts';
import { endDeadSyncs, planSyncs } from './plan-syncs.ts';
import type { IntakeServices } from './source-services.ts';
import { syncSource } from './sync/sync.ts';
import { SYNC_LIMIT_SECONDS } from './sync-runs.ts';

const EVERY_MINUTE = '* * * * *';
const EVERY_FIVE_MINUTES = '*/5 * * * *';
const EVERY_NIGHT = '17 2 * * *';
/** Number of sources that one worker syncs at the same time. */
const SYNCS_AT_ONCE = 2;
/** Months for which partitions are created in advance. */
const MONTHS_AHEAD = 3;

/** Registers the background jobs of monitoring and schedules the recurring ones. */
export async function workMonitoring(queue: Queue, services: IntakeServices): Promise<void> {
  const { database, now } = services;
  const brief = { atOnce: 1, limitSeconds: 55 };
  await queue.work(
    'monitoring.sync',
    { atOnce: SYNCS_AT_ONCE, limitSeconds: SYNC_LIMIT_SECONDS },
    (requested, signal) => syncSource(services, requested, signal),
  );
  await queue.work('monitoring.plan-syncs', brief, async () => {
    await endDeadSyncs(services);
    await planSyncs(services);
  });
  await queue.work('monitoring.find-missed-runs', { atOnce: 1, limitSeconds: 280 }, async () => {
    await findMissedRuns(database, now());
    await findStalledReporters(database, now());
  });
  await queue.work('monitoring.end-ignores', brief, async () => {
    await endExpiredIgnores(database, now());
  });
  await queue.work('monitoring.keep-partitions', brief, async () => {
    await execute(
      database,
      sql`select keep_month((date_trunc('month', ${now()}::timestamptz) + make_interval(months => n))::date) from generate_series(0, ${MONTHS_AHEAD}) as n`,
    );
  });
  await queue.plan('monitoring.plan-syncs', EVERY_MINUTE, {});
  await queue.plan('monitoring.find-missed-runs', EVERY_FIVE_MINUTES, {});
  await queue.plan('monitoring.end-ignores', EVERY_MINUTE, {});
  await queue.plan('monitoring.keep-partitions', EVERY_NIGHT, {});
  // Runs once at start, so that sources show their state within seconds instead of at the next full minute.
  await queue.send('monitoring.plan-syncs', {});
}
