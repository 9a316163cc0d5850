import type { Pool } from '../foundation/database.ts';
import type { ConnectionServices } from './connection-services.ts';
import { listUnused, type RecordedHealth, type StoredConnection } from './connections.ts';
import { healthOf, testStored } from './test-connection.ts';
import { recordUse } from './use-connection.ts';

export interface CheckServices extends ConnectionServices {
  database: Pool;
}

/** Shorter than a day, so that each night tests what the night before did. */
const UNUSED_AFTER_MS = 20 * 3_600_000;
/** As many as an hour has room for, if each takes the 30 seconds that a test may take. The next night begins with the others. */
const CHECKED_MAX = 480;
const AT_ONCE = 4;

/** Tests the connections that nothing has used lately, so that people learn of a failure before they need them. */
export async function checkUnusedConnections(services: CheckServices, signal: AbortSignal): Promise<void> {
  const since = new Date(services.now().getTime() - UNUSED_AFTER_MS);
  const unused = (await listUnused(services.database, since, CHECKED_MAX)).values();
  const checkNext = async () => {
    for (const stored of unused) {
      if (signal.aborted) return;
      await check(services, stored, signal);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, checkNext));
}

/** One that cannot be tested does not hold up the others. What is not tested to its end is not recorded. */
async function check(services: CheckServices, stored: StoredConnection, signal: AbortSignal): Promise<void> {
  try {
    const health = await healthNow(services, stored, signal);
    await recordUse(services, stored, health);
  } catch (error) {
    if (!signal.aborted) services.log.error({ err: error, connectionId: stored.id }, 'A test could not be recorded.');
  }
}

async function healthNow(
  services: CheckServices,
  stored: StoredConnection,
  signal: AbortSignal,
): Promise<RecordedHealth> {
  try {
    return healthOf(await testStored(services, stored, signal));
  } catch (error) {
    signal.throwIfAborted();
    services.log.error({ err: error, connectionId: stored.id }, 'A connection could not be tested.');
    return { state: 'failing', message: 'Internal error; see the server log.' };
  }
}
