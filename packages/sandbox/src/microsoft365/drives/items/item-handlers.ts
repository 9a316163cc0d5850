import { collectionReply } from '../../wire/collection.ts';
import type { GraphReply } from '../../wire/graph-call.ts';
import { GraphError } from '../../wire/graph-error.ts';
import { isObject, type JsonObject, objectOf, textOf } from '../../wire/json.ts';
import { entityReply } from '../../wire/representation.ts';
import type { ConflictBehavior, Drive } from '../drive.ts';
import { type DriveItem, itemNotFound } from './drive-item.ts';
import {
  checkPreconditions,
  editOf,
  entityOf,
  type ItemCall,
  itemOf,
  originOf,
  representationOf,
} from './item-call.ts';
import type { NewItem } from './new-item.ts';

/** Children a page. */
const pageSize = 200;

export function getItem(at: ItemCall): GraphReply {
  const { call, drive } = at;
  return entityReply(call, entityOf(call, drive, itemOf(at)), representationOf(call, drive));
}

export function listChildren(at: ItemCall): GraphReply {
  const { call, drive } = at;
  const children = [...itemOf(at).children.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  const listing = {
    length: children.length,
    slice: (start: number, end: number) => children.slice(start, end).map((child) => entityOf(call, drive, child)),
  };
  return collectionReply(call, listing, { ...representationOf(call, drive), pageSize });
}

/** Creates a folder; a file comes into being by its content. */
export function createChild(at: ItemCall): GraphReply {
  const { call, drive } = at;
  const body = objectOf(call.body);
  const name = textOf(body['name']) ?? '';
  if (!isObject(body['folder'])) throw new GraphError(400, 'invalidRequest', 'The request needs a folder facet.');
  const seed: NewItem = { name, kind: 'folder', description: textOf(body['description']), ...fileSystemOf(body) };
  const item = drive.add(itemOf(at), seed, editOf(call), conflictOf(body, 'fail'));
  return entityReply(call, entityOf(call, drive, item), representationOf(call, drive), 201);
}

/** Renames, moves, describes, or sets the file's own times. */
export function updateItem(at: ItemCall): GraphReply {
  const { call, drive } = at;
  const item = itemOf(at);
  checkPreconditions(call, item);
  const body = objectOf(call.body);
  const edit = editOf(call);
  const parent = newParent(drive, body) ?? item.parent;
  const name = textOf(body['name']) ?? item.name;
  if (parent && (parent !== item.parent || name !== item.name)) {
    drive.move(item, { parent, name }, edit, conflictOf(body, 'fail'));
  }
  const { fileSystem } = fileSystemOf(body);
  if (fileSystem) item.fileSystem = { ...item.fileSystem, ...fileSystem };
  if ('description' in body) item.description = textOf(body['description']);
  if (fileSystem || 'description' in body) drive.touch(item, edit);
  return entityReply(call, entityOf(call, drive, item), representationOf(call, drive));
}

export function deleteItem(at: ItemCall): GraphReply {
  const item = itemOf(at);
  checkPreconditions(at.call, item);
  at.drive.remove(item);
  return { status: 204 };
}

/** Copies in the background: 202 with the address of a monitor that needs no token. */
export function copyItem(at: ItemCall): GraphReply {
  const { call, drive } = at;
  const { tenant } = call;
  const item = itemOf(at);
  const body = objectOf(call.body);
  const reference = objectOf(body['parentReference']);
  const target = 'driveId' in reference ? tenant.drives.drive(textOf(reference['driveId']) ?? '') : drive;
  const parent = newParent(target, body) ?? (target === drive ? item.parent : target.root);
  if (!parent) throw itemNotFound();
  const id = tenant.newId();
  tenant.drives.copies.set(id, { polls: 0, ...runCopy(at, target, parent, textOf(body['name']) ?? item.name) });
  return { status: 202, headers: { location: `${originOf(call)}/${tenant.id}/_api/v2.0/monitor/${id}` } };
}

function runCopy(at: ItemCall, target: Drive, parent: DriveItem, name: string) {
  try {
    const copied = copyTree(itemOf(at), target, parent, name, editOf(at.call));
    return { resourceId: copied.id, error: undefined };
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    return { resourceId: undefined, error: { code: error.code, message: error.message } };
  }
}

function copyTree(
  item: DriveItem,
  target: Drive,
  parent: DriveItem,
  name: string,
  edit: ReturnType<typeof editOf>,
): DriveItem {
  // Listed before the copy exists: a folder may be copied into itself.
  const children = [...item.children.values()];
  const content = item.versions[0]?.content;
  const seed: NewItem = { name, kind: item.kind, remote: item.remote, fileSystem: item.fileSystem };
  const copy = target.add(parent, { ...seed, ...(content && { content }) }, edit, 'fail');
  for (const child of children) copyTree(child, target, copy, child.name, edit);
  return copy;
}

function newParent(drive: Drive, body: JsonObject): DriveItem | undefined {
  const reference = objectOf(body['parentReference']);
  const driveId = textOf(reference['driveId']);
  if (driveId !== undefined && driveId !== drive.facts.id) {
    throw new GraphError(400, 'invalidRequest', 'An item cannot be moved to another drive.');
  }
  const id = textOf(reference['id']);
  if (id !== undefined) return drive.item(id);
  const path = textOf(reference['path']);
  if (path === undefined) return undefined;
  const folder = drive.descend(drive.root, decodeURIComponent(path.replace(/^.*\/root:?/, '')));
  if (!folder) throw itemNotFound();
  return folder;
}

/** @throws GraphError 400 for an unknown behaviour */
export function conflictOf(body: JsonObject, standard: ConflictBehavior): ConflictBehavior {
  const text = body['@microsoft.graph.conflictBehavior'] ?? standard;
  const known = (['fail', 'replace', 'rename'] as const).find((name) => name === text);
  if (!known) throw new GraphError(400, 'invalidRequest', `The conflict behavior '${String(text)}' is unknown.`);
  return known;
}

/** The times a client sets on a file or folder. */
export function fileSystemOf(body: JsonObject): Pick<NewItem, 'fileSystem'> {
  const facet = body['fileSystemInfo'];
  if (!isObject(facet)) return {};
  const createdMs = readInstant(facet['createdDateTime']);
  const modifiedMs = readInstant(facet['lastModifiedDateTime']);
  return {
    fileSystem: { ...(createdMs !== undefined && { createdMs }), ...(modifiedMs !== undefined && { modifiedMs }) },
  };
}

function readInstant(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const ms = Date.parse(String(value));
  if (Number.isNaN(ms)) throw new GraphError(400, 'invalidRequest', `'${String(value)}' is not an instant.`);
  return ms;
}
