import { CONTENT_SUFFIX, ROOT, SUBSITES_SUFFIX } from '@keepwatch/contract/restore/explorer';
import { batchesOf } from '../../sessions/batches.ts';
import type { OpenedSession } from '../../sessions/opened-session.ts';
import type { SessionObject } from '../../sessions/repository-objects.ts';
import { type FoundObject, findObject, objectsOf } from '../../sessions/session-objects.ts';

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

/** So many sites are asked about at a time. */
const SITES_AT_ONCE = 100;

/** Sites at the top, behind a cursor. One below a site that is not in the backup is among them, so that nothing is out of reach. */
export async function* topSites(opened: OpenedSession, after?: string): AsyncGenerator<SessionObject> {
  const sites = objectsOf(opened, { kinds: ['site'] }, after);
  for await (const some of batchesOf(sites, SITES_AT_ONCE)) {
    const addresses = some.flatMap((site) => (isTopSite(site) ? [] : [parentAddress(site)]));
    const known = await knownAddresses(opened, addresses);
    for (const site of some) if (isTopSite(site) || !known.has(parentAddress(site))) yield site;
  }
}

async function knownAddresses(opened: OpenedSession, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  if (addresses.length === 0) return known;
  for await (const { address } of objectsOf(opened, { kinds: ['site'], addresses })) known.add(plainAddress(address));
  return known;
}

const plainAddress = (address: string | null) => (address ?? '').toLowerCase().replace(/\/+$/, '');

/** The address that something is directly below, in lower case. */
export const parentAddress = ({ address }: Pick<Owned, 'address'>): string =>
  plainAddress(address).replace(/\/[^/]*$/, '');

/** Sites directly below a site, behind a cursor. */
export async function* subsitesOf(
  opened: OpenedSession,
  { object: { address } }: FoundObject,
  after?: string,
): AsyncGenerator<SessionObject> {
  if (address === null) return;
  for await (const site of objectsOf(opened, { kinds: ['site'], below: [address] }, after))
    if (isDirectlyBelow(site.address, address)) yield site;
}

/** Libraries of a site: its own drives, and those that belong to the group or team whose site it is. */
export async function librariesOf(opened: OpenedSession, { object }: FoundObject): Promise<FoundObject[]> {
  const found: FoundObject[] = [];
  for await (const drive of librariesOfSites(opened, [object])) {
    if (!isLibraryOf(drive, object)) continue;
    const library = await findObject(opened, 'drive', drive.id);
    if (library !== null) found.push(library);
  }
  return found.toSorted((one, other) => one.object.name.localeCompare(other.object.name, 'en'));
}

/** All that may be a library of one of some sites: by whose it is, and else by its address. */
export async function* librariesOfSites(
  opened: OpenedSession,
  sites: readonly Pick<SessionObject, 'id' | 'address'>[],
): AsyncGenerator<SessionObject> {
  const owners = sites.map(({ id }) => `site/${id}`);
  yield* objectsOf(opened, { kinds: ['drive'], owners });
  const below = sites.flatMap(({ address }) => address ?? []);
  for await (const drive of objectsOf(opened, { kinds: ['drive'], below }))
    if (!owners.includes(drive.owner ?? '')) yield drive;
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
