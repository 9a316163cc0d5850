import { listLinks } from '../connections/company-links.ts';
import type { Connection } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';

/** The port of consoles that report companies. */
export const CONSOLE_PORT = 'backup-source';

/** Returns the name of a connected console that a company is linked to, `null` if there is none: what it reports is written at its next sync. */
export async function reportingConsole(
  connection: Connection,
  scope: Scope,
  companyId: string,
): Promise<string | null> {
  const links = await listLinks(connection, scope, companyId);
  return links.find(({ port }) => port === CONSOLE_PORT)?.connectionName ?? null;
}
