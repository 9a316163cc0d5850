import type { Item } from '../mailbox/item.ts';
import type { Mailbox } from '../mailbox/mailbox.ts';
import type { GraphCall } from '../wire/graph-call.ts';
import { itemNotFound } from '../wire/refusals.ts';
import type { Message } from './message.ts';

export const mailPermissions = { read: ['Mail.Read', 'Mail.ReadWrite'], write: ['Mail.ReadWrite'] } as const;

/** The mailbox of `{user}`. @throws GraphError 404 */
export const mailboxOf = (call: GraphCall): Mailbox => call.tenant.mailboxes.of(call.params['user'] ?? '');

/** The message of `{message}`. @throws GraphError 404 also for what is in the mailbox but no message */
export function messageOf(call: GraphCall): Item<Message> {
  return asMessage(mailboxOf(call).item(call.params['message'] ?? ''));
}

export function asMessage(item: Item): Item<Message> {
  const { content } = item;
  if (content.kind !== 'message') throw itemNotFound();
  return { ...item, content };
}
