import type { Item } from '../../../model/items.ts';
import { booleanOf, dateOf, instantOf, type JsonObject, objectsOf, textOf, textsOf } from '../json.ts';
import { nonEmptyOrUndefined, peopleOf, personOf, withoutUndefined } from './people.ts';

/**
 * What is read of a message beside its MIME: all that can be written, and what lists show. The body is left to the MIME.
 * https://learn.microsoft.com/graph/api/resources/message
 */
const SELECTED = [
  'id',
  'changeKey',
  'parentFolderId',
  'createdDateTime',
  'lastModifiedDateTime',
  'receivedDateTime',
  'sentDateTime',
  'subject',
  'from',
  'sender',
  'toRecipients',
  'ccRecipients',
  'bccRecipients',
  'replyTo',
  'internetMessageId',
  'conversationId',
  'conversationIndex',
  'categories',
  'importance',
  'flag',
  'isRead',
  'isDraft',
  'isDeliveryReceiptRequested',
  'isReadReceiptRequested',
  'inferenceClassification',
  'hasAttachments',
  'webLink',
];

/** Properties of MS-OXPROPS that Graph has no name for: class, flags, size, icon, and what was answered when. */
export const EXTENDED = {
  messageClass: 'String 0x1a',
  messageFlags: 'Integer 0xe07',
  messageSize: 'Integer 0xe08',
  iconIndex: 'Integer 0x1080',
  lastVerb: 'Integer 0x1081',
  lastVerbTime: 'SystemTime 0x1082',
} as const;

const filter = Object.values(EXTENDED)
  .map((id) => `id eq '${id}'`)
  .join(' or ');

export const MESSAGE_QUERY = `$select=${SELECTED.join(',')}&$expand=singleValueExtendedProperties($filter=${encodeURIComponent(filter)})`;

export function messageItem(entity: JsonObject, folderId: string): Item {
  const sizeBytes = Number(extendedOf(entity, EXTENDED.messageSize) ?? Number.NaN);
  return {
    id: textOf(entity['id']) ?? '',
    kind: 'message',
    parentId: folderId,
    name: textOf(entity['subject']) ?? '',
    sizeBytes: Number.isFinite(sizeBytes) ? sizeBytes : 0,
    modifiedAt: dateOf(entity['lastModifiedDateTime']),
    details: withoutUndefined({
      from: personOf(entity['from'] ?? entity['sender']),
      to: nonEmptyOrUndefined(peopleOf(entity['toRecipients'])),
      cc: nonEmptyOrUndefined(peopleOf(entity['ccRecipients'])),
      bcc: nonEmptyOrUndefined(peopleOf(entity['bccRecipients'])),
      sentAt: instantOf(entity['sentDateTime']),
      receivedAt: instantOf(entity['receivedDateTime']),
      createdAt: instantOf(entity['createdDateTime']),
      hasAttachments: booleanOf(entity['hasAttachments']),
      isRead: booleanOf(entity['isRead']),
      isDraft: booleanOf(entity['isDraft']),
      importance: textOf(entity['importance']),
      categories: nonEmptyOrUndefined(textsOf(entity['categories'])),
      itemClass: extendedOf(entity, EXTENDED.messageClass),
      webUrl: textOf(entity['webLink']),
      tag: textOf(entity['changeKey']),
    }),
  };
}

/** The value of an extended property; ids differ in leading zeros and case from what was asked. */
export function extendedOf(entity: JsonObject, id: string): string | undefined {
  const properties = objectsOf(entity['singleValueExtendedProperties']);
  const found =
    properties.find((property) => property['id'] === id) ??
    properties.find((property) => spelt(textOf(property['id']) ?? '') === spelt(id));
  return textOf(found?.['value']);
}

const spelt = (id: string) => id.toLowerCase().replace(/ 0x0*/, ' 0x');
