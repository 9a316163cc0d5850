import { isObject, textsOf } from '../wire/json.ts';

/** Where a behaviour applies: everywhere, nowhere, or for the objects with these ids. */
export type Switch = boolean | readonly string[];

/**
 * What real tenants do and a kind sandbox would not. Each can be switched for the whole tenant, those about objects for single ones too, by
 * the ids of sites, users or channels.
 */
export interface Behaviours {
  /** Sites that answer 423: no access, or under a lock of the provider. */
  lockedSites: Switch;
  /** Sites in the archive of Microsoft 365: 403. */
  archivedSites: Switch;
  /** Addresses that a renamed site left behind: 301. */
  redirectedSites: Switch;
  /** Sites that an administrator made read-only: 423 to what would change them or their drives. */
  readOnlySites: Switch;
  /** Mailboxes without room: 507 to what would add to them. */
  fullMailboxes: Switch;
  /** Mailboxes outside the scope of the application's access policy: 403, whatever permissions it has. */
  closedMailboxes: Switch;
  /** Applications whose token of before a policy is refused with a claims challenge: 401, until a token was asked for with the claims. */
  claimsChallenges: Switch;
  /** Applications that a Conditional Access policy gives no token any more. */
  blockedApplications: Switch;
  /** Mailboxes and drives of which a folder is deleted while it is enumerated, and made again a page later; by the ids of users or drives. */
  remadeFolders: Switch;
  /** Files that are given out with other bytes than are listed, as of rights-managed libraries; by the ids of drives or items. */
  rewrittenFiles: Switch;
  /** Persons among whose calendars is one that another user shares with them. */
  sharedCalendars: Switch;
  /** Persons who were renamed: the owner of their calendars still has the former address. */
  formerOwners: Switch;
  /** Persons among whose mail folders is a search folder, which shows messages of the others. */
  searchFolders: Switch;
  /** Channels that the list of their team leaves out, though they answer. */
  unlistedChannels: Switch;
  /** `hasAttachments` of an event counts no inline pictures. On by default, as the reference says of messages. */
  inlinePicturesUncounted: boolean;
  /** The delta of the items of an exported mailbox takes no `$expand`; its reference names `$select` and `$top` alone. */
  archiveDeltaWithoutExpand: boolean;
  /** Links to the next page of a channel's posts have expired. */
  expiredSkipTokens: boolean;
  /** Who signs in reaches the own mailbox, and those that are shared with them (`tenant.mailboxShares`). On by default. */
  ownMailboxAlone: boolean;
  /** Who signs in needs a scope that ends in `.Shared` for what is shared with them. On by default. */
  sharedScopes: boolean;
  /** Export and import of mailboxes need the permissions of their references, and not one for all. On by default. */
  separateTransferPermissions: boolean;
  /** Deltas do not report what was removed. */
  missingTombstones: boolean;
  /** A drive names the folder that was deleted, and not what was in it. */
  partialTombstones: boolean;
  /** The last page of a delta has no link to the next round. */
  endlessDeltas: boolean;
  /** `getAllSites` gives site collections alone: subsites are found below their parents. On by default, as the reference says. */
  siteCollectionsAlone: boolean;
  /** Lists of persons, groups, members and sites show the tenant as it was a minute ago. What is asked for by its id is up to date. */
  laggingLists: boolean;
  /** Some sites are in another geography: with a host of its own, and on pages of their own, of which some are empty. */
  satelliteSites: boolean;
  /** The id of an in-place archive is in the settings of `/beta` alone, as in the references. On by default. */
  archiveIdInBetaAlone: boolean;
  /** A round over mail folders does not list a folder of which only the messages changed. On by default, because the opposite is not documented. */
  quietFolders: boolean;
}

/** A behaviour that cannot be set so. */
export class BehaviourError extends Error {}

/** The behaviours from the start: those that the vendor documents. Objects are open until they are closed. */
export const firstBehaviours: Behaviours = {
  lockedSites: false,
  archivedSites: false,
  redirectedSites: false,
  readOnlySites: false,
  fullMailboxes: false,
  closedMailboxes: false,
  claimsChallenges: false,
  blockedApplications: false,
  remadeFolders: false,
  rewrittenFiles: false,
  sharedCalendars: false,
  formerOwners: false,
  searchFolders: false,
  unlistedChannels: false,
  inlinePicturesUncounted: true,
  archiveDeltaWithoutExpand: false,
  expiredSkipTokens: false,
  ownMailboxAlone: true,
  sharedScopes: true,
  separateTransferPermissions: true,
  missingTombstones: false,
  partialTombstones: false,
  endlessDeltas: false,
  siteCollectionsAlone: true,
  laggingLists: false,
  satelliteSites: false,
  archiveIdInBetaAlone: true,
  quietFolders: true,
};

/** Whether a behaviour applies to the object with this id. */
export const appliesTo = (where: Switch, id: string): boolean =>
  typeof where === 'boolean' ? where : where.includes(id);

/**
 * Reads switches from outside, by name: `true`, `false` or a list of ids.
 * @throws BehaviourError that says what would be right
 */
export function readBehaviours(input: unknown): Partial<Behaviours> {
  if (!isObject(input)) throw new BehaviourError('behaviours must be an object');
  const entries = Object.entries(input).map(([name, value]) => [knownName(name), readSwitch(name, value)] as const);
  return Object.fromEntries(entries);
}

function knownName(name: string): string {
  if (Object.hasOwn(firstBehaviours, name)) return name;
  throw new BehaviourError(`There is no behaviour ${name}; there are ${Object.keys(firstBehaviours).join(', ')}`);
}

/** Those that can be switched for single objects. */
const OF_OBJECTS: ReadonlySet<string> = new Set<keyof Behaviours>([
  ...([
    'lockedSites',
    'archivedSites',
    'redirectedSites',
    'readOnlySites',
    'fullMailboxes',
    'closedMailboxes',
  ] as const),
  ...(['claimsChallenges', 'blockedApplications', 'remadeFolders', 'rewrittenFiles', 'sharedCalendars'] as const),
  ...(['formerOwners', 'searchFolders', 'unlistedChannels'] as const),
]);

function readSwitch(name: string, value: unknown): Switch {
  if (typeof value === 'boolean') return value;
  if (!OF_OBJECTS.has(name)) throw new BehaviourError(`${name} must be true or false: it is of the whole tenant`);
  const ids = textsOf(value);
  if (ids !== undefined && Array.isArray(value) && ids.length === value.length) return ids;
  throw new BehaviourError(`${name} must be true, false or a list of ids`);
}
