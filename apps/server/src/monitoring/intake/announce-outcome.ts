import type { Connection } from '../../foundation/database.ts';
import { raise, withdraw } from '../../notifications/notifications.ts';
import type { StoredSource } from './stored-source.ts';
import type { SyncReport } from './sync-report.ts';
import { previousStatus, type SyncRun } from './sync-runs.ts';

/** One open banner a source. */
export function failureEvent(sourceId: string): string {
  return `monitoring.source-failed.${sourceId}`;
}

/**
 * Tells the provider's staff when a source cannot be read, and takes that back once it can. What a person has to put right is
 * told at once; a console that does not answer only at the second time, most come back by themselves.
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
