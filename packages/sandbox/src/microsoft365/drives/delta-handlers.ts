import { appliesTo } from '../behaviours/behaviours.ts';
import { FEW, remakeDriveFolder, removalReported } from '../behaviours/remade-folders.ts';
import { linkTo } from '../wire/collection.ts';
import { deltaReply } from '../wire/delta.ts';
import type { GraphCall, GraphReply } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { isObject, type JsonObject, objectOf } from '../wire/json.ts';
import { shape } from '../wire/representation.ts';
import type { Drive } from './drive.ts';
import { ancestorsOf, type DriveItem } from './items/drive-item.ts';
import { entityOf, type ItemCall, itemOf, representationOf } from './items/item-call.ts';
import { removedEntity, withoutPath } from './items/item-entity.ts';

/** Items a page. */
const pageSize = 200;

/** What changed below an item; the vendor tracks the root alone in drives of OneDrive for Business and SharePoint. */
export function itemDelta(at: ItemCall): GraphReply {
  const { drive } = at;
  if (itemOf(at) !== drive.root) {
    throw new GraphError(400, 'invalidRequest', 'The delta function is supported at the root of the drive alone.');
  }
  const call = withToken(at.call);
  remakeDriveFolder(call, drive);
  const isRemade = appliesTo(call.tenant.behaviours.remadeFolders, drive.facts.id);
  const options = {
    ...representationOf(call, drive),
    pageSize: isRemade ? FEW : pageSize,
    ...(isRemade && { maximum: FEW }),
  };
  const source = {
    changes: drive.changes,
    read: (id: string) => {
      const item = drive.find(id);
      return item && withoutPath(entityOf(call, drive, item));
    },
    removed: (id: string) => {
      const item = drive.removed.get(id);
      if (item) removalReported(item);
      return item ? removedEntity(item, drive) : { id, deleted: { state: 'deleted' } };
    },
    isUnreported: (id: string) => {
      const parent = drive.removed.get(id)?.parent;
      return call.tenant.behaviours.partialTombstones && parent !== undefined && drive.find(parent.id) === undefined;
    },
    goneCode: 'resyncChangesApplyDifferences',
  };
  const reply = resyncing(call, () => deltaReply(call, source, options));
  if (call.headers['deltaexcludeparent'] !== undefined) return reply;
  return withFolders(reply, drive, (item) => shape(call, options)(withoutPath(entityOf(call, drive, item))));
}

/** Reads the token from the path, `delta(token='…')`, where it is there; the links that follow do not contain it. */
function withToken(call: GraphCall): GraphCall {
  const token = call.params['token'];
  if (token === undefined) return call;
  const query = new URLSearchParams(call.query);
  query.set('token', token);
  return { ...call, query, path: call.path.replace(/\(token=[^)]*\)$/i, '') };
}

/** Adds to a refused token a `Location` that says where to start again. */
function resyncing(call: GraphCall, answer: () => GraphReply): GraphReply {
  try {
    return answer();
  } catch (error) {
    if (!(error instanceof GraphError) || error.status !== 410) throw error;
    const location = linkTo(call, { $skiptoken: undefined, $deltatoken: undefined, token: undefined });
    throw new GraphError(410, error.code, error.message, { location });
  }
}

/** The vendor lists the folders above what changed too, before it; an item may so come more than once over the pages. */
function withFolders(reply: GraphReply, drive: Drive, make: (item: DriveItem) => JsonObject): GraphReply {
  const body = objectOf(reply.body);
  const listed = Array.isArray(body['value']) ? body['value'].filter(isObject) : [];
  const seen = new Set<unknown>();
  const value: JsonObject[] = [];
  const leave = (id: unknown, entity: () => JsonObject) => {
    if (!seen.has(id)) value.push(entity());
    seen.add(id);
  };
  for (const entity of listed) {
    const id = String(entity['id']);
    const item = drive.find(id) ?? drive.removed.get(id);
    const folders = item ? ancestorsOf(item).filter((folder) => drive.find(folder.id) === folder) : [];
    for (const folder of folders) leave(folder.id, () => make(folder));
    leave(id, () => entity);
  }
  return { ...reply, body: { ...body, value } };
}
