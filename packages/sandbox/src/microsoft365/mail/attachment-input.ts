import { booleanOf, isObject, type JsonObject, numberOf, objectsOf, textOf } from '../wire/json.ts';
import { badRequest } from '../wire/refusals.ts';
import { type Attachment, blankMessage, type Message } from './message.ts';
import { applyProperties } from './message-input.ts';

/** Bytes a request may carry as an attachment; larger ones need an upload session. */
const most = 3 * 1024 * 1024;

/**
 * An attachment of a request: a file with `contentBytes`, an item with a whole message, or a reference.
 * @throws GraphError 400 for another kind, 413 for a file above 3 MB
 */
export function readAttachment(body: unknown, number: number, nowMs: number): Attachment {
  if (!isObject(body)) throw badRequest('The request needs an attachment as JSON.');
  const facts = {
    number,
    name: textOf(body['name']) ?? '',
    contentType: textOf(body['contentType']) ?? 'application/octet-stream',
    isInline: booleanOf(body['isInline']) ?? false,
    contentId: textOf(body['contentId']) ?? null,
    modifiedMs: nowMs,
  };
  const type = (textOf(body['@odata.type']) ?? '').replace(/^#?microsoft\.graph\./i, '').toLowerCase();
  if (type === 'fileattachment') {
    const bytes = Buffer.from(textOf(body['contentBytes']) ?? '', 'base64');
    if (bytes.length > most) {
      throw badRequest('The attachment is larger than 3 MB; use an upload session.', 'ErrorMessageSizeExceeded');
    }
    return { ...facts, kind: 'file', size: bytes.length, bytes: () => bytes };
  }
  if (type === 'itemattachment') return { ...facts, kind: 'item', message: embedded(body, number, nowMs) };
  if (type === 'referenceattachment') return { ...facts, kind: 'reference', size: numberOf(body['size']) ?? 0 };
  throw badRequest("The attachment's @odata.type must be a fileAttachment, itemAttachment or referenceAttachment.");
}

function embedded(body: JsonObject, number: number, nowMs: number) {
  const blank = blankMessage(nowMs, `embedded-${number}-${nowMs}`, 'sandbox.example');
  return { ...applyProperties(blank, body['item'], true), isDraft: false };
}

/**
 * A new message of a request's properties and attachments.
 * @throws GraphError 400
 */
export function readNewMessage(blank: Message, body: unknown, nowMs: number): Message {
  const message = applyProperties(blank, body, true);
  const attached = isObject(body) ? objectsOf(body['attachments']) : [];
  return { ...message, attachments: attached.map((entry, index) => readAttachment(entry, index + 1, nowMs)) };
}
