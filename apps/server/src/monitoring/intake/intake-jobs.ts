import { sql } from 'drizzle-orm';
import { execute } from '../../foundation/database.ts';
import type { Queue } from '../../foundation/queue.ts';
import { endExpiredIgnores } from '../executions/expired-ignores.ts';
import { findMissedRuns } from '../executions/missed-runs.ts';
import { findSilentReporters } from '../executions/silences.ts';
import type { IntakeServices } from './intake-services.ts';
import { endDeadSyncs, planSyncs } from './plan-syncs.ts';
import { syncSource } from './sync.ts';
import { SYNC_LIMIT_SECONDS } from './sync-runs.ts';

const EVERY_MINUTE = '* * * * *';
const EVERY_FIVE_MINUTES = '*/5 * * * *';
const EVERY_NIGHT = '17 2 * * *';
/** Syncs of different sources that one worker does at the same time. */
const SYNCS_AT_ONCE = 2;
/** Months of partitions that are kept ready. */
const MONTHS_AHEAD = 3;

/** Registers the work of monitoring that runs outside requests, and plans what recurs. */
export async function workMonitoring(queue: Queue, services: IntakeServices): Promise<void> {
  const { database, now } = services;
  const brief = { atOnce: 1, limitSeconds: 55 };
  await queue.work('monitoring.sync', { atOnce: SYNCS_AT_ONCE, limitSeconds: SYNC_LIMIT_SECONDS }, (wanted, signal) =>
    syncSource(services, wanted, signal),
  );
  await queue.work('monitoring.plan-syncs', brief, async () => {
    await endDeadSyncs(services);
    await planSyncs(services);
  });
  await queue.work('monitoring.find-missed-runs', { atOnce: 1, limitSeconds: 280 }, async () => {
    await findMissedRuns(database, now());
    await findSilentReporters(database, now());
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
  // Not only at the next full minute: a program that has just started shows its sources' state within seconds.
  await queue.send('monitoring.plan-syncs', {});
}
