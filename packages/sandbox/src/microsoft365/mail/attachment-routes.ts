import type { Item } from '../mailbox/item.ts';
import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { isObject, type JsonObject, numberOf, textOf } from '../wire/json.ts';
import { badRequest, itemNotFound } from '../wire/refusals.ts';
import { entityReply, type Representation } from '../wire/representation.ts';
import { readAttachment } from './attachment-input.ts';
import { attachmentBytes, attachmentJson, expandedItem } from './attachment-json.ts';
import { mailboxOf, mailPermissions } from './mail-access.ts';
import type { Attachment } from './message.ts';
import { preferencesOf } from './message-json.ts';

const itemOf = (call: GraphCall) => mailboxOf(call).item(call.params['message'] ?? call.params['event'] ?? '');

function attachmentOf(call: GraphCall, item: Item): Attachment {
  const number = mailboxOf(call).attachmentNumber(call.params['attachment'] ?? '');
  const attachment = item.content.attachments.find((one) => one.number === number);
  if (!attachment) throw itemNotFound();
  return attachment;
}

/** `contentBytes` is left out when it was not selected, which saves making it. */
function jsonOf(call: GraphCall, item: Item, attachment: Attachment): JsonObject {
  const select = call.query.get('$select');
  const hasBytes = select === null || /contentBytes/i.test(select);
  const { isImmutable } = preferencesOf(call);
  return attachmentJson(mailboxOf(call), item, attachment, { isImmutable, hasBytes });
}

function optionsOf(call: GraphCall, item: Item): Representation {
  const mailbox = mailboxOf(call);
  return {
    context: 'attachments',
    expand: {
      'microsoft.graph.itemattachment/item': ({ id }) => {
        const number = mailbox.attachmentNumber(String(id));
        const attachment = item.content.attachments.find((one) => one.number === number);
        return expandedItem(attachment, preferencesOf(call));
      },
    },
  };
}

function listAttachments(call: GraphCall): GraphReply {
  const item = itemOf(call);
  const rows = item.content.attachments.map((attachment) => jsonOf(call, item, attachment));
  return collectionReply(call, rows, optionsOf(call, item));
}

function getAttachment(call: GraphCall): GraphReply {
  const item = itemOf(call);
  return entityReply(call, jsonOf(call, item, attachmentOf(call, item)), optionsOf(call, item));
}

function getBytes(call: GraphCall): GraphReply {
  const attachment = attachmentOf(call, itemOf(call));
  const type = attachment.kind === 'item' ? 'text/plain' : attachment.contentType;
  return { status: 200, headers: { 'content-type': type }, body: attachmentBytes(attachment) };
}

/** The item with another attachment. */
export function attach(call: GraphCall, item: Item, attachment: Attachment): Item {
  const { content } = item;
  const attachments = [...content.attachments, attachment];
  const changed =
    content.kind === 'message' ? { ...content, attachments, raw: undefined } : { ...content, attachments };
  return mailboxOf(call).changeItem(item, changed);
}

export const nextNumber = (item: Item) => Math.max(0, ...item.content.attachments.map(({ number }) => number)) + 1;

function addAttachment(call: GraphCall): GraphReply {
  const item = itemOf(call);
  const attachment = readAttachment(call.body, nextNumber(item), call.tenant.nowMs());
  const changed = attach(call, item, attachment);
  return entityReply(call, jsonOf(call, changed, attachment), optionsOf(call, changed), 201);
}

function deleteAttachment(call: GraphCall): GraphReply {
  const item = itemOf(call);
  const gone = attachmentOf(call, item);
  const { content } = item;
  const attachments = content.attachments.filter((one) => one !== gone && one.number !== gone.number);
  const changed =
    content.kind === 'message' ? { ...content, attachments, raw: undefined } : { ...content, attachments };
  mailboxOf(call).changeItem(item, changed);
  return { status: 204 };
}

/** For files of 3 to 150 MB. */
function createUploadSession(call: GraphCall): GraphReply {
  const item = itemOf(call);
  const asked = isObject(call.body) ? (call.body['AttachmentItem'] ?? call.body['attachmentItem']) : undefined;
  if (!isObject(asked)) throw badRequest('The request needs an AttachmentItem.');
  const size = numberOf(asked['size']);
  const name = textOf(asked['name']);
  if (size === undefined || size <= 0 || !name)
    throw badRequest('AttachmentItem needs a name and a size.', 'ErrorInvalidRequest');
  const { tenant } = call;
  const id = tenant.attachmentUploads.start({
    user: mailboxOf(call).user.id,
    item: item.number,
    size,
    facts: {
      name,
      contentType: textOf(asked['contentType']) ?? 'application/octet-stream',
      isInline: asked['isInline'] === true,
      contentId: textOf(asked['contentId']) ?? null,
    },
  });
  const origin = new URL(call.baseUrl).origin;
  return {
    status: 201,
    body: {
      '@odata.context': `${call.baseUrl}/$metadata#microsoft.graph.uploadSession`,
      uploadUrl: `${origin}/upload/${tenant.id}/attachments/${id}?authtoken=${tenant.newId()}`,
      expirationDateTime: tenant.attachmentUploads.expiry(id),
      nextExpectedRanges: ['0-'],
    },
  };
}

const { read, write } = mailPermissions;

/** Below messages and events alike, whatever permissions they need. */
export const attachmentRoutesBelow = (
  base: string,
  permissions: { read: readonly string[]; write: readonly string[] },
): GraphRoute[] => {
  const readable = { method: 'GET', permissions: permissions.read, budget: 'mailbox' } as const;
  const writable = { permissions: permissions.write, budget: 'mailbox' } as const;
  return [
    { ...readable, path: `${base}/attachments`, handle: listAttachments },
    { ...readable, path: `${base}/attachments/{attachment}`, handle: getAttachment },
    { ...readable, path: `${base}/attachments/{attachment}/$value`, handle: getBytes },
    { ...writable, method: 'POST', path: `${base}/attachments`, handle: addAttachment },
    { ...writable, method: 'POST', path: `${base}/attachments/createUploadSession`, handle: createUploadSession },
    { ...writable, method: 'DELETE', path: `${base}/attachments/{attachment}`, handle: deleteAttachment },
  ];
};

export const attachmentRoutes: readonly GraphRoute[] = [
  ...attachmentRoutesBelow('/users/{user}/messages/{message}', { read, write }),
  ...attachmentRoutesBelow('/users/{user}/mailFolders/{folder}/messages/{message}', { read, write }),
];
