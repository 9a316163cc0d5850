import { appliesTo } from '../behaviours/behaviours.ts';
import { rewrittenContent } from '../behaviours/rewritten-content.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { contentReply } from './byte-range.ts';
import { bytesOf, checkReadable } from './content/content-handlers.ts';
import { instantOf } from './identity-set.ts';
import { contentOf, eTagOf, itemNotFound } from './items/drive-item.ts';
import { entityOf } from './items/item-call.ts';
import { openTicket } from './ticket.ts';
import type { Finished } from './upload-sessions.ts';

const downloadPath = '/{tenant}/_layouts/15/download.aspx';
const uploadPath = '/{tenant}/_api/v2.0/uploadSessions/{session}';
const monitorPath = '/{tenant}/_api/v2.0/monitor/{copy}';

/** Downloads, pieces of uploads and the progress of copies: every caller who has the URL may. */
export const driveOpenRoutes: readonly GraphRoute[] = [
  { method: 'GET', path: downloadPath, handle: download },
  { method: 'GET', path: uploadPath, handle: (call) => progress(call, 200) },
  { method: 'PUT', path: uploadPath, handle: putPiece },
  { method: 'POST', path: uploadPath, handle: commit },
  { method: 'DELETE', path: uploadPath, handle: cancel },
  { method: 'GET', path: monitorPath, handle: copyState },
];

function download({ tenant, query, headers }: GraphCall): GraphReply {
  const ticket = openTicket(query.get('tempauth') ?? '', tenant.drives.ticketSecret, tenant.nowMs());
  if (!ticket)
    throw new GraphError(401, 'unauthenticated', 'The download URL is not valid any more: ask for a new one.');
  const item = tenant.drives.drive(ticket.driveId).item(ticket.itemId);
  checkReadable(item);
  const { versionId } = ticket;
  const version = item.versions.find(({ id }) => id === versionId);
  if (versionId !== undefined && !version) throw itemNotFound();
  const { rewrittenFiles } = tenant.behaviours;
  const isRewritten = appliesTo(rewrittenFiles, ticket.driveId) || appliesTo(rewrittenFiles, item.id);
  const current = version === undefined && isRewritten ? rewrittenContent(contentOf(item)) : undefined;
  return contentReply(current ?? version?.content ?? contentOf(item), headers['range'], {
    etag: eTagOf(item),
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(item.name)}`,
  });
}

function putPiece(call: GraphCall): GraphReply {
  const { uploads } = call.tenant.drives;
  const done = uploads.put(sessionOf(call), call.headers['content-range'], bytesOf(call), call.tenant.nowMs());
  return done ? finished(call, done) : progress(call, 202);
}

function commit(call: GraphCall): GraphReply {
  return finished(call, call.tenant.drives.uploads.commit(sessionOf(call), call.tenant.nowMs()));
}

function cancel(call: GraphCall): GraphReply {
  call.tenant.drives.uploads.cancel(sessionOf(call), call.tenant.nowMs());
  return { status: 204 };
}

function progress(call: GraphCall, status: number): GraphReply {
  const { expiresMs, nextStart } = call.tenant.drives.uploads.state(sessionOf(call), call.tenant.nowMs());
  return { status, body: { expirationDateTime: instantOf(expiresMs), nextExpectedRanges: [`${nextStart}-`] } };
}

/** As documented: the URL itself is the permission, and a token beside it is refused. */
function sessionOf({ params, headers }: GraphCall): string {
  if (headers['authorization'] !== undefined) {
    throw new GraphError(401, 'unauthenticated', 'Do not send the Authorization header to an upload URL.');
  }
  return params['session'] ?? '';
}

const finished = (call: GraphCall, { drive, item, isNew }: Finished): GraphReply => ({
  status: isNew ? 201 : 200,
  body: entityOf(call, drive, item),
});

function copyState({ tenant, params }: GraphCall): GraphReply {
  const operation = tenant.drives.copies.get(params['copy'] ?? '');
  if (!operation) throw itemNotFound();
  operation.polls += 1;
  const state = { operation: 'itemCopy', percentageComplete: 100 };
  if (operation.polls === 1) return { status: 202, body: { ...state, percentageComplete: 50, status: 'inProgress' } };
  const { resourceId, error } = operation;
  return {
    status: 200,
    body: error ? { ...state, status: 'failed', error } : { ...state, status: 'completed', resourceId },
  };
}
