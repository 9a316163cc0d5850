import type { CompanyDetail, editCompany } from '@keepwatch/contract/companies/companies';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { companyIdsOf, listLinks, moveLink, unlinkCompany } from '../connections/company-links.ts';
import { findConnection } from '../connections/connections.ts';
import { isConsole } from '../connections/consoles.ts';
import { CONSOLE_PORT } from '../connections/managed-ports.ts';
import { COMPANIES } from '../directory/companies.ts';
import { type Connection, row } from '../foundation/database.ts';
import { conflict, invalid } from '../foundation/errors.ts';
import type { Scope } from '../foundation/scope.ts';

/** Lists the links of a company to connected consoles. A console belongs to the whole provider: users who are limited to companies see none. */
export async function consoleLinks(
  connection: Connection,
  scope: Scope,
  companyId: string,
): Promise<CompanyDetail['links']> {
  if (scope.companyIds !== null) return [];
  const links = await listLinks(connection, scope, companyId);
  return links
    .filter(({ port }) => isConsole(port))
    .map(({ port, ...link }) => ({ ...link, isReporting: port === CONSOLE_PORT }));
}

/** Returns the name of a connected console that a company is linked to, `null` if there is none: what it reports is written at its next sync. */
export async function reportingConsole(
  connection: Connection,
  scope: Scope,
  companyId: string,
): Promise<string | null> {
  const links = await consoleLinks(connection, scope, companyId);
  return links.find(({ isReporting }) => isReporting)?.connectionName ?? null;
}

export type Link = NonNullable<CallInput<typeof editCompany>['body']['links']>[number];

/**
 * Gives a company exactly these links to connected consoles. Throws 422 for a console that is not connected, and 409 for a company of a
 * console that is linked to another one than the one that it moves from.
 */
export async function setConsoleLinks(
  connection: Connection,
  scope: Scope,
  companyId: string,
  links: readonly Link[],
): Promise<void> {
  const { providerId } = scope;
  const before = await consoleLinks(connection, scope, companyId);
  const isIn = (
    all: readonly Pick<Link, 'connectionId' | 'externalId'>[],
    link: Pick<Link, 'connectionId' | 'externalId'>,
  ) => all.some((other) => other.connectionId === link.connectionId && other.externalId === link.externalId);
  const asked = links.map((link) => ({ ...link, connectionId: link.connectionId.toLowerCase() }));
  for (const { connectionId } of before.filter((link) => !isIn(asked, link)))
    await unlinkCompany(connection, { providerId, id: connectionId }, companyId);
  for (const link of asked.filter((link) => !isIn(before, link))) await addLink(connection, scope, companyId, link);
}

async function addLink(connection: Connection, scope: Scope, companyId: string, link: Link): Promise<void> {
  const { providerId } = scope;
  const console = await findConnection(connection, providerId, link.connectionId);
  if (console === null || !isConsole(console.port))
    throw invalid([{ path: 'body.links', message: 'must name consoles that are connected' }]);
  const other = (await companyIdsOf(connection, console)).get(link.externalId) ?? null;
  if (other !== null && other !== link.movesFrom?.toLowerCase())
    throw conflict(await linkedText(connection, scope, other, console.name));
  await moveLink(connection, console, { externalId: link.externalId, companyId });
}

async function linkedText(connection: Connection, scope: Scope, id: string, console: string): Promise<string> {
  const found = await row<{ name: string }>(
    connection,
    sql`select c.name from ${COMPANIES} c where ${scope.companies('c')} and c.id = ${id}`,
  );
  return `That company of the console "${console}" is linked to "${found?.name}". Search for it again to move the link here.`;
}
