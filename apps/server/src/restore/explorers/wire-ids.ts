import { CHATS_SUFFIX } from '@keepwatch/contract/restore/chats';
import { ROOT } from '@keepwatch/contract/restore/explorer';
import type { SessionType } from '@keepwatch/contract/restore/sessions';
import type { CatalogObject, ItemKind } from '@keepwatch/engine/engine';
import type { OpenedSession } from '../sessions/opened-session.ts';
import { type FoundObject, findObject, requireObject } from '../sessions/session-objects.ts';
import { inLibrary, libraryOf } from './library-ids.ts';
import { mailboxOf } from './mail-rows.ts';

/** What each explorer shows of what is found. */
export const KINDS_OF: Readonly<Record<SessionType, readonly ItemKind[]>> = {
  vex: ['message', 'event', 'contact', 'task'],
  veod: ['file'],
  vesp: ['file', 'list-item', 'page', 'list'],
  vet: ['post', 'reply', 'tab', 'file', 'chat-message'],
};

const ownerId = ({ owner }: Pick<CatalogObject, 'owner'>) => (owner ?? '').replace(/^[a-z]+\//, '');
const isOwnedBy = ({ owner }: Pick<CatalogObject, 'owner'>, ...types: string[]) =>
  types.some((type) => owner?.startsWith(`${type}/`) === true);

/** Whether an object belongs to an explorer: files are in three of them, by whose they are. */
export function isOfExplorer(type: SessionType, object: Pick<CatalogObject, 'kind' | 'owner'>): boolean {
  const { kind } = object;
  if (type === 'vex') return kind === 'mailbox' || kind === 'archive';
  if (type === 'veod') return kind === 'drive' && isOwnedBy(object, 'user');
  if (type === 'vesp') return kind === 'site' || (kind === 'drive' && !isOwnedBy(object, 'user'));
  return kind === 'team' || kind === 'chats' || (kind === 'drive' && isOwnedBy(object, 'team', 'group'));
}

/** Of objects that have the id of a person, whom others have, too. */
const SUFFIXES: Partial<Record<CatalogObject['kind'], string>> = { archive: '-archive', chats: CHATS_SUFFIX };

/** The ids on the wire of an object and of an item in it. */
export function wireIds(type: SessionType, object: Pick<CatalogObject, 'kind' | 'id' | 'owner'>) {
  const isLibrary = object.kind === 'drive' && type !== 'veod';
  const isOfNamed = type === 'vet' || isOwnedBy(object, 'site');
  const suffix = SUFFIXES[object.kind] ?? '';
  return {
    objectId: isLibrary && isOfNamed ? ownerId(object) : `${object.id}${suffix}`,
    idOf: (item: string) => (isLibrary ? inLibrary(object.id, item) : item),
  };
}

/** The object of an id on the wire, and the item in it. @throws 404 */
export async function requirePlace(
  opened: OpenedSession,
  objectId: string,
  itemId: string,
): Promise<{ found: FoundObject; item: string }> {
  const type = opened.session.sessionType;
  if (type === 'vex') {
    const { kind, id } = mailboxOf(objectId);
    return { found: await requireObject(opened, kind, id, 'mailbox'), item: itemId };
  }
  if (type === 'veod') return { found: await requireOf(opened, 'drive', objectId), item: itemId };
  if (type === 'vet' && objectId.endsWith(CHATS_SUFFIX))
    return { found: await requireChatsOf(opened, objectId), item: itemId };
  const { libraryId, itemId: inside } = libraryOf(itemId);
  const library = inside === null ? null : await findObject(opened, 'drive', libraryId);
  if (library !== null && inside !== null && isOfExplorer(type, library.object))
    return { found: library, item: inside };
  return { found: await requireOf(opened, type === 'vet' ? 'team' : 'site', objectId), item: itemId };
}

/** A folder of an id on the wire, or (`null`) all of an object; a library is an object. @throws 404 */
export async function requireContainer(
  opened: OpenedSession,
  objectId: string,
  parentId: string | undefined,
): Promise<{ found: FoundObject; container: string | null }> {
  const type = opened.session.sessionType;
  const isTop = parentId === undefined || parentId === ROOT;
  if (!isTop && (type === 'vesp' || type === 'vet')) {
    const { libraryId, itemId } = libraryOf(parentId);
    const library = await findObject(opened, 'drive', libraryId);
    if (library !== null && isOfExplorer(type, library.object)) return { found: library, container: itemId };
  }
  const { found, item } = await requirePlace(opened, objectId, isTop ? '' : parentId);
  return { found, container: isTop ? null : item };
}

/** The chats of a person by their id on the wire. @throws 404 */
export function requireChatsOf(opened: OpenedSession, personId: string): Promise<FoundObject> {
  const id = personId.endsWith(CHATS_SUFFIX) ? personId.slice(0, -CHATS_SUFFIX.length) : '';
  return requireObject(opened, 'chats', id, 'person with chats');
}

async function requireOf(opened: OpenedSession, kind: 'drive' | 'team' | 'site', id: string): Promise<FoundObject> {
  const found = await requireObject(opened, kind, id, 'item');
  return isOfExplorer(opened.session.sessionType, found.object) ? found : requireObject(opened, kind, '', 'item');
}
