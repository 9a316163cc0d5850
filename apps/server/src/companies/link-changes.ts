import type { CompanyDetail } from '@keepwatch/contract/companies/companies';
import type { Connection } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';
import { consoleLinks, type Link, setConsoleLinks } from './console-links.ts';

type Links = CompanyDetail['links'];

/** What the links of a company were, and what they are. */
export interface LinkChange {
  before: Links;
  after: Links;
}

/** The changes of links by the ids of their companies: of the company that was changed, and of those from which a link was moved to it. */
export type LinkChanges = ReadonlyMap<string, LinkChange>;

/** Sets the links of a company as `setConsoleLinks` does; without `links` none is changed. */
export async function changeConsoleLinks(
  connection: Connection,
  scope: Scope,
  companyId: string,
  links: readonly Link[] | undefined,
): Promise<LinkChanges> {
  if (links === undefined) return new Map();
  const ids = new Set([companyId, ...links.flatMap(({ movesFrom }) => movesFrom?.toLowerCase() ?? [])]);
  const before = await linksOfEach(connection, scope, ids);
  await setConsoleLinks(connection, scope, companyId, links);
  const after = await linksOfEach(connection, scope, ids);
  return new Map([...ids].map((id) => [id, { before: before.get(id) ?? [], after: after.get(id) ?? [] }]));
}

async function linksOfEach(connection: Connection, scope: Scope, ids: Iterable<string>): Promise<Map<string, Links>> {
  const found = new Map<string, Links>();
  for (const id of ids) found.set(id, await consoleLinks(connection, scope, id));
  return found;
}

/** What the audit log has of links. */
export function shownLinks(links: Links) {
  return {
    links: links.map(({ connectionId, connectionName, externalId }) => ({ connectionId, connectionName, externalId })),
  };
}
