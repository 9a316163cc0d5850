import type { MaintenanceKind } from '@keepwatch/contract/microsoft365/maintenance';
import { sql } from 'drizzle-orm';
import { type Connection, type Pool, rows, transaction } from '../../foundation/database.ts';
import type { Queue } from '../../foundation/queue.ts';
import { update } from '../../foundation/table-writes.ts';
import { endMaintenance } from '../monitoring/report-maintenance.ts';
import { m365MaintenancePlans } from '../tables.ts';
import { failedBy, insertMaintenance, listUnended } from './maintenance-runs.ts';
import { type EnteredPlan, nextMaintenance } from './plans.ts';
import { runMaintenanceJob } from './run-maintenance.job.ts';

interface DuePlan extends EnteredPlan {
  providerId: number;
  repositoryId: string;
  kind: MaintenanceKind;
  /** A prune of what is retained for ever has nothing to do. */
  isNeeded: boolean;
}

/** Plans of one transaction; those after them come a minute later. */
const AT_ONCE = 100;

/** Makes a run of each plan that is due, and hands it to the queue. One whose repository is at work is due when that has ended. */
export function planMaintenance(database: Pool, queue: Queue, now: Date): Promise<number> {
  return transaction(database, async (connection) => {
    const due = await rows<DuePlan>(
      connection,
      sql`select p.provider_id as "providerId", p.repository_id as "repositoryId", p.kind, p.is_enabled as "isEnabled", p.daily_type as "dailyType",
            p.daily_time as "dailyTime", p.time_zone as "timeZone", p.depth, p.kind = 'verify' or r.retention_years is not null as "isNeeded"
          from m365_maintenance_plans p join m365_repositories r on r.provider_id = p.provider_id and r.id = p.repository_id
          where p.is_enabled and p.next_run_at <= ${now}
            and not exists (select from m365_maintenance_runs m
              where m.provider_id = p.provider_id and m.repository_id = p.repository_id and m.ended_at is null)
          order by p.next_run_at, p.repository_id, p.kind limit ${AT_ONCE} for update of p skip locked`,
    );
    let planned = 0;
    for (const plan of due) {
      if (plan.isNeeded && !(await begin(connection, queue, plan, now))) continue;
      const { providerId, repositoryId, kind } = plan;
      const next = { nextRunAt: nextMaintenance(plan, now) };
      await update(connection, m365MaintenancePlans, next, { providerId, repositoryId, kind });
      if (plan.isNeeded) planned += 1;
    }
    return planned;
  });
}

/** @returns `false` where the other kind of the same repository was due at the same time, and goes first */
async function begin(connection: Connection, queue: Queue, plan: DuePlan, now: Date): Promise<boolean> {
  const { providerId, repositoryId: id, kind, depth } = plan;
  const order = { kind, depth, isDryRun: false, username: null };
  const runId = await insertMaintenance(connection, { providerId, id }, order, now);
  if (runId !== null) await queue.send(connection, runMaintenanceJob, { providerId, runId });
  return runId !== null;
}

/** A job waits in the queue for a week at most. A run that no worker began by then would else refuse its repository every other one. */
const LOST_AFTER_MS = 8 * 24 * 3_600_000;
const LOST = failedBy('It did not end within 8 days. Look whether workers run, and start it again.');

/** Ends runs that no worker does any more. */
export async function endLostMaintenance(database: Pool, now: Date): Promise<void> {
  for (const run of await listUnended(database, new Date(now.getTime() - LOST_AFTER_MS)))
    await endMaintenance(database, run, LOST, now);
}
