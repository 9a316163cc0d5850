import type { CompanyDetail } from '@keepwatch/contract/companies/companies';
import { listLinks } from '../connections/company-links.ts';
import type { Connection } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';

/** The port of consoles that report companies. */
export const CONSOLE_PORT = 'backup-source';

/** Lists the links of a company to connected consoles. A console belongs to the whole provider: users who are limited to companies see none. */
export async function consoleLinks(
  connection: Connection,
  scope: Scope,
  companyId: string,
): Promise<CompanyDetail['links']> {
  if (scope.companyIds !== null) return [];
  const links = await listLinks(connection, scope, companyId);
  return links.filter(({ port }) => port === CONSOLE_PORT).map(({ port: _, ...link }) => link);
}

/** Returns the name of a connected console that a company is linked to, `null` if there is none: what it reports is written at its next sync. */
export async function reportingConsole(
  connection: Connection,
  scope: Scope,
  companyId: string,
): Promise<string | null> {
  const [link] = await consoleLinks(connection, scope, companyId);
  return link?.connectionName ?? null;
}
