import { type BackupJob, type BackupParts, type BackupResult, backUp } from '../backup/backup.ts';
import type { Source } from '../source/source.ts';
import { CountedSource } from './counted-source.ts';
import { reportingWaits } from './waits.ts';
import type { Stored, Work } from './work.ts';

export interface BackupOrder extends Pick<BackupParts, 'onBegun' | 'now'> {
  job: BackupJob;
  /** Mailboxes, drives, sites and teams that are read side by side; default `OBJECTS_AT_ONCE`. */
  objectsAtOnce?: number;
}

/** One run of a job: see `backUp`. The source stays open. */
export function runBackup(
  stored: Stored,
  source: Source,
  { job, ...options }: BackupOrder,
  work: Work,
): Promise<BackupResult> {
  const { signal, onEvent } = work;
  onEvent({ type: 'phase', phase: 'catching-up' });
  const own = source.reportingTo?.(onEvent) ?? source;
  return backUp({ ...reportingWaits(stored, work), ...options, source: new CountedSource(own), signal, onEvent }, job);
}
