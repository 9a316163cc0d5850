import { ConnectorError, type ConnectorErrorKind } from '@keepwatch/connectors/base/connector-error';
import type { BackupSource, Read } from '@keepwatch/connectors/ports/backup-source';
import type { IntakeServices } from '../source-services.ts';
import type { StoredSource } from '../stored-source.ts';
import type { SyncRun } from '../sync-runs.ts';
import type { SyncReport } from './sync-report.ts';

/** One sync while it runs. */
export interface RunningSync {
  services: IntakeServices;
  source: StoredSource;
  backup: BackupSource;
  run: SyncRun;
  /** By a user, instead of by the schedule: reads everything. */
  isRequested: boolean;
  report: SyncReport;
  signal: AbortSignal;
}

/** Errors after which nothing else of the source can be read. */
const ENDS_ALL: readonly ConnectorErrorKind[] = ['wrong-credentials', 'wrong-version'];

/** Runs one part of a sync. Lists a failure and returns `null`, so that the sync continues with the next part. */
export async function part<T>(sync: RunningSync, name: string, work: () => Promise<T>): Promise<T | null> {
  const { report, services, signal } = sync;
  signal.throwIfAborted();
  try {
    const result = await work();
    report.partsRead += 1;
    return result;
  } catch (error) {
    if (signal.aborted) throw error;
    const isVendors = error instanceof ConnectorError;
    if (isVendors && ENDS_ALL.includes(error.kind)) throw error;
    if (!isVendors) services.log.error({ err: error, source: sync.source.id, part: name }, 'a part of a sync failed');
    const reason = isVendors ? error.message : 'Internal error; see the server log.';
    report.fail({ entity: name, externalId: null, reason });
    return null;
  }
}

/** Yields the entities of a listing in batches, and adds those that cannot be read to the report. */
export async function* batchesOf<T>(
  { report, signal }: Pick<RunningSync, 'report' | 'signal'>,
  listing: AsyncIterable<Read<T>>,
  batchMax: number,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const read of listing) {
    signal.throwIfAborted();
    if ('failed' in read) {
      report.fail(read.failed);
      continue;
    }
    batch.push(read.value);
    if (batch.length < batchMax) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
