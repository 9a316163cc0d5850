import type { ListedObject } from '@keepwatch/engine/engine';

/** What of an object of a backup says whose it is. */
export type Identified = Pick<ListedObject, 'kind' | 'id' | 'owner' | 'address'>;

/** What was ordered, and what it goes into, as it was then; `undefined`: not known. */
export type OrderedObjects = readonly (Identified | undefined)[];

/** What says whose it is, for rows that outlive the object in the catalog. */
export function identityOf({ kind, id, owner, address }: Identified): Identified {
  return { kind, id, owner, address };
}

/** The items of a role with all that they mean. Ids are in lower case. */
export interface Meant {
  users: ReadonlySet<string>;
  /** Of groups and teams. */
  groups: ReadonlySet<string>;
  sites: ReadonlySet<string>;
  /** Of these sites: what is below one belongs to it. */
  siteAddresses: readonly string[];
}

/** A role with all that it means. */
export interface Coverage {
  isEverything: boolean;
  selected: Meant;
  excluded: Meant;
}

/** Whether a role shows an object. What is excluded is not shown, even if it is part of what is selected. */
export function isCovered({ isEverything, selected, excluded }: Coverage, object: Identified): boolean {
  if (isAmong(excluded, object)) return false;
  // A personal site does not say whose it is: that of an excluded person must not be shown.
  if (excluded.users.size > 0 && isInPersonalSite(object)) return false;
  return isEverything || isAmong(selected, object);
}

function isAmong({ users, groups, sites, siteAddresses }: Meant, object: Identified): boolean {
  const { kind } = object;
  // Ids are the same in capitals, as some tools of Microsoft print them.
  const id = object.id.toLowerCase();
  const owner = ownerOf(object);
  if (owner.type === 'user') return users.has(owner.id);
  if (kind === 'team') return groups.has(id);
  if (owner.type === 'group' || owner.type === 'team') if (groups.has(owner.id)) return true;
  if (kind === 'site' || kind === 'drive') {
    if (sites.has(kind === 'site' ? id : owner.id)) return true;
    return siteAddresses.some((site) => isInSite(object.address, site));
  }
  // The mailbox and the chats of a person have the person's id.
  return owner.type === '' && users.has(id);
}

function ownerOf({ owner }: Identified): { type: string; id: string } {
  const [type = '', ...id] = (owner ?? '').split('/');
  return { type, id: id.join('/').toLowerCase() };
}

/** Below these are site collections, one name deep; https://learn.microsoft.com/sharepoint/manage-site-creation */
const MANAGED_PATHS: ReadonlySet<string> = new Set(['sites', 'teams', 'personal']);

/** Whether an address is that of a site, of a site below it or of a library in it. */
function isInSite(address: string | null, site: string): boolean {
  const [one, other] = [placeOf(address), placeOf(site)];
  if (one === null || other === null || one.collection !== other.collection) return false;
  return one.address === other.address || one.address.startsWith(`${other.address}/`);
}

/** An address without its end, and its site collection: the sites of others are below the site at the top by their addresses alone. */
function placeOf(address: string | null): { address: string; collection: string } | null {
  const url = address === null ? null : URL.parse(address);
  if (url === null) return null;
  const parts = url.pathname
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  const origin = url.origin.toLowerCase();
  const isManaged = MANAGED_PATHS.has(parts[0] ?? '');
  const collection = [origin, ...(isManaged ? parts.slice(0, 2) : [])].join('/');
  return { address: [origin, ...parts].join('/'), collection };
}

function isInPersonalSite({ kind, owner, address }: Identified): boolean {
  if ((kind !== 'site' && kind !== 'drive') || owner?.startsWith('user/') === true) return false;
  const url = address === null ? null : URL.parse(address);
  return url?.pathname.toLowerCase().startsWith('/personal/') === true;
}
