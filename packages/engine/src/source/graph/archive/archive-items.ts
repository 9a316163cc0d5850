import type { Item, ItemKind } from '../../../model/items.ts';
import { dateOf, type JsonObject, numberOf, textOf, textsOf } from '../json.ts';
import { extendedOf } from '../mailbox/message-item.ts';
import { some, told } from '../mailbox/people.ts';

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

/** @param root the folder that all others lie in, which is no item */
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
    details: told({ itemClass: textOf(type) }),
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
    details: told({
      from: extendedOf(entity, SENDER),
      receivedAt: dateOf(extendedOf(entity, DELIVERED))?.toISOString(),
      createdAt: dateOf(entity['createdDateTime'])?.toISOString(),
      categories: some(textsOf(entity['categories'])),
      itemClass: type,
      tag: textOf(entity['changeKey']),
    }),
  };
}
