import type { NewItem, Written } from '../../target.ts';
import type { JsonObject } from '../json.ts';
import { textOf } from '../json.ts';
import {
  bareId,
  bytesOf,
  type MailboxWriting,
  orTakenBack,
  type Place,
  pathOfItem,
  pathOfItems,
} from './mailbox-writing.ts';

/** What the vendor says of a contact by itself, and takes from nobody. */
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
  if (place.id === null) await orTakenBack(writing, itemPath, putPhoto);
  else await putPhoto();
  return { id, losses: [] };
}

/** What of a contact its owner says. */
export function writableContact(properties: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(ownOf(properties)).filter(([, value]) => value !== null));
}

/** With what it says nothing of: a field that somebody filled since goes back to that. */
function ownOf(properties: JsonObject): JsonObject {
  const isOwn = (name: string) => !name.includes('@') && !GIVEN.has(name) && !DERIVED.has(name);
  return Object.fromEntries(Object.entries(properties).filter(([name]) => isOwn(name)));
}
