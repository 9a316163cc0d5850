import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { type Pool, row } from '../../foundation/database.ts';
import { hasWorkerSince } from '../../microsoft365/workers/workers.ts';

const LOOK_MS = 1_000;

/** Waits until a worker has started, which is the last that starts: what people wait for comes first. @throws the reason of the signal */
export async function untilPortalIsUp(database: Pool, signal: AbortSignal): Promise<void> {
  const now = await row<{ at: string }>(database, sql`select now() as at`);
  while (!(await hasWorkerSince(database, now?.at ?? ''))) await wait(LOOK_MS, undefined, { signal });
}
