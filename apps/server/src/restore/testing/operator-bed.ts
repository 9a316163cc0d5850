import { allows } from '@keepwatch/contract/abilities';
import { calls } from '@keepwatch/contract/calls';
import type { RoleItem, RoleType } from '@keepwatch/contract/restore/roles';
import { openRestoreSession, SESSION_TYPES, type SessionType } from '@keepwatch/contract/restore/sessions';
import type { Call } from '@keepwatch/contract/wire/call';
import type { ListedObject } from '@keepwatch/engine/engine';
import type { KnownValues } from '../../testing/call-input.ts';
import type { Caller } from '../../testing/test-portal.ts';
import type { RestoreBed } from './restore-bed.ts';

/** An object of the backup with the ids of all that is in it, read from the catalog itself. */
export interface BedObject extends ListedObject {
  items: readonly string[];
}

/** Every call that the role of restore operators opens, from the contract: a new one is asked without a line in a test. */
export const OPERATOR_CALLS: readonly (readonly [string, Call])[] = Object.entries(calls).filter(
  ([, { access }]) => access !== 'public' && access !== 'signed-in' && allows(['restore-operator'], access),
);

/** Reads all objects of the one restore point of a bed. */
export async function readBedObjects({ stored: { catalog } }: RestoreBed): Promise<BedObject[]> {
  const found: BedObject[] = [];
  const { rows } = await catalog.findObjects({ limit: 1_000 });
  for (const object of rows) {
    const items: string[] = [];
    for await (const { id } of catalog.walk(object.key, object.revision, null)) items.push(id);
    found.push({ ...object, items });
  }
  return found;
}

/** Something that a role can select, with the keys of the objects that belong to it: looked up at Microsoft, not by the code under test. */
export interface Subject {
  item: RoleItem;
  keys: ReadonlySet<string>;
}

type Entity = Readonly<Record<string, unknown>>;

/** All that a role of a bed could select: its people, groups, teams and sites. */
export async function readSubjects(bed: RestoreBed, objects: readonly BedObject[]): Promise<Subject[]> {
  const all = async (path: string): Promise<Entity[]> => [...(await bed.connection.page({ path })).value];
  const keysOf = (belongs: (object: BedObject) => boolean) => new Set(objects.filter(belongs).map(({ key }) => key));
  const ofUser = (id: string) => (object: BedObject) =>
    object.owner === `user/${id}` || (object.id === id && object.owner === null);
  const inSite =
    (address: string) =>
    ({ kind, address: other, owner }: BedObject) =>
      (kind === 'site' || (kind === 'drive' && owner?.startsWith('user/') !== true)) &&
      other !== null &&
      (other === address || other.startsWith(`${address}/`));
  const ofGroup = async (id: string) => {
    const site = await bed.connection.ask({ path: `/groups/${id}/sites/root` }).catch((): Entity => ({}));
    const isInSite = typeof site['webUrl'] === 'string' ? inSite(site['webUrl']) : () => false;
    return (object: BedObject) =>
      object.id === id || object.owner === `group/${id}` || object.owner === `team/${id}` || isInSite(object);
  };
  const subjects: Subject[] = [];
  const add = (type: RoleItem['type'], { id, displayName }: Entity, keys: ReadonlySet<string>) =>
    subjects.push({ item: { type, id: String(id), name: String(displayName ?? '') }, keys });
  for (const user of await all('/users?$select=id,displayName')) {
    const keys = keysOf(ofUser(String(user['id'])));
    if (keys.size > 0) add('User', user, keys);
  }
  for (const team of await all('/teams')) add('Team', team, keysOf(await ofGroup(String(team['id']))));
  for (const group of (await all('/groups?$select=id,displayName')).slice(0, 6)) {
    const id = String(group['id']);
    const members = await all(`/groups/${id}/transitiveMembers?$select=id`);
    const isOfGroup = await ofGroup(id);
    const belongs = (object: BedObject) =>
      isOfGroup(object) || members.some((member) => ofUser(String(member['id']))(object));
    // A team is chosen as a team.
    add(
      'Group',
      group,
      keysOf((object) => belongs(object)),
    );
  }
  for (const { kind, id, name, address } of objects)
    if (kind === 'site') add('Site', { id, displayName: name }, keysOf(inSite(address ?? '')));
  return subjects;
}

