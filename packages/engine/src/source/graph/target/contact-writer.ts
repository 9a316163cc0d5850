import type { NewItem, Written } from '../../target.ts';
import type { JsonObject } from '../json.ts';
import { textOf } from '../json.ts';
import {
  bareId,
  bytesOf,
  deleteOnFailure,
  type MailboxWriting,
  type Place,
  pathOfItem,
  pathOfItems,
} from './mailbox-writing.ts';

/** Fields that only the vendor sets. */
const GIVEN = new Set(['id', 'changeKey', 'createdDateTime', 'lastModifiedDateTime', 'parentFolderId']);
/** Derived from `emailAddresses`. */
const DERIVED = new Set(['primaryEmailAddress', 'secondaryEmailAddress', 'tertiaryEmailAddress']);

/** Writes a contact with its photo. */
export async function writeContact(
  writing: MailboxWriting,
  place: Place,
  item: NewItem,
  signal: AbortSignal,
): Promise<Written> {
  const { connection, user } = writing;
  const body = place.id === null ? writableContact(item.properties) : ownOf(item.properties);
  const photo = await bytesOf(item, 'attachments/photo');
  const [method, path] =
    place.id === null
      ? (['POST', pathOfItems(user, 'contact', place.folderId)] as const)
      : (['PATCH', pathOfItem(user, 'contact', place.id, place.folderId)] as const);
  const written = await connection.ask({ method, path, headers: bareId, body, signal });
  const id = place.id ?? textOf(written['id']) ?? '';
  const itemPath = pathOfItem(user, 'contact', id, place.folderId);
  const putPhoto = async () => {
    if (photo === null) return;
    const headers = { ...bareId, 'content-type': 'image/jpeg' };
    // It is answered with 200 and no body. https://learn.microsoft.com/graph/api/profilephoto-update
    await connection.askBytes({ method: 'PUT', path: `${itemPath}/photo/$value`, headers, body: photo, signal });
  };
  if (place.id === null) await deleteOnFailure(writing, itemPath, signal, putPhoto);
  else await putPhoto();
  return { id, losses: [] };
}

/** The fields of a contact that its owner sets. */
export function writableContact(properties: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(ownOf(properties)).filter(([, value]) => value !== null));
}

/** With its empty fields: one that was filled since becomes empty again. */
function ownOf(properties: JsonObject): JsonObject {
  const isOwn = (name: string) => !name.includes('@') && !GIVEN.has(name) && !DERIVED.has(name);
  return Object.fromEntries(Object.entries(properties).filter(([name]) => isOwn(name)));
}
