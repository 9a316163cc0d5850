import type { Headers, MimeNode } from '@zone-eu/mailsplit';
import type { Address } from 'postal-mime';
import { addressParser } from 'postal-mime';
import type { EmailAddress } from '../item-details.ts';
import type { MessageDetails, Recipient } from '../message.ts';
import { decodeText } from './decode-text.ts';
import { headerText, headerValue, headerValues } from './header-text.ts';
import { mailDate } from './mail-date.ts';

/** Longer header blocks are cut: Outlook shows them in one field, and a message may be made to have many. */
const MOST_HEADER_CHARACTERS = 256 * 1024;

/** What a message's header says of it. */
export function readHeaders(node: MimeNode): Omit<MessageDetails, 'kind'> {
  const { headers } = node;
  if (!headers) {
    return {};
  }
  const sentAt = mailDate(headerValue(headers, 'date'));
  const threadIndex = Buffer.from(headerValue(headers, 'thread-index'), 'base64');
  return withoutUndefined({
    subject: headerText(headers, 'subject') ?? '',
    from: addresses(headers, 'from')[0],
    sender: addresses(headers, 'sender')[0],
    replyTo: addresses(headers, 'reply-to'),
    recipients: [...recipients(headers, 'to'), ...recipients(headers, 'cc'), ...recipients(headers, 'bcc')],
    sentAt,
    receivedAt: mailDate(headerValue(headers, 'received').split(';').at(-1) ?? '') ?? sentAt,
    internetMessageId: headerValue(headers, 'message-id') || undefined,
    inReplyTo: headerValue(headers, 'in-reply-to') || undefined,
    references: headerValue(headers, 'references') || undefined,
    internetHeaders: decodeText(node.getHeaders(), 'utf-8').slice(0, MOST_HEADER_CHARACTERS),
    importance: importance(headers),
    sensitivity: sensitivity(headerValue(headers, 'sensitivity')),
    categories: keywords(headerText(headers, 'keywords')),
    conversationTopic: headerText(headers, 'thread-topic'),
    conversationIndex: threadIndex.length >= 22 ? threadIndex : undefined,
    isDraft: headerValue(headers, 'x-unsent') === '1' ? true : undefined,
    wantsReadReceipt: headers.hasHeader('disposition-notification-to') ? true : undefined,
  });
}

function withoutUndefined<T extends object>(details: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined = Object.entries(details).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function recipients(headers: Headers, kind: Recipient['kind']): Recipient[] {
  return addresses(headers, kind).map((address) => ({ ...address, kind }));
}

/**
 * The addresses of all headers of a name. A group is replaced by its members; an empty group such as "undisclosed recipients" is none.
 * The parser decodes the words in names.
 */
function addresses(headers: Headers, key: string): EmailAddress[] {
  return headerValues(headers, key)
    .flatMap((value) => addressParser(value))
    .flatMap((entry): Address[] => (entry.group ? [...entry.group] : [entry]))
    .map(({ name, address }) => ({ name: name ?? '', email: address ?? '' }))
    .map(({ name, email }) => (name ? { name, email } : { email }))
    .filter(({ name, email }) => Boolean(name ?? email));
}

function importance(headers: Headers): MessageDetails['importance'] {
  const value = `${headerValue(headers, 'importance')} ${headerValue(headers, 'priority')}`.toLowerCase();
  const rank = Number.parseInt(headerValue(headers, 'x-priority'), 10);
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
