import type { Item, ItemKind } from '../../../model/items.ts';
import { dateOf, type JsonObject, numberOf, textOf, textsOf } from '../json.ts';
import { extendedOf } from '../mailbox/message-item.ts';
import { nonEmptyOrUndefined, withoutUndefined } from '../mailbox/people.ts';

/** What lists show of an archived item, by MS-OXPROPS: subject, who sent it, when it came. */
const SUBJECT = 'String 0x37';
const SENDER = 'String 0xc1a';
const DELIVERED = 'SystemTime 0xe06';

const filter = [SUBJECT, SENDER, DELIVERED].map((id) => `id eq '${id}'`).join(' or ');

export const ITEM_QUERY = `$expand=singleValueExtendedProperties($filter=${encodeURIComponent(filter)})`;

const FOLDER_KINDS: readonly [RegExp, ItemKind][] = [
  [/^IPF\.Appointment/i, 'calendar'],
  [/^IPF\.Contact/i, 'contact-folder'],
  [/^IPF\.Task/i, 'task-list'],
];
const ITEM_KINDS: readonly [RegExp, ItemKind][] = [
  [/^IPM\.Appointment/i, 'event'],
  [/^IPM\.Contact/i, 'contact'],
  [/^IPM\.Task/i, 'task'],
];

export const ALL_FOLDER_KINDS: readonly ItemKind[] = ['mail-folder', 'calendar', 'contact-folder', 'task-list'];
export const ALL_ITEM_KINDS: readonly ItemKind[] = ['message', 'event', 'contact', 'task'];

/** Whether a folder exists: a delta reports deleted ones, too. */
export const isArchiveFolder = (folder: JsonObject): boolean => !('@removed' in folder);

/** Finds the id of the folder that contains all others and is not itself listed. */
export function rootOf(folders: readonly JsonObject[]): string | null {
  const ids = new Set(folders.map(({ id }) => id));
  return textOf(folders.find(({ parentFolderId }) => !ids.has(parentFolderId))?.['parentFolderId']) ?? null;
}

/**
 * Identifies an item of an archive whichever id an import gave it: by its class with subject, sender and arrival, and where lists do not return
 * those, by its class with its size and creation time.
 */
export function importIdentity(entity: JsonObject): string {
  const shown = [SUBJECT, SENDER, DELIVERED].map((id) => extendedOf(entity, id) ?? null);
  const marks = shown.some((value) => value !== null) ? shown : [entity['size'], entity['createdDateTime']];
  return JSON.stringify([entity['type'] ?? null, ...marks]);
}

/** @param root the folder that contains all others, which is not an item */
export function archiveFolder(folder: JsonObject, root: string | null): Item {
  const parent = textOf(folder['parentFolderId']) ?? null;
  const type = textOf(folder['type']) ?? '';
  return {
    id: textOf(folder['id']) ?? '',
    kind: FOLDER_KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'mail-folder',
    parentId: parent === root ? null : parent,
    name: textOf(folder['displayName']) ?? '',
    sizeBytes: 0,
    modifiedAt: null,
    details: withoutUndefined({ itemClass: textOf(type) }),
  };
}

export function archiveItem(entity: JsonObject, folderId: string): Item {
  const type = textOf(entity['type']) ?? 'IPM.Note';
  return {
    id: textOf(entity['id']) ?? '',
    kind: ITEM_KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'message',
    parentId: folderId,
    name: extendedOf(entity, SUBJECT) ?? '',
    sizeBytes: numberOf(entity['size']) ?? 0,
    modifiedAt: dateOf(entity['lastModifiedDateTime']),
    details: withoutUndefined({
      from: extendedOf(entity, SENDER),
      receivedAt: dateOf(extendedOf(entity, DELIVERED))?.toISOString(),
      createdAt: dateOf(entity['createdDateTime'])?.toISOString(),
      categories: nonEmptyOrUndefined(textsOf(entity['categories'])),
      itemClass: type,
      tag: textOf(entity['changeKey']),
    }),
  };
}
