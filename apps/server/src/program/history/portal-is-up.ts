import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { type Pool, row } from '../../foundation/database.ts';

const LOOK_MS = 1_000;

/** Waits until a worker has started, which is the last that starts: what people wait for comes first. @throws the reason of the signal */
export async function untilPortalIsUp(database: Pool, signal: AbortSignal): Promise<void> {
  const now = await row<{ at: string }>(database, sql`select now() as at`);
  const isUp = () =>
    row(database, sql`select from m365_workers w where w.seen_at > ${now?.at ?? ''}::timestamptz limit 1`);
  while ((await isUp()) === null) await wait(LOOK_MS, undefined, { signal });
}
