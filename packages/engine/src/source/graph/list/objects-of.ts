import type { ObjectKind, ProtectedObject } from '../../../model/protected-object.ts';
import type { ListingNote } from '../../source.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError, isNotOffered } from '../graph-error.ts';
import { groupOwner } from '../group/group-owner.ts';
import { type JsonObject, objectOf, textOf } from '../json.ts';
import { findArchive } from '../mailbox/exchange-export.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import { isOfItAlone, refusedPart, type Unreachable } from './listing-notes.ts';
import type { Subject } from './subject.ts';

/** What is asked of one subject. */
interface Asking {
  connection: GraphConnection;
  subject: Subject;
  signal: AbortSignal;
  /** Whether all sites are listed, with all their libraries. */
  hasAllSites: boolean;
}

/** Some of the objects of a subject, which are refused together. */
interface Part {
  /** For a person: `the mailbox`. */
  name: string;
  kind: ObjectKind;
  of: readonly Subject['type'][];
  list(asking: Asking): Promise<(ProtectedObject | ListingNote)[]>;
}

const PARTS: readonly Part[] = [
  { name: 'the mailbox', kind: 'mailbox', of: ['user'], list: mailboxOf },
  { name: 'the archive', kind: 'archive', of: ['user'], list: archiveOf },
  { name: 'the conversations', kind: 'mailbox', of: ['group'], list: conversationsOf },
  { name: 'the chats', kind: 'chats', of: ['user'], list: chatsOf },
  { name: 'the plans', kind: 'planner', of: ['group', 'team'], list: plansOf },
  { name: 'the team', kind: 'team', of: ['team'], list: itself('team') },
  { name: 'the site', kind: 'site', of: ['site'], list: itself('site') },
  { name: 'the files', kind: 'drive', of: ['user', 'group', 'team', 'site'], list: drivesOf },
  { name: 'the files of private and shared channels', kind: 'drive', of: ['team'], list: channelDrivesOf },
];

/** The objects of some kinds that belong to a subject. A refused kind is reported, and stops none of the others. */
export async function objectsOf(
  asking: Asking,
  kinds: ReadonlySet<ObjectKind>,
  unreachable: Unreachable,
): Promise<(ProtectedObject | ListingNote)[]> {
  const { subject } = asking;
  const found: (ProtectedObject | ListingNote)[] = [];
  for (const part of PARTS) {
    if (!kinds.has(part.kind) || !part.of.includes(subject.type)) continue;
    try {
      found.push(...(await part.list(asking)));
      unreachable.answered();
    } catch (error) {
      if (!isOfItAlone(error)) throw error;
      unreachable.failed(error);
      found.push(refusedPart(subject, part.name, error));
    }
  }
  return found;
}

function own({ connection, subject }: Asking, kind: ObjectKind, owner: string | null): ProtectedObject {
  const { id, name, address } = subject;
  return { organizationId: connection.tenantId, kind, id, name, owner, address };
}

function itself(kind: ObjectKind): Part['list'] {
  return async (asking) => [own(asking, kind, null)];
}

async function mailboxOf(asking: Asking): Promise<ProtectedObject[]> {
  return (await hasMailbox(asking)) ? [own(asking, 'mailbox', null)] : [];
}

/** Reported once, however many persons it is of. */
const NO_ARCHIVES: ListingNote = {
  code: 'part-not-offered',
  message: 'This tenant does not give out in-place archives: they are not backed up.',
};
const ARCHIVES_UNKNOWN: ListingNote = {
  code: 'part-not-offered',
  message:
    'Microsoft 365 does not say of every person whether there is an in-place archive: where it does not, none is backed up.',
};

const unknownArchive = (unknown: ProtectedObject): ListingNote => ({
  code: 'part-not-offered',
  message: `Microsoft 365 does not say whether ${unknown.name} has an in-place archive, so none is backed up.`,
  unknown,
});

async function archiveOf(asking: Asking): Promise<(ProtectedObject | ListingNote)[]> {
  const { connection, subject, signal } = asking;
  if (!(await hasMailbox(asking))) return [];
  try {
    const archive = await findArchive(connection, subject.id, signal);
    const there = own(asking, 'archive', `user/${subject.id}`);
    if (archive === undefined) return [ARCHIVES_UNKNOWN, unknownArchive(there)];
    return archive === null ? [] : [there];
  } catch (error) {
    if (isNotOffered(error)) return [NO_ARCHIVES];
    throw error;
  }
}

async function conversationsOf(asking: Asking): Promise<ProtectedObject[]> {
  return [own(asking, 'mailbox', groupOwner(asking.subject.id))];
}

/** The cloud of China is without Planner; https://learn.microsoft.com/graph/api/plannergroup-list-plans */
const NO_PLANNER: ListingNote = {
  code: 'part-not-offered',
  message: 'This tenant does not give out the plans of groups: they are not backed up.',
};

