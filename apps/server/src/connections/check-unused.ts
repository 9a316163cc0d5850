import type { Pool } from '../foundation/database.ts';
import { transaction } from '../foundation/database.ts';
import type { ConnectionServices } from './connection-services.ts';
import { listUnused, recordHealth, type StoredConnection } from './connections.ts';
import { healthOf, testStored } from './test-connection.ts';

export interface CheckServices extends ConnectionServices {
  database: Pool;
}

/** Shorter than a day, so that each night tests what the night before did. */
const UNUSED_AFTER_MS = 20 * 3_600_000;

/** Tests the connections that nothing has used lately, so that people learn of a failure before they need them. */
export async function checkUnusedConnections(services: CheckServices, signal: AbortSignal): Promise<void> {
  const since = new Date(services.now().getTime() - UNUSED_AFTER_MS);
  for (const stored of await listUnused(services.database, since)) {
    if (signal.aborted) return;
    await check(services, stored, signal);
  }
}

/** One that cannot be tested at all, such as that of a kind which this version does not have, does not hold up the others. */
async function check(services: CheckServices, stored: StoredConnection, signal: AbortSignal): Promise<void> {
  try {
    const health = healthOf(await testStored(services, stored, signal));
    await transaction(services.database, (connection) => recordHealth(connection, stored, health, services.now()));
  } catch (error) {
    services.log.warn({ err: error, connectionId: stored.id }, 'A connection could not be tested.');
  }
}
