import type { PoolClient } from 'pg';
import type { Pool } from '../../foundation/database.ts';
import { publish } from '../../foundation/events.ts';
import { type Ingest, ingestInTransaction } from '../../ingest/ingest-runs.ts';
import type { NewRun } from '../../runs/new-run.ts';
import { type MaintenanceEnd, type StoredMaintenance, storeMaintenanceEnd } from '../maintenance/maintenance-runs.ts';
import { maintenanceIdOf, monitoredMaintenance, reportJobs } from './monitored-jobs.ts';

/** Shows a verify or prune in Monitoring as running. What a dry run would do is no run. */
export async function reportMaintenanceBegin(database: Pool, run: StoredMaintenance, now: Date): Promise<void> {
  if (run.isDryRun) return;
  await ingestInTransaction(database, run.providerId, now, async (connection, ingest) => {
    await reportJobs(connection, run.providerId, now, maintenanceIdOf(run.repositoryId, run.kind));
    await ingest([{ ...monitoredOf(run), endedAt: null, result: 'Running' }]);
  });
}

/** Ends a verify or prune, with what Monitoring shows of it, all or nothing. */
export async function endMaintenance(
  database: Pool,
  run: StoredMaintenance,
  end: MaintenanceEnd,
  at: Date,
): Promise<void> {
  await ingestInTransaction(database, run.providerId, at, (connection, ingest) =>
    endMaintenanceWithin({ connection, ingest }, run, end, at),
  );
}

/** The same within a transaction of the caller's. @returns `false` where it had ended already */
export async function endMaintenanceWithin(
  { connection, ingest }: { connection: PoolClient; ingest: Ingest },
  run: StoredMaintenance,
  end: MaintenanceEnd,
  at: Date,
): Promise<boolean> {
  if (!(await storeMaintenanceEnd(connection, run, end, at))) return false;
  await publish(connection, { name: 'm365-repositories.changed', providerId: run.providerId });
  if (run.isDryRun) return true;
  await reportJobs(connection, run.providerId, at, maintenanceIdOf(run.repositoryId, run.kind));
  const monitored = monitoredOf(run);
  const endedAt = at > monitored.startedAt ? at : monitored.startedAt;
  const log = end.findings.map((finding) => ({ at: null, ...finding }));
  await ingest([{ ...monitored, endedAt, result: end.result, message: end.message, log }]);
  return true;
}

function monitoredOf({
  providerId,
  repositoryId,
  kind,
  startedAt,
}: StoredMaintenance): Pick<NewRun, 'jobInstanceUid' | 'startedAt'> {
  return { jobInstanceUid: monitoredMaintenance(providerId, repositoryId, kind), startedAt: new Date(startedAt) };
}
