import type { Pool } from '../foundation/database.ts';
import { removeOldReplies } from '../foundation/http/idempotency.ts';
import type { Queue } from '../foundation/queue.ts';
import { removeExpiredSessions } from './sessions.ts';
import { removeOldAttempts } from './sign-in-attempts.ts';
import { removeUnusedDevices } from './sign-in-devices.ts';

const EVERY_HOUR = '41 * * * *';

/** Deletes expired sessions, old sign-in attempts, devices that are not used any more and idempotency replies older than a day. */
export async function forgetExpired(database: Pool, now: Date): Promise<void> {
  await removeExpiredSessions(database, now);
  await removeOldAttempts(database, now);
  await removeUnusedDevices(database, now);
  await removeOldReplies(database, now);
}

/** Registers the work of identity that runs outside requests, and plans it. */
export async function workIdentity(queue: Queue, services: { database: Pool; now(): Date }): Promise<void> {
  const brief = { atOnce: 1, limitSeconds: 55 };
  await queue.work('identity.forget-expired', brief, () => forgetExpired(services.database, services.now()));
  await queue.plan('identity.forget-expired', EVERY_HOUR, {});
}
