import type { ConnectorErrorKind } from '@keepwatch/connectors/base/connector-error';
import type { FailedEntity } from '@keepwatch/connectors/ports/backup-source';

/** Maximum number of listed failures; the rest is only counted. */
export const FAILED_MAX = 200;
const REASON_LENGTH_MAX = 500;

export type SyncStatus = 'SUCCEEDED' | 'PARTIAL' | 'FAILED' | 'RUNNING';

/** Collects what a sync has read and what it could not read. */
export class SyncReport {
  readonly failed: FailedEntity[] = [];
  readonly counts: Record<string, number> = {};
  failedCount = 0;
  /** Number of completely read parts (companies, one group of jobs, a step of the history, …). */
  partsRead = 0;
  /** Why the sync ended early, with the kind of a vendor's error; `null` if it did not. */
  end: { reason: string; kind: ConnectorErrorKind | null } | null = null;

  fail({ entity, externalId, reason }: FailedEntity): void {
    this.failedCount += 1;
    if (this.failed.length >= FAILED_MAX) return;
    this.failed.push({ entity, externalId, reason: reason.slice(0, REASON_LENGTH_MAX) });
  }

  count(name: string, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  /** Returns the status: partial is never success, and a sync that read nothing has failed. */
  get status(): SyncStatus {
    if (this.partsRead === 0) return 'FAILED';
    return this.failedCount > 0 ? 'PARTIAL' : 'SUCCEEDED';
  }
}
