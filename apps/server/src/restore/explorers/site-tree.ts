import { CONTENT_SUFFIX, ROOT, SUBSITES_SUFFIX } from '@keepwatch/contract/restore/explorer';
import type { OpenedSession } from '../sessions/opened-session.ts';
import { type FoundObject, findObject, objectsOf, type SessionObject } from '../sessions/session-objects.ts';

/** The path of a site's address, in parts: `sites`, `shop`. */
function partsOf(address: string | null): string[] {
  const url = address === null ? null : URL.parse(address);
  return (url?.pathname ?? '').split('/').filter((part) => part !== '');
}

/** Below these are site collections, one name deep; https://learn.microsoft.com/sharepoint/manage-site-creation */
const MANAGED_PATHS: ReadonlySet<string> = new Set(['sites', 'teams', 'personal']);

/** Whether a site is at the top: a site collection, and not a site below another one. */
export function isTopSite({ address }: Pick<SessionObject, 'address'>): boolean {
  const [first = '', , ...below] = partsOf(address);
  return MANAGED_PATHS.has(first) ? below.length === 0 : first === '';
}

export function isPersonalSite({ address }: Pick<SessionObject, 'address'>): boolean {
  return partsOf(address)[0] === 'personal';
}

/** Whether a site, library or page is directly below a site, by their addresses. */
export function isDirectlyBelow(address: string | null, site: string | null): boolean {
  if (address === null || site === null) return false;
  const base = `${site.replace(/\/+$/, '')}/`.toLowerCase();
  if (!address.toLowerCase().startsWith(base)) return false;
  const rest = address.slice(base.length).split('/');
  const isCollection = partsOf(site).length === 0 && MANAGED_PATHS.has(rest[0] ?? '');
  return rest.length === 1 && !isCollection;
}

/** Of which site the node is that a `parentId` names; `null` for the top. */
export function siteOfNode(parentId: string | undefined): string | null {
  if (parentId === undefined || parentId === ROOT) return null;
  for (const suffix of [SUBSITES_SUFFIX, CONTENT_SUFFIX])
    if (parentId.endsWith(suffix)) return parentId.slice(0, -suffix.length);
  return parentId;
}

/** Sites at the top. One below a site that is not in the backup is among them, so that nothing is out of reach. */
export async function* topSites(opened: OpenedSession): AsyncGenerator<SessionObject> {
  const known = new Set<string>();
  const below: SessionObject[] = [];
  for await (const site of objectsOf(opened, { kinds: ['site'] })) {
    known.add((site.address ?? '').toLowerCase());
    if (isTopSite(site)) yield site;
    else below.push(site);
  }
  for (const site of below) if (!known.has(parentAddress(site))) yield site;
}

/** The address that something is directly below, in lower case. */
export const parentAddress = ({ address }: Owned): string =>
  (address ?? '')
    .toLowerCase()
    .replace(/\/+$/, '')
    .replace(/\/[^/]*$/, '');

/** Sites directly below a site. */
export async function* subsitesOf(opened: OpenedSession, { object }: FoundObject): AsyncGenerator<SessionObject> {
  const text = object.address ?? undefined;
  for await (const site of objectsOf(opened, { kinds: ['site'], text }))
    if (isDirectlyBelow(site.address, object.address)) yield site;
}

/** Libraries of a site: its own drives, and those that belong to the group or team whose site it is. */
export async function librariesOf(opened: OpenedSession, { object }: FoundObject): Promise<FoundObject[]> {
  const found: FoundObject[] = [];
  const text = object.address ?? undefined;
  for await (const drive of objectsOf(opened, { kinds: ['drive'], text })) {
    if (!isLibraryOf(drive, object)) continue;
    const library = await findObject(opened, 'drive', drive.id);
    if (library !== null) found.push(library);
  }
  return found;
}

export interface Owned {
  owner: string | null;
  address: string | null;
}

/** Whether a drive is a library of a site. */
export function isLibraryOf({ owner, address }: Owned, site: { id: string; address: string | null }): boolean {
  if (owner === `site/${site.id}`) return true;
  const isOfGroup = owner?.startsWith('group/') === true || owner?.startsWith('team/') === true;
  return isOfGroup && isDirectlyBelow(address, site.address);
}

/** The name of a library without that of whose it is: `Shop: Documents` is `Documents`. */
export function libraryName({ object: { name } }: FoundObject): string {
  const at = name.indexOf(': ');
  return at < 0 ? name : name.slice(at + 2);
}
