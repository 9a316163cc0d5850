import { booleanOf, isObject, type JsonObject, objectOf, objectsOf, textOf, textsOf, valueAt } from '../wire/json.ts';
import { badRequest } from '../wire/refusals.ts';
import { readExtended } from './extended-properties.ts';
import type { EmailAddress, Message } from './message.ts';

/** What of a sent message cannot be changed any more. */
const draftOnly = [
  'subject',
  'body',
  'toRecipients',
  'ccRecipients',
  'bccRecipients',
  'replyTo',
  'from',
  'sender',
  'internetMessageId',
  'isDeliveryReceiptRequested',
  'isReadReceiptRequested',
];

/**
 * The message with the properties of a request. A new one also takes headers and the extended properties importers
 * set; of a message that is no draft only what a reader changes can be changed.
 * @throws GraphError 400 for a property that is wrong or cannot be changed
 */
export function applyProperties(message: Message, body: unknown, isNew: boolean): Message {
  if (!isObject(body)) throw badRequest('The request needs a message as JSON.');
  const extended = readExtended(body['singleValueExtendedProperties']);
  if (!isNew) {
    const refused = message.isDraft ? undefined : draftOnly.find((name) => name in body);
    if (refused) throw badRequest(`Property '${refused}' can be changed in drafts only.`, 'ErrorInvalidPropertySet');
    // Whether something is a draft is settled when it is saved for the first time.
    delete extended.isDraft;
  }
  const changed: Message = {
    ...message,
    ...extended,
    ...properties(message, body),
    extended: { ...message.extended, ...extended.extended },
    ...(isNew ? newProperties(body) : {}),
  };
  // Bytes that no longer match the message are generated again.
  return draftOnly.some((name) => name in body) ? { ...changed, raw: undefined } : changed;
}

function properties(message: Message, body: JsonObject): Partial<Message> {
  const content = objectOf(body['body']);
  const bodyText = textOf(content['content']) ?? message.body;
  const bodyType = textOf(content['contentType'])?.toLowerCase() ?? message.bodyType;
  const from = readRecipient(body['from']) ?? message.from;
  return {
    subject: textOf(body['subject']) ?? message.subject,
    body: bodyText,
    bodyType: bodyType === 'html' ? 'html' : 'text',
    from,
    sender: readRecipient(body['sender']) ?? (body['from'] ? from : message.sender),
    to: readRecipients(body['toRecipients']) ?? message.to,
    cc: readRecipients(body['ccRecipients']) ?? message.cc,
    bcc: readRecipients(body['bccRecipients']) ?? message.bcc,
    replyTo: readRecipients(body['replyTo']) ?? message.replyTo,
    categories: textsOf(body['categories']) ?? message.categories,
    importance: oneOf(['low', 'normal', 'high'], body['importance']) ?? message.importance,
    inferenceClassification:
      oneOf(['focused', 'other'], body['inferenceClassification']) ?? message.inferenceClassification,
    flag: readFlag(message, body['flag']) ?? message.flag,
    isReadReceiptRequested: booleanOf(body['isReadReceiptRequested']) ?? message.isReadReceiptRequested,
    isDeliveryReceiptRequested: booleanOf(body['isDeliveryReceiptRequested']) ?? message.isDeliveryReceiptRequested,
    internetMessageId: textOf(body['internetMessageId']) ?? message.internetMessageId,
    ...('isRead' in body ? { isRead: booleanOf(body['isRead']) ?? message.isRead } : {}),
  };
}

function newProperties(body: JsonObject): Partial<Message> {
  const headers = objectsOf(body['internetMessageHeaders']).map(({ name, value }) => ({
    name: textOf(name) ?? '',
    value: textOf(value) ?? '',
  }));
  const wrong = headers.find(({ name }) => !/^x-/i.test(name));
  if (wrong) {
    throw badRequest(
      `The internet message header name '${wrong.name}' should start with 'x-' or 'X-'.`,
      'InvalidInternetMessageHeader',
    );
  }
  return headers.length > 0 ? { headers } : {};
}

function readFlag(message: Message, value: unknown): Message['flag'] | undefined {
  if (!isObject(value)) return undefined;
  const { flagStatus, ...times } = value;
  return {
    flagStatus: oneOf(['notFlagged', 'flagged', 'complete'], flagStatus) ?? message.flag.flagStatus,
    times: flagStatus === 'notFlagged' ? {} : times,
  };
}

function readRecipient(value: unknown): EmailAddress | undefined {
  const address = textOf(valueAt(value, 'emailAddress/address'));
  const name = textOf(valueAt(value, 'emailAddress/name'));
  return address === undefined && name === undefined
    ? undefined
    : { name: name ?? address ?? '', address: address ?? '' };
}

function readRecipients(value: unknown): EmailAddress[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map((entry) => readRecipient(entry) ?? { name: '', address: '' });
}

function oneOf<const T extends string>(values: readonly T[], value: unknown): T | undefined {
  if (value === undefined || value === null) return undefined;
  const known = values.find((name) => name.toLowerCase() === String(value).toLowerCase());
  if (!known) throw badRequest(`Requested value '${String(value)}' was not found.`, 'RequestBodyRead');
  return known;
}
