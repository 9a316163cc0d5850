import { createHash } from 'node:crypto';
import type { Item } from '../../../model/items.ts';
import { booleanOf, dateOf, instantOf, type JsonObject, textOf, textsOf } from '../json.ts';
import { nonEmptyOrUndefined, peopleOf, personOf, withoutUndefined } from '../mailbox/people.ts';

/** As Outlook calls it: a folder has to have a name, wherever it is restored or exported to. */
const NO_TOPIC = '(no subject)';

/** A thread of a group's mailbox, as the folder of its posts; https://learn.microsoft.com/graph/api/resources/conversationthread */
export function threadItem(thread: JsonObject): Item {
  return {
    id: textOf(thread['id']) ?? '',
    kind: 'mail-folder',
    parentId: null,
    name: textOf(thread['topic'])?.trim() || NO_TOPIC,
    sizeBytes: 0,
    modifiedAt: null,
    details: {},
  };
}

/**
 * Completes a post with the topic and recipients of its thread, and with the times and a message id as messages have them. Graph does not return
 * the message id that the post was sent with: one made of the post's own id takes its place, so that a second restore into a mailbox finds the post.
 */
export function wholePost(post: JsonObject, { topic, toRecipients, ccRecipients }: JsonObject): JsonObject {
  const number = createHash('sha256')
    .update(textOf(post['id']) ?? '')
    .digest('hex')
    .slice(0, 32);
  const { receivedDateTime: sentDateTime } = post;
  const internetMessageId = `<${number}@post.invalid>`;
  return { ...post, subject: topic, toRecipients, ccRecipients, sentDateTime, internetMessageId, isRead: true };
}

/** @param post as `wholePost` gives it; https://learn.microsoft.com/graph/api/resources/post */
export function postItem(post: JsonObject, threadId: string, sizeBytes: number): Item {
  return {
    id: textOf(post['id']) ?? '',
    kind: 'message',
    parentId: threadId,
    name: textOf(post['subject']) ?? '',
    sizeBytes,
    modifiedAt: dateOf(post['lastModifiedDateTime']),
    details: withoutUndefined({
      from: personOf(post['from'] ?? post['sender']),
      to: nonEmptyOrUndefined(peopleOf(post['toRecipients'])),
      cc: nonEmptyOrUndefined(peopleOf(post['ccRecipients'])),
      receivedAt: instantOf(post['receivedDateTime']),
      sentAt: instantOf(post['sentDateTime']),
      createdAt: instantOf(post['createdDateTime']),
      hasAttachments: booleanOf(post['hasAttachments']),
      isRead: booleanOf(post['isRead']),
      categories: nonEmptyOrUndefined(textsOf(post['categories'])),
      itemClass: 'IPM.Note',
      tag: textOf(post['changeKey']),
    }),
  };
}
