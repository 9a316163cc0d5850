import type { NewItem } from '../../target.ts';
import { type JsonObject, textOf } from '../json.ts';
import { EXTENDED, extendedOf, MESSAGE_QUERY } from '../mailbox/message-item.ts';
import { bareId, type MailboxWriting } from './mailbox-writing.ts';
import { messageLosses } from './message-losses.ts';

/** What can be changed of any message. */
export const CHANGEABLE = ['categories', 'importance', 'flag', 'isRead', 'inferenceClassification'] as const;
/** MS-OXPROPS: PidTagMessageDeliveryTime, PidTagClientSubmitTime. */
const DELIVERY_TIME = 'SystemTime 0x0E06';
const SUBMIT_TIME = 'SystemTime 0x0039';

/** What Graph has no name for, as far as it can be written: when it was sent and came, its class, and what was answered when. */
export function extendedProperties(properties: JsonObject): { id: string; value: string }[] {
  const values: readonly (readonly [string, string | undefined])[] = [
    [DELIVERY_TIME, textOf(properties['receivedDateTime'])],
    [SUBMIT_TIME, textOf(properties['sentDateTime'])],
    [EXTENDED.messageClass, extendedOf(properties, EXTENDED.messageClass)],
    [EXTENDED.iconIndex, extendedOf(properties, EXTENDED.iconIndex)],
    [EXTENDED.lastVerb, extendedOf(properties, EXTENDED.lastVerb)],
    [EXTENDED.lastVerbTime, extendedOf(properties, EXTENDED.lastVerbTime)],
  ];
  return values.flatMap(([id, value]) => (value === undefined ? [] : [{ id, value }]));
}

/** Names what of a message is not as it was stored, by what the mailbox returns now. */
export async function lossesOf(
  { connection }: MailboxWriting,
  itemPath: string,
  { properties }: NewItem,
  signal: AbortSignal,
): Promise<string[]> {
  const now = await connection.ask({ path: `${itemPath}?${MESSAGE_QUERY}`, headers: bareId, signal });
  return messageLosses(properties, now);
}
