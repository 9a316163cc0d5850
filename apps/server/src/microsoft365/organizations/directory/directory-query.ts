import type { DirectoryKind, DirectoryObject } from '@keepwatch/connectors/ports/microsoft365-engine';

/** What is asked of a tenant's directory. */
export interface DirectoryQuery {
  kind: DirectoryKind;
  search: string;
  /** Of sites: those below this one. */
  parentId: string | null;
  withPersonalSites: boolean;
}

/** `$search`, `$count` and filters of lists are answered by an index that is a little behind; https://learn.microsoft.com/graph/aad-advanced-queries */
export const HEADERS = { ConsistencyLevel: 'eventual' };

/** The first page of a query, so that Microsoft searches, sorts and counts where it can. @param top rows a page */
export function pathOf(query: DirectoryQuery, top: number): string {
  switch (query.kind) {
    case 'user':
      return listPath('/users', 'id,displayName,mail,userPrincipalName', query, top);
    case 'group':
      return listPath('/groups', 'id,displayName,mail', query, top);
    case 'team':
      return `${listPath('/groups', 'id,displayName,mail', query, top)}&$filter=${encodeURIComponent(IS_TEAM)}`;
    case 'site':
      return sitesPath(query);
  }
}

/** https://learn.microsoft.com/microsoftteams/platform/graph-api/teams-list-all-teams */
const IS_TEAM = "resourceProvisioningOptions/Any(x:x eq 'Team')";

function listPath(path: string, select: string, { search }: DirectoryQuery, top: number): string {
  const names = path === '/users' ? ['displayName', 'mail', 'userPrincipalName'] : ['displayName', 'mail'];
  // Quotes and backslashes would end the clause.
  const words = search.replaceAll(/["\\]/g, ' ').trim();
  const order =
    words === ''
      ? '$orderby=displayName'
      : `$search=${encodeURIComponent(names.map((name) => `"${name}:${words}"`).join(' OR '))}`;
  return `${path}?$select=${select}&$count=true&$top=${top}&${order}`;
}

/** Microsoft does not search below a site: what is there is few, and searched here. */
function sitesPath({ search, parentId }: DirectoryQuery): string {
  if (parentId !== null) return `/sites/${encodeURIComponent(parentId)}/sites`;
  return search.trim() === '' ? '/sites/getAllSites' : `/sites?search=${encodeURIComponent(search.trim())}`;
}

/** Whether a row belongs to the answer, of what Microsoft does not leave out. */
export function isMeant(query: DirectoryQuery, { name, address, isPersonal }: DirectoryObject): boolean {
  if (isPersonal && !query.withPersonalSites) return false;
  if (query.parentId === null) return true;
  const sought = query.search.trim().toLowerCase();
  return [name, address ?? ''].some((text) => text.toLowerCase().includes(sought));
}

type Entity = Readonly<Record<string, unknown>>;

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

/** A row as pickers show it. */
export function objectOf(kind: DirectoryKind, entity: Entity): DirectoryObject {
  const address =
    kind === 'site' ? textOf(entity['webUrl']) : (textOf(entity['mail']) ?? textOf(entity['userPrincipalName']));
  const id = textOf(entity['id']) ?? '';
  return {
    id,
    kind,
    name: textOf(entity['displayName']) ?? textOf(entity['name']) ?? address ?? id,
    address,
    isPersonal: entity['isPersonalSite'] === true,
    hasChildren: false,
  };
}
