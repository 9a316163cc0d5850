import { isObject, type JsonObject, objectsOf, textOf } from '../json.ts';
import { EXTENDED, extendedOf } from '../mailbox/message-item.ts';

/** For people: what a message lacks whose property did not become what was stored. */
const LOSSES: Readonly<Record<string, string>> = {
  isDraft: 'the mark that it was sent: it is a draft',
  subject: 'its subject',
  from: 'its author',
  sender: 'its sender',
  toRecipients: 'some recipients',
  ccRecipients: 'some recipients',
  bccRecipients: 'some recipients',
  replyTo: 'its reply address',
  internetMessageId: 'its message id',
  receivedDateTime: 'the time it arrived',
  sentDateTime: 'the time it was sent',
  categories: 'its categories',
  importance: 'its importance',
  flag: 'its flag',
  isRead: 'its mark as read or unread',
  isDeliveryReceiptRequested: 'the wish for a receipt',
  isReadReceiptRequested: 'the wish for a receipt',
  inferenceClassification: 'its place in the focused inbox',
  hasAttachments: 'its attachments as the source listed them',
};

const EXTENDED_LOSSES = [
  [EXTENDED.messageClass, 'its message class'],
  [EXTENDED.iconIndex, 'the mark that it was answered or forwarded'],
  [EXTENDED.lastVerb, 'the mark that it was answered or forwarded'],
  [EXTENDED.lastVerbTime, 'the mark that it was answered or forwarded'],
] as const;

/** Names what of a message is not as it was stored. @param now as the mailbox returns it after everything was written */
export function messageLosses(stored: JsonObject, now: JsonObject): string[] {
  return [...new Set(differentProperties(stored, now).map((name) => ALL_LOSSES.get(name) ?? name))];
}

const ALL_LOSSES: ReadonlyMap<string, string> = new Map([...Object.entries(LOSSES), ...EXTENDED_LOSSES]);

/** The stored properties, those that Graph has no name for by their ids, that are others now. */
export function differentProperties(stored: JsonObject, now: JsonObject): string[] {
  const named = Object.keys(LOSSES).filter(
    (name) => stored[name] !== undefined && spelt(stored[name], name) !== spelt(now[name], name),
  );
  const extended = EXTENDED_LOSSES.map(([id]) => id).filter((id) => {
    const value = extendedOf(stored, id);
    return value !== undefined && value !== extendedOf(now, id);
  });
  return [...named, ...extended];
}

const CONTENT = [
  'subject',
  'from',
  'toRecipients',
  'ccRecipients',
  'bccRecipients',
  'internetMessageId',
  'hasAttachments',
];

/** Whether the content of a message differs from what was stored, its body aside. */
export function contentDiffers(stored: JsonObject, now: JsonObject): boolean {
  return CONTENT.some((name) => spelt(stored[name], name) !== spelt(now[name], name));
}

/** One spelling of a value: what is empty or null says nothing, and an address is its own name where it has no other. */
function spelt(value: unknown, name: string): string {
  if (name.endsWith('DateTime')) return String(Math.floor(Date.parse(textOf(value) ?? '') / 1_000));
  return JSON.stringify(plain(value)) ?? '';
}

function plain(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length === 0 ? undefined : objectsOf(value).length > 0 ? value.map(plain) : value;
  if (!isObject(value)) return value === null || value === '' ? undefined : value;
  const members = Object.entries(value).filter(([, one]) => plain(one) !== undefined);
  if (members.length === 0) return undefined;
  return Object.fromEntries(
    members.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([key, one]) => [key, plain(one)]),
  );
}
