import * as z from 'zod/mini';
import type { Connection } from '../foundation/database.ts';
import { declareJob } from '../foundation/jobs.ts';
import type { Queue } from '../foundation/queue.ts';
import { SYNC_LIMIT_SECONDS } from './sync-runs.ts';

/**
 * A sync of one source. A requested one waits beside a planned one, as it reads more: of a source one runs at a time, and one of each
 * may wait.
 */
export const syncJob = declareJob({
  name: 'sources.sync',
  payload: z.object({ sourceId: z.uuid(), isRequested: z.boolean() }),
  key: ({ sourceId, isRequested }) => (isRequested ? `requested ${sourceId}` : sourceId),
  group: ({ sourceId }) => sourceId,
  retry: { times: 20, firstPauseSeconds: 5, longestPauseSeconds: 600 },
  concurrency: 2,
  timeLimitSeconds: SYNC_LIMIT_SECONDS,
});

/**
 * Requests a sync of a source with the transaction of `connection`, whose settings it will see: one that runs may have begun with
 * other settings, and this one follows it.
 */
export async function requestSync(queue: Queue, connection: Connection, sourceId: string): Promise<void> {
  await queue.send(connection, syncJob, { sourceId, isRequested: true });
}
