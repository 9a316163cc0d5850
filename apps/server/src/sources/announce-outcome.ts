import type { Connection } from '../foundation/database.ts';
import { raise, withdraw } from '../notifications/notifications.ts';
import type { StoredSource } from './stored-source.ts';
import type { SyncReport } from './sync/sync-report.ts';
import { previousStatus, type SyncRun } from './sync-runs.ts';

/** Each source has at most one open banner. */
export function failureEvent(sourceId: string): string {
  return `monitoring.source-failed.${sourceId}`;
}

/**
 * Notifies the provider's staff when a source cannot be read, and withdraws the notification once it can. Reports an error that a
 * user has to fix at once, and an unreachable console only at the second time, as most recover soon.
 */
export async function announceOutcome(
  connection: Connection,
  source: StoredSource,
  run: SyncRun,
  report: SyncReport,
): Promise<void> {
  const event = failureEvent(source.id);
  if (report.status !== 'FAILED') return withdraw(connection, source.providerId, event);
  const kind = report.end?.kind ?? null;
  const needsPerson = kind === 'wrong-credentials' || kind === 'not-allowed' || kind === 'wrong-version';
  if (!needsPerson && (await previousStatus(connection, run)) !== 'FAILED') return;
  const reason = report.end?.reason ?? report.failed[0]?.reason ?? 'Nothing of it could be read.';
  const message = `The source "${source.name}" cannot be read: ${reason}`;
  await raise(connection, source.providerId, { app: 'monitoring', event, message, severity: 'error' });
}
