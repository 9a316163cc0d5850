import type { Headers, MimeNode } from '@zone-eu/mailsplit';
import libmime from 'libmime';
import type { Address } from 'postal-mime';
import { addressParser } from 'postal-mime';
import type { EmailAddress } from '../item-details.ts';
import type { MessageDetails, Recipient } from '../message.ts';
import { decodeText } from './decode-text.ts';

/** Nobody reads a header this long, and a bomb may be made of them. */
const MOST_HEADER_CHARACTERS = 256 * 1024;

/** What a message's header says of it. */
export function readHeaders(node: MimeNode): Omit<MessageDetails, 'kind'> {
  const { headers } = node;
  if (!headers) {
    return {};
  }
  const sentAt = date(headers.getFirst('date'));
  const threadIndex = Buffer.from(headers.getFirst('thread-index'), 'base64');
  return withoutUndefined({
    subject: text(headers, 'subject') ?? '',
    from: addresses(headers, 'from')[0],
    sender: addresses(headers, 'sender')[0],
    replyTo: addresses(headers, 'reply-to'),
    recipients: [...recipients(headers, 'to'), ...recipients(headers, 'cc'), ...recipients(headers, 'bcc')],
    sentAt,
    receivedAt: date(headers.getFirst('received').split(';').at(-1) ?? '') ?? sentAt,
    internetMessageId: headers.getFirst('message-id') || undefined,
    inReplyTo: headers.getFirst('in-reply-to') || undefined,
    references: headers.getFirst('references') || undefined,
    internetHeaders: decodeText(node.getHeaders(), 'utf-8').slice(0, MOST_HEADER_CHARACTERS),
    importance: importance(headers),
    sensitivity: sensitivity(headers.getFirst('sensitivity')),
    categories: keywords(text(headers, 'keywords')),
    conversationTopic: text(headers, 'thread-topic'),
    conversationIndex: threadIndex.length >= 22 ? threadIndex : undefined,
    isDraft: headers.getFirst('x-unsent') === '1' ? true : undefined,
    wantsReadReceipt: headers.hasHeader('disposition-notification-to') ? true : undefined,
  });
}

function withoutUndefined<T extends object>(details: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(details).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function text(headers: Headers, key: string): string | undefined {
  const value = headers.getFirst(key);
  return value ? libmime.decodeWords(value) : undefined;
}

function recipients(headers: Headers, kind: Recipient['kind']): Recipient[] {
  return addresses(headers, kind).map((address) => ({ ...address, kind }));
}

/** The addresses of all headers of a name. Members of a group stand for it; an empty group such as "undisclosed recipients" is none. */
function addresses(headers: Headers, key: string): EmailAddress[] {
  return headers
    .getDecoded(key)
    .flatMap(({ value }) => addressParser(value))
    .flatMap((entry): Address[] => (entry.group ? [...entry.group] : [entry]))
    .map((entry) => ({ name: libmime.decodeWords(entry.name ?? ''), email: entry.address ?? '' }))
    .map(({ name, email }) => (name ? { name, email } : { email }))
    .filter(({ name, email }) => Boolean(name ?? email));
}

/** A date as mail has them, with comments and odd zones. Undefined where nothing can be made of it. */
function date(value: string): Date | undefined {
  const parsed = new Date(value.replace(/\([^()]*\)/g, ' ').trim());
  return Number.isNaN(parsed.getTime()) ? undefined : parsed;
}

function importance(headers: Headers): MessageDetails['importance'] {
  const value = `${headers.getFirst('importance')} ${headers.getFirst('priority')}`.toLowerCase();
  const rank = Number.parseInt(headers.getFirst('x-priority'), 10);
  if (/high|(^| )urgent/.test(value) || rank < 3) {
    return 'high';
  }
  return /low|non-urgent/.test(value) || rank > 3 ? 'low' : undefined;
}

function sensitivity(value: string): MessageDetails['sensitivity'] {
  const name = value.toLowerCase();
  if (name === 'personal' || name === 'private') {
    return name;
  }
  return name === 'company-confidential' ? 'confidential' : undefined;
}

function keywords(value: string | undefined): string[] | undefined {
  const words = value?.split(',').map((word) => word.trim());
  return words?.filter(Boolean);
}
