import { ConnectorError, type ConnectorErrorKind } from '@keepwatch/connectors/base/connector-error';
import type { Ports } from '@keepwatch/connectors/ports/ports';
import { type Pool, transaction } from '../foundation/database.ts';
import type { ConnectionServices } from './connection-services.ts';
import { openSettings, openVendor } from './connection-settings.ts';
import { connectionsOf, type RecordedHealth, recordHealth, type StoredConnection } from './connections.ts';

/** A refused receiver, and a service that is busy, say nothing of the connection. */
const OF_ONE_USE: readonly ConnectorErrorKind[] = ['not-allowed', 'throttled'];

/** Services with which a connection is used, and how it fared is recorded. */
export interface UseServices extends ConnectionServices {
  database: Pool;
}

/**
 * Does something with a provider's connection of a port, and records how it fared.
 * @returns `null` where none is connected
 * @throws ConnectorError why it failed
 */
export async function useConnection<Port extends keyof Ports, T extends object>(
  services: UseServices,
  providerId: number,
  port: Port,
  work: (vendor: Ports[Port]) => Promise<T>,
  worked: string,
): Promise<T | null> {
  const [stored] = await connectionsOf(services.database, providerId, port);
  if (stored === undefined) return null;
  try {
    const done = await work(await openConnection(services, port, stored));
    await recordUse(services, stored, { state: 'ok', message: worked });
    return done;
  } catch (error) {
    if (error instanceof ConnectorError && !OF_ONE_USE.includes(error.kind))
      await recordUse(services, stored, { state: 'failing', message: error.message });
    throw error;
  }
}

/** Opens a connection of a port. @throws ConnectorError for settings that cannot be */
export async function openConnection<Port extends keyof Ports>(
  services: ConnectionServices,
  port: Port,
  stored: StoredConnection,
): Promise<Ports[Port]> {
  const manifest = await services.connectors.load(port, stored.kind);
  return openVendor(services, manifest, openSettings(services.secrets, stored));
}

/** Records how a connection fared when it was used. */
export function recordUse(
  { database, now }: Pick<UseServices, 'database' | 'now'>,
  stored: StoredConnection,
  health: RecordedHealth,
): Promise<void> {
  return transaction(database, (connection) => recordHealth(connection, stored, health, now()));
}