/** A role by the places of what it selects. */
export interface DrawnRole {
  roleType: RoleType;
  selected: readonly number[];
  excluded: readonly number[];
}

/** The keys of the objects that a role shows, by what is known of its subjects. */
export function keysShown(
  { roleType, selected, excluded }: DrawnRole,
  subjects: readonly Subject[],
  objects: readonly BedObject[],
) {
  const keysOf = (places: readonly number[]) => new Set(places.flatMap((at) => [...(subjects[at]?.keys ?? [])]));
  const [chosen, left] = [keysOf(selected), keysOf(excluded)];
  const keys = objects.map(({ key }) => key).filter((key) => roleType === 'EntireOrganization' || chosen.has(key));
  return new Set(keys.filter((key) => !left.has(key)));
}

/** Opens a session of each explorer. */
export async function openSessions(bed: RestoreBed, caller: Caller): Promise<Record<SessionType, string>> {
  const { id: organizationId, companyId } = bed.organization;
  const datetime = new Date(Date.now() + 60_000).toISOString();
  const opened: Record<SessionType, string> = { vex: '', veod: '', vesp: '', vet: '' };
  for (const sessionType of SESSION_TYPES) {
    const body = { companyId, organizationId, datetime, sessionType, showDeleted: true };
    opened[sessionType] = (await caller.call(openRestoreSession, { body })).data.id;
  }
  return opened;
}

/** The ids that fields mean where a request is about one object. */
export function knownOf(
  bed: RestoreBed,
  { id, kind, items, owner, address }: BedObject,
  sessions: readonly string[],
  ordered: readonly string[],
): KnownValues {
  const ownerId = (owner ?? '').replace(/^[a-z]+\//, '');
  const inLibrary = kind === 'drive' ? items.map((item) => `${id}:${item}`) : [];
  const some = [...items.slice(0, 20), ...inLibrary.slice(0, 20), id];
  const instants = [new Date(Date.now() - 86_400_000).toISOString(), new Date(Date.now() + 86_400_000).toISOString()];
  const places = [
    id,
    ...(ownerId === '' ? [] : [ownerId]),
    ...(kind === 'archive' || kind === 'chats' ? [`${id}-${kind}`] : []),
  ];
  const targets = [...places, ...(address === null ? [] : [address])];
  return {
    companyIds: some,
    ids: [...some, ...ordered],
    texts: ['a', '', 'e'],
    vendorIds: [],
    instants,
    idsOf: {
      restoreSessionId: sessions,
      otherSessionId: sessions,
      organizationId: [bed.organization.id],
      companyId: [bed.organization.companyId],
      operationId: ordered,
      jobId: [bed.jobId],
      after: ['0 '],
      ...Object.fromEntries(['datetime', 'dateFrom', 'dateTo'].map((name) => [name, instants])),
      ...Object.fromEntries(
        ['mailboxId', 'onedriveId', 'teamId', 'siteId', 'personId', 'objectId'].map((name) => [name, places]),
      ),
      ...Object.fromEntries(['mailbox', 'onedrive', 'team', 'siteURL'].map((name) => [name, targets])),
      listId: items.slice(0, 20),
      libraryId: [id],
      url: ordered.map((one) => `/o365/restore/downloads/${one}`),
    },
  };
}

/** Every text of a JSON reply, in parts: an id may be within a longer one, or within an address. Links repeat the request. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string')
    return [value, ...value.split(/[:/?&=]/), value.replace(/-(archive|chats|content|subsites|pages)$/, '')];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, one]) => (name === '_links' ? [] : textsIn(one)));
  return [];
}
