import type { BackupSource } from '@keepwatch/connectors/ports/backup-source';
import type { TenantConsole } from '@keepwatch/connectors/ports/tenant-console';
import type { Connection as Database } from '../foundation/database.ts';
import type { ConnectionServices } from './connection-services.ts';
import { connectionsOf, type StoredConnection } from './connections.ts';
import { CONSOLE_PORT, CONSOLE_PORTS, TENANT_PORT } from './managed-ports.ts';
import { openConnection } from './use-connection.ts';

/** What consoles of both ports do. */
export type AnyConsole = Pick<BackupSource, 'listCompanies' | 'accounts'> | TenantConsole;

/** Whether connections of a port are consoles, to whose companies those of the portal are linked. */
export function isConsole(port: string | undefined): boolean {
  return CONSOLE_PORTS.some((known) => known === port);
}

/** Reads the consoles of a provider that are switched on. */
export async function consolesOf(database: Database, providerId: number): Promise<StoredConnection[]> {
  const found = await Promise.all(CONSOLE_PORTS.map((port) => connectionsOf(database, providerId, port)));
  return found.flat();
}

/** Opens a console. @throws ConnectorError for settings that cannot be */
export function openStoredConsole(services: ConnectionServices, stored: StoredConnection): Promise<AnyConsole> {
  return stored.port === TENANT_PORT
    ? openConnection(services, TENANT_PORT, stored)
    : openConnection(services, CONSOLE_PORT, stored);
}
