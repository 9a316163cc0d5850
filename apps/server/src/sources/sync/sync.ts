import { ConnectorError } from '@keepwatch/connectors/base/connector-error';
import { DATA_SOURCE_GROUPS, type SourceJob } from '@keepwatch/connectors/ports/backup-source';
import { sql } from 'drizzle-orm';
import { openSettings, openVendor } from '../../connections/connection-settings.ts';
import { recordHealth } from '../../connections/connections.ts';
import { CONSOLE_PORT } from '../../connections/managed-ports.ts';
import { execute, row, transaction } from '../../foundation/database.ts';
import { updateSourceAlarms } from '../source-alarms.ts';
import type { IntakeServices } from '../source-services.ts';
import { findStoredSource, type StoredSource } from '../stored-source.ts';
import { beginSyncRun, endSyncRun, readHistoryLeft, syncLock } from '../sync-runs.ts';
import { unreadRanges } from './history-ranges.ts';
import { part, type RunningSync } from './running-sync.ts';
import { readCompanies } from './sync-companies.ts';
import { readHistory } from './sync-history.ts';
import { syncInventory } from './sync-inventory.ts';
import { readJobs } from './sync-jobs.ts';
import { SyncReport } from './sync-report.ts';

/** A sync that was stopped or skipped does not fulfil a request. */
export type SyncOutcome = 'ended' | 'stopped' | 'skipped: another sync is running';

/**
 * Reads one source: companies, jobs, the runs since the last sync and what an earlier one left of the history, and, once an hour
 * or on a user's request, the inventory. An entity, group or time range that cannot be read is listed and never stops the rest.
 * Does nothing if the source is gone or another sync of it runs.
 */
export async function syncSource(
  services: IntakeServices,
  { sourceId, isRequested }: { sourceId: string; isRequested: boolean },
  signal: AbortSignal,
): Promise<SyncOutcome> {
  const client = await services.database.connect();
  let lost: Error | undefined;
  try {
    const lock = await row<{ isMine: boolean }>(
      client,
      sql`select pg_try_advisory_lock(${syncLock(sourceId)}) as "isMine"`,
    );
    if (lock?.isMine !== true) return 'skipped: another sync is running';
    const source = await findStoredSource(services.database, sourceId);
    if (source !== null) await syncLocked(services, source, isRequested, signal);
    return signal.aborted ? 'stopped' : 'ended';
  } finally {
    await execute(client, sql`select pg_advisory_unlock(${syncLock(sourceId)})`).catch((error: Error) => {
      lost = error;
    });
    client.release(lost);
  }
}

async function syncLocked(
  services: IntakeServices,
  source: StoredSource,
  isRequested: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { database, log, metrics, now } = services;
  const run = { providerId: source.providerId, sourceId: source.id, startedAt: now() };
  const report = new SyncReport();
  const before = await readHistoryLeft(database, run);
  const left = { ...before, unread: unreadRanges(source.historyReadTo, before.unread, run.startedAt) };
  await beginSyncRun(database, run, left);
  try {
    const manifest = await services.connectors.load(CONSOLE_PORT, source.kind);
    const backup = openVendor(services, manifest, openSettings(services.secrets, source));
    const { version } = await backup.test(signal);
    await recordHealth(database, source, { state: 'ok', message: `${manifest.label} ${version} answers.` }, now());
    const sync = { services, source, backup, run, isRequested, report, signal };
    const jobs = await readInventory(sync);
    // The inventory comes before the history, of which a first sync reads a hundred days.
    await syncInventory(sync);
    await readHistory(sync, jobs, left);
  } catch (error) {
    endEarly(report, error, signal);
    if (error instanceof ConnectorError)
      await recordHealth(database, source, { state: 'failing', message: error.message }, now());
    if (report.end?.kind === null && !signal.aborted) log.error({ err: error, source: source.id }, 'a sync failed');
  }
  await transaction(database, async (connection) => {
    await endSyncRun(connection, run, report, now());
    await updateSourceAlarms(services.queue, connection, source, run, report);
  });
  metrics.syncRuns.inc({ status: report.status });
}

function endEarly(report: SyncReport, error: unknown, signal: AbortSignal): void {
  const kind = error instanceof ConnectorError ? error.kind : null;
  const ours = signal.aborted
    ? 'It was stopped before its end; the next sync goes on where it was.'
    : 'Internal error; see the server log.';
  const reason = error instanceof ConnectorError ? error.message : ours;
  report.end = { reason, kind };
  report.fail({ entity: 'sync', externalId: null, reason });
}

/** Reads companies, then their jobs. */
async function readInventory(sync: RunningSync): Promise<SourceJob[]> {
  await part(sync, 'companies', () => readCompanies(sync));
  const jobs: SourceJob[] = [];
  for (const group of DATA_SOURCE_GROUPS) jobs.push(...(await readJobs(sync, group)));
  return jobs;
}
