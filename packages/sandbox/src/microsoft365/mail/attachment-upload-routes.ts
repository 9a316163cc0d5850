import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { itemNotFound } from '../wire/refusals.ts';
import { nextNumber } from './attachment-routes.ts';

function putChunk(call: GraphCall): GraphReply {
  const { tenant, params, headers, body } = call;
  const id = params['session'] ?? '';
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const upload = tenant.attachmentUploads.accept(id, headers['content-range'], bytes);
  if (upload.received < upload.size) {
    const expirationDateTime = tenant.attachmentUploads.expiry(id);
    return { status: 200, body: { expirationDateTime, nextExpectedRanges: [`${upload.received}-`] } };
  }
  const mailbox = tenant.mailboxes.of(upload.user);
  const item = mailbox.findItem(upload.item);
  if (!item) throw itemNotFound();
  const whole = Buffer.concat(upload.chunks);
  const number = nextNumber(item);
  const modifiedMs = tenant.nowMs();
  const attachment = {
    ...upload.facts,
    kind: 'file',
    number,
    modifiedMs,
    size: whole.length,
    bytes: () => whole,
  } as const;
  const { content } = item;
  const attachments = [...content.attachments, attachment];
  const isMessage = content.kind === 'message';
  const changed = mailbox.changeItem(
    item,
    isMessage ? { ...content, attachments, raw: undefined } : { ...content, attachments },
  );
  const collection = isMessage ? 'messages' : 'events';
  const path = `users/${upload.user}/${collection}/${mailbox.itemId(changed, false)}/attachments`;
  return {
    status: 201,
    headers: { location: `${call.baseUrl}/v1.0/${path}/${mailbox.partId(changed, false, 'attachment', number)}` },
  };
}

export const attachmentUploadRoutes: readonly GraphRoute[] = [
  { method: 'PUT', path: '/upload/{tenant}/attachments/{session}', handle: putChunk },
  {
    method: 'GET',
    path: '/upload/{tenant}/attachments/{session}',
    handle: ({ tenant, params }) => ({ status: 200, body: tenant.attachmentUploads.state(params['session'] ?? '') }),
  },
  {
    method: 'DELETE',
    path: '/upload/{tenant}/attachments/{session}',
    handle: ({ tenant, params }) => {
      tenant.attachmentUploads.cancel(params['session'] ?? '');
      return { status: 204 };
    },
  },
];