/** Of a team that is listed with all groups, its group has them. */
async function plansOf(asking: Asking): Promise<(ProtectedObject | ListingNote)[]> {
  const { connection, subject, signal, hasAllSites } = asking;
  if (subject.type === 'team' && hasAllSites) return [];
  try {
    const { value } = await connection.page({ path: path`/groups/${subject.id}/planner/plans`, signal });
    return value.length === 0 ? [] : [own(asking, 'planner', groupOwner(subject.id))];
  } catch (error) {
    if (isNotOffered(error)) return [NO_PLANNER];
    if (error instanceof GraphError && error.status === 404) return [];
    throw error;
  }
}

async function chatsOf(asking: Asking): Promise<ProtectedObject[]> {
  const { services, id } = asking.subject;
  return services.has('teamspaceapi') ? [own(asking, 'chats', `user/${id}`)] : [];
}

/** A plan shows it; shared mailboxes have none, and are asked. */
async function hasMailbox({ connection, subject, signal }: Asking): Promise<boolean> {
  if (subject.services.has('exchange')) return true;
  if (!subject.mayHaveUnlicensedMailbox) return false;
  return isThere(connection.ask({ path: `${path`/users/${subject.id}/mailFolders/inbox`}?$select=id`, signal }));
}

async function isThere(asking: Promise<JsonObject>): Promise<boolean> {
  try {
    await asking;
    return true;
  } catch (error) {
    if (error instanceof GraphError && error.status === 404) return false;
    throw error;
  }
}

/** Libraries that the server keeps, such as for the pictures of pages, are given to who names their facet; https://learn.microsoft.com/graph/api/drive-list */
const DRIVE_QUERY = '$select=id,name,webUrl,system';
const DRIVES_OF = { user: 'users', group: 'groups', team: 'groups', site: 'sites' } as const;

async function drivesOf({ connection, subject, signal }: Asking): Promise<ProtectedObject[]> {
  if (subject.type === 'user' && subject.services.size > 0 && !subject.services.has('sharepoint')) return [];
  const drives: ProtectedObject[] = [];
  try {
    const call = `/${DRIVES_OF[subject.type]}/${encodeURIComponent(subject.id)}/drives?${DRIVE_QUERY}`;
    for await (const { value } of connection.pages({ path: call, signal })) {
      drives.push(...value.map((drive) => driveObject(connection.tenantId, subject, drive)));
    }
  } catch (error) {
    // A person who never opened OneDrive has none, and a group may be without a site.
    if (!(error instanceof GraphError) || error.status !== 404) throw error;
  }
  return drives;
}

/**
 * Files of private and shared channels are in sites of their own, and belong to the team; https://learn.microsoft.com/graph/api/channel-get-filesfolder
 * Who backs up all sites has these files with them, should the application not see channels.
 */
async function channelDrivesOf(asking: Asking): Promise<(ProtectedObject | ListingNote)[]> {
  const { connection, subject, signal, hasAllSites } = asking;
  try {
    const channels = (await channelsOf(connection, subject.id, signal)).filter(
      ({ membershipType }) => membershipType !== 'standard',
    );
    return (await Promise.all(channels.map((channel) => channelDriveOf(asking, channel)))).flat();
  } catch (error) {
    if (hasAllSites && error instanceof GraphError && error.code === 'consent-missing') return [];
    throw error;
  }
}

async function channelsOf(connection: GraphConnection, team: string, signal: AbortSignal): Promise<JsonObject[]> {
  const channels: JsonObject[] = [];
  const call = `${path`/teams/${team}/channels`}?$select=id,displayName,membershipType`;
  for await (const { value } of connection.pages({ path: call, signal })) channels.push(...value);
  return channels;
}

async function channelDriveOf(
  { connection, subject, signal }: Asking,
  { id, displayName }: JsonObject,
): Promise<(ProtectedObject | ListingNote)[]> {
  const call = { path: path`/teams/${subject.id}/channels/${textOf(id) ?? ''}/filesFolder`, signal };
  try {
    const folder = await connection.ask(call);
    const drive = textOf(objectOf(folder['parentReference'])['driveId']) ?? '';
    const found = await connection.ask({ path: `${path`/drives/${drive}`}?${DRIVE_QUERY}`, signal });
    return [driveObject(connection.tenantId, subject, found)];
  } catch (error) {
    // A channel that was deleted meanwhile, or whose files were never opened.
    if (error instanceof GraphError && error.status === 404) return [];
    if (!isOfItAlone(error)) throw error;
    return [refusedPart(subject, `the files of the channel ${textOf(displayName) ?? textOf(id)}`, error)];
  }
}

function driveObject(organizationId: string, subject: Subject, drive: JsonObject): ProtectedObject {
  const name = textOf(drive['name']) ?? 'Documents';
  return {
    organizationId,
    kind: 'drive',
    id: textOf(drive['id']) ?? '',
    name: `${subject.name}: ${name}`,
    owner: `${subject.type}/${subject.id}`,
    address: subject.type === 'user' ? subject.address : (textOf(drive['webUrl']) ?? null),
  };
}
