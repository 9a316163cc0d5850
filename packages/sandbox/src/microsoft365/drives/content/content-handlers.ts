import type { GraphCall, GraphReply } from '../../wire/graph-call.ts';
import { GraphError } from '../../wire/graph-error.ts';
import { objectOf, textOf } from '../../wire/json.ts';
import { entityReply } from '../../wire/representation.ts';
import { instantOf } from '../identity-set.ts';
import { contentOf, cTagOf, type DriveItem } from '../items/drive-item.ts';
import {
  checkPreconditions,
  editOf,
  entityOf,
  type ItemCall,
  identityOf,
  itemOf,
  originOf,
  placeOf,
  representationOf,
} from '../items/item-call.ts';
import { conflictOf, fileSystemOf } from '../items/item-handlers.ts';

/** Bytes an upload without a session may have, as documented. */
const smallLimit = 250 << 20;

/** Sends the client to a pre-authenticated URL, where ranges can be asked for. */
export function getContent(at: ItemCall): GraphReply {
  const { call, drive } = at;
  const item = itemOf(at);
  if (call.headers['if-none-match'] === cTagOf(item)) return { status: 304 };
  checkReadable(item);
  const { tenant } = call;
  const location = tenant.drives.downloadUrl(originOf(call), drive, item, tenant.nowMs());
  return { status: 302, headers: { location } };
}

/** @throws GraphError 403 for a file with malware, 400 for what has no content */
export function checkReadable(item: DriveItem): void {
  contentOf(item);
  if (item.malware !== undefined)
    throw new GraphError(403, 'malwareDetected', 'Malware was detected in the requested resource.');
}

/** Writes a small file in one request. */
export function putContent(at: ItemCall): GraphReply {
  const { call, drive } = at;
  const bytes = bytesOf(call);
  if (bytes.length > smallLimit)
    throw new GraphError(413, 'invalidRequest', 'The file is too large: use an upload session.');
  const edit = editOf(call);
  const { parent, name, item } = placeOf(at, edit);
  checkPreconditions(call, item);
  const query = {
    '@microsoft.graph.conflictBehavior': call.query.get('@microsoft.graph.conflictBehavior') ?? 'replace',
  };
  const conflict = conflictOf(query, 'replace');
  const content = call.tenant.drives.contents.store(bytes);
  const written = drive.add(parent, { kind: 'file', name, content }, edit, conflict);
  const status = written === item ? 200 : 201;
  return entityReply(call, entityOf(call, drive, written), representationOf(call, drive), status);
}

export function createUploadSession(at: ItemCall): GraphReply {
  const { call, drive } = at;
  const { tenant } = call;
  const body = objectOf(call.body);
  const properties = objectOf(body['item']);
  const { parent, name, item } = placeOf(at, editOf(call));
  checkPreconditions(call, item);
  checkRoom(at, properties['fileSize']);
  // By its id an existing file is meant; by a path the conflict behaviour decides, and its default is to fail.
  const isById = at.path === '';
  const conflict = conflictOf(properties, 'fail');
  if (!isById && item && conflict === 'fail') {
    throw new GraphError(409, 'nameAlreadyExists', 'The specified item name already exists.');
  }
  const id = tenant.newId();
  const { expiresMs } = tenant.drives.uploads.open(
    id,
    {
      drive,
      ...(isById && item && { item }),
      parent,
      name,
      conflict,
      by: identityOf(call),
      ...fileSystemOf(properties),
      description: textOf(properties['description']),
      deferCommit: body['deferCommit'] === true,
    },
    tenant.nowMs(),
  );
  const uploadUrl = `${originOf(call)}/${tenant.id}/_api/v2.0/uploadSessions/${id}`;
  const session = { uploadUrl, expirationDateTime: instantOf(expiresMs), nextExpectedRanges: ['0-'] };
  return entityReply(call, session, { context: 'microsoft.graph.uploadSession' });
}

function checkRoom({ drive }: ItemCall, fileSize: unknown): void {
  if (typeof fileSize === 'number' && drive.root.size + fileSize > drive.facts.quotaTotal) {
    throw new GraphError(507, 'quotaLimitReached', 'Insufficient Space Available');
  }
}

/** A body as bytes; what was sent as JSON was read on the way and is written again. */
export function bytesOf({ body }: Pick<GraphCall, 'body'>): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
}
