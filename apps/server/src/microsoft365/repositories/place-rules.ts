import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import {
  isRefusedAddress,
  isRefusedInDigits,
  privateAddressText,
  resolveName,
} from '@keepwatch/connectors/base/addresses';
import { Refused, type RepositoryPlace } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { Settings } from '../../foundation/settings.ts';

/** Where the operator of this portal allows repositories to be. */
export interface PlaceRules {
  /** All folders are below it; `null`: there are no repositories in folders. */
  repositoryRoot: string | null;
  /** Whether buckets may be at addresses of this machine and of private networks, and without https. */
  allowPrivateAddresses: boolean;
}

/** Reads the rules from the settings. */
export function placeRulesOf(settings: Pick<Settings, 'REPOSITORY_ROOT' | 'ALLOW_PRIVATE_ADDRESSES'>): PlaceRules {
  return {
    repositoryRoot: settings.REPOSITORY_ROOT || null,
    allowPrivateAddresses: settings.ALLOW_PRIVATE_ADDRESSES,
  };
}

/** Returns the place with its whole path: a folder that is only named is below the root. */
export function wholePlace(
  place: RepositoryPlace,
  { repositoryRoot }: Pick<PlaceRules, 'repositoryRoot'>,
): RepositoryPlace {
  if (place.kind !== 'folder' || repositoryRoot === null || isAbsolute(place.path)) return place;
  return { ...place, path: join(repositoryRoot, place.path) };
}

/** Refuses a place that a user typed and the operator does not allow. @throws `Refused` that names the field */
export async function requireAllowedPlace(place: RepositoryPlace, rules: PlaceRules): Promise<void> {
  if (place.kind === 'folder') await requireAllowedFolder(place.path, rules.repositoryRoot);
  else if (place.endpoint !== null && !rules.allowPrivateAddresses) await requirePublicEndpoint(place.endpoint);
}

async function requireAllowedFolder(path: string, root: string | null): Promise<void> {
  if (root === null) throw refused('place.path', NO_ROOT);
  const isAllowed = isBelow(path, root) && isBelow(await withoutLinks(path), await withoutLinks(root));
  if (!isAllowed) throw refused('place.path', `must be a name, such as contoso, or the path of a folder in ${root}`);
}

function isBelow(path: string, root: string): boolean {
  const below = relative(resolve(root), resolve(path));
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** Follows the links of the part of a path that is there. A link that leads nowhere is refused: it may lead somewhere later. */
async function withoutLinks(path: string): Promise<string> {
  const whole = resolve(path);
  if (await isThere(whole)) return realpath(whole).catch(() => Promise.reject(refused('place.path', DEAD_LINK)));
  const parent = dirname(whole);
  return parent === whole ? whole : join(await withoutLinks(parent), relative(parent, whole));
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

/** A name is resolved again for each connection (`openPlace`); here it is for a message beside the field. */
async function requirePublicEndpoint(endpoint: string): Promise<void> {
  requirePublicForm(endpoint);
  const found = await resolveName(hostOf(endpoint) ?? '').catch(() => []);
  if (found.length > 0 && found.every(({ address }) => isRefusedAddress(address)))
    throw refused('place.endpoint', PRIVATE);
}

/** Refuses an endpoint without https, and an address in digits that is not public: those are never looked up. @throws `Refused` */
export function requirePublicForm(endpoint: string): void {
  const host = hostOf(endpoint);
  if (host === null) throw refused('place.endpoint', NO_HTTPS);
  if (isRefusedInDigits(host)) throw refused('place.endpoint', PRIVATE);
}

/** The host of an https address, as the engine reads it: it adds `https://` where there is none. */
function hostOf(endpoint: string): string | null {
  const url = URL.parse(endpoint.includes('://') ? endpoint : `https://${endpoint}`);
  return url?.protocol === 'https:' ? url.hostname.replace(/^\[|\]$/g, '') : null;
}

const refused = (field: string, message: string) => new Refused('PLACE_REFUSED', message, field);

const NO_ROOT =
  'cannot be a folder on this portal: ask its operator to set REPOSITORY_ROOT, the folder in which repositories may be, or choose a bucket';
const DEAD_LINK = 'has a symbolic link in it that leads to nothing';
const NO_HTTPS = 'must be an address that begins with https://';
/** Of an endpoint that is not public, after its name. */
export const PRIVATE = privateAddressText('bucket');
