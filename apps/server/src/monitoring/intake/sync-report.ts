import type { FailedEntity } from '@keepwatch/connectors/ports/backup-source';
import type { SourceErrorKind } from '@keepwatch/connectors/ports/source-error';

/** Failed entities that are listed; the rest is counted. */
export const FAILED_MAX = 200;
const REASON_LENGTH_MAX = 500;

export type SyncStatus = 'SUCCEEDED' | 'PARTIAL' | 'FAILED' | 'RUNNING';

/** What a sync has read and what it could not. */
export class SyncReport {
  readonly failed: FailedEntity[] = [];
  readonly counts: Record<string, number> = {};
  failedCount = 0;
  /** Parts (companies, one group of jobs, a step of the history, …) that were read to their end. */
  partsRead = 0;
  /** Why it ended before its end, with the vendor's kind of error where it was one; `null`: it did not. */
  end: { reason: string; kind: SourceErrorKind | null } | null = null;

  fail({ entity, externalId, reason }: FailedEntity): void {
    this.failedCount += 1;
    if (this.failed.length >= FAILED_MAX) return;
    this.failed.push({ entity, externalId, reason: reason.slice(0, REASON_LENGTH_MAX) });
  }

  count(name: string, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  /** Partial is never success, and nothing read is a failure. */
  get status(): SyncStatus {
    if (this.partsRead === 0) return 'FAILED';
    return this.failedCount > 0 ? 'PARTIAL' : 'SUCCEEDED';
  }
}
