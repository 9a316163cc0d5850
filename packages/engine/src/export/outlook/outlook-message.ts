import type { MessageDetails } from '@keepwatch/outlook-files/message';
import { readMime } from '@keepwatch/outlook-files/mime/read-mime';
import type { OutlookMessage } from '@keepwatch/outlook-files/outlook-item';
import { EngineError } from '../../model/engine-error.ts';
import type { ItemVersion } from '../../model/items.ts';
import { booleanOf, type JsonObject, objectsOf, textOf } from '../../source/graph/json.ts';
import { EXTENDED, extendedOf } from '../../source/graph/mailbox/message-item.ts';
import { contentOf, type ExportParts, readContent } from '../export-parts.ts';
import { addressOf, flagOf, known, momentOf, sharedDetails } from './outlook-fields.ts';

/**
 * A message: what it says comes from its MIME, what became of it in the mailbox (read, flagged, categories, when it arrived, blind copies)
 * from its properties.
 */
export async function outlookMessage(
  parts: ExportParts,
  item: ItemVersion,
  properties: JsonObject,
): Promise<OutlookMessage> {
  const mime = contentOf(item, 'mime');
  if (mime === null) throw withoutMime(item);
  const read = await readMime(() => readContent(parts, mime));
  const answered = answeredOf(properties);
  return {
    ...read,
    ...sharedDetails(properties),
    ...known({
      messageClass: item.details.itemClass,
      isRead: booleanOf(properties['isRead']) ?? item.details.isRead,
      isDraft: booleanOf(properties['isDraft']) ?? item.details.isDraft,
      receivedAt: momentOf(properties['receivedDateTime']) ?? read.receivedAt,
      sentAt: momentOf(properties['sentDateTime']) ?? read.sentAt,
      flag: flagOf(properties['flag']),
      wantsDeliveryReceipt: booleanOf(properties['isDeliveryReceiptRequested']),
      wantsReadReceipt: booleanOf(properties['isReadReceiptRequested']),
      conversationIndex: indexOf(properties['conversationIndex']),
      answered,
      recipients: withBlindCopies(read, properties),
    }),
  };
}

/** Of an archive Microsoft 365 gives out nothing else. */
function withoutMime(item: ItemVersion): EngineError {
  if (contentOf(item, 'export') === null)
    return new EngineError('damaged', `'${item.name}' was stored without its MIME. Back the mailbox up again.`);
  const text = `'${item.name}' is stored in the form that Microsoft 365's import takes alone, of which no file for Outlook can be made. Restore it, or save the archive as ZIP.`;
  return new EngineError('bad-request', text);
}

/** MIME as a server gives it may lack the blind copies that its sender's own copy still names. */
function withBlindCopies(read: OutlookMessage, properties: JsonObject): MessageDetails['recipients'] {
  const there = read.recipients ?? [];
  const blind = objectsOf(properties['bccRecipients']).flatMap((one) => addressOf(one) ?? []);
  const missing = blind.filter(({ email }) => !there.some((one) => one.kind === 'bcc' && one.email === email));
  return missing.length === 0 ? undefined : [...there, ...missing.map((one) => ({ ...one, kind: 'bcc' as const }))];
}

/** PidTagLastVerbExecuted: https://learn.microsoft.com/openspecs/exchange_server_protocols/ms-oxoflag */
const VERBS: Readonly<Record<string, 'replied' | 'replied-all' | 'forwarded'>> = {
  '102': 'replied',
  '103': 'replied-all',
  '104': 'forwarded',
};

function answeredOf(properties: JsonObject): MessageDetails['answered'] {
  const how = VERBS[extendedOf(properties, EXTENDED.lastVerb) ?? ''];
  if (how === undefined) return undefined;
  return { how, ...known({ at: momentOf(extendedOf(properties, EXTENDED.lastVerbTime)) }) };
}

function indexOf(value: unknown): Uint8Array | undefined {
  const bytes = Buffer.from(textOf(value) ?? '', 'base64');
  // [MS-OXOMSG] 2.2.1.3: a header of 22 bytes, and 5 for each answer.
  return bytes.length >= 22 && (bytes.length - 22) % 5 === 0 ? bytes : undefined;
}
