import type { GraphCall } from '../../wire/graph-call.ts';
import { GraphError } from '../../wire/graph-error.ts';
import type { JsonObject } from '../../wire/json.ts';
import type { Representation } from '../../wire/representation.ts';
import type { Drive } from '../drive.ts';
import type { Edit, IdentitySet } from '../identity-set.ts';
import { permissionEntity, permissionsOf } from '../permission-entity.ts';
import { versionEntity } from '../version-entity.ts';
import { cTagOf, type DriveItem, eTagOf, itemNotFound } from './drive-item.ts';
import { type ItemContext, itemEntity } from './item-entity.ts';

/** A call about an item: the item it starts from, and the path below it that the call names. */
export interface ItemCall {
  call: GraphCall;
  drive: Drive;
  base: DriveItem;
  /** Empty when the item is named by its id. */
  path: string;
}

/** @throws GraphError 404 when there is no item at the path */
export function itemOf({ drive, base, path }: ItemCall): DriveItem {
  const item = drive.descend(base, path);
  if (!item) throw itemNotFound();
  return item;
}

/** Where a file is to be written: onto an existing item, or under a name into a folder. */
export interface Place {
  parent: DriveItem;
  name: string;
  item: DriveItem | undefined;
}

/** The place a call names; folders on the way that do not exist are made, as at the vendor. */
export function placeOf(at: ItemCall, edit: Edit): Place {
  const { drive, base } = at;
  const names = at.path.split('/').filter((name) => name !== '');
  const last = names.pop();
  if (last === undefined) {
    if (!base.parent) throw new GraphError(400, 'invalidRequest', 'The root has no content.');
    return { parent: base.parent, name: base.name, item: base };
  }
  let parent = base;
  for (const name of names) parent = drive.child(parent, name) ?? drive.add(parent, { name, kind: 'folder' }, edit);
  return { parent, name: last, item: drive.child(parent, last) };
}

export function identityOf({ caller, tenant }: GraphCall): IdentitySet {
  const { people } = tenant.drives;
  if (caller.userId === null) {
    const { applicationId } = caller;
    return { application: { id: applicationId, displayName: people.applicationName(applicationId) } };
  }
  const user = people.user(caller.userId);
  return { user: { id: caller.userId, displayName: user?.displayName ?? caller.userId } };
}

export const editOf = (call: GraphCall): Edit => ({ by: identityOf(call), atMs: call.tenant.nowMs() });

/** Scheme and host of the server that was called. */
export const originOf = (call: GraphCall): string => new URL(call.baseUrl).origin;

export function contextOf(call: GraphCall, drive: Drive): ItemContext {
  const { tenant } = call;
  return {
    drive,
    tenantId: tenant.id,
    downloadUrlOf: (item) => tenant.drives.downloadUrl(originOf(call), drive, item, tenant.nowMs()),
    target: ({ remote }) => {
      const target = remote && tenant.drives.find(remote.driveId);
      const item = target?.find(remote?.itemId ?? '');
      return target && item && { drive: target, item };
    },
  };
}

export const entityOf = (call: GraphCall, drive: Drive, item: DriveItem): JsonObject =>
  itemEntity(item, contextOf(call, drive));

/** How items leave; `sharepointIds` only when they are selected, as at the vendor. */
export function representationOf(call: GraphCall, drive: Drive): Representation {
  const itemAt = (entity: JsonObject) => drive.item(String(entity['id']));
  const children = (entity: JsonObject) =>
    [...itemAt(entity).children.values()].map((child) => entityOf(call, drive, child));
  const permissions = (entity: JsonObject) => {
    const item = itemAt(entity);
    return permissionsOf(item).map((found) => permissionEntity(found, drive, item));
  };
  const versions = (entity: JsonObject) => itemAt(entity).versions.map(versionEntity);
  return {
    context: `drives('${encodeURIComponent(drive.facts.id)}')/items`,
    defaults,
    expand: { children, permissions, versions },
  };
}

const defaults = [
  '@microsoft.graph.downloadUrl',
  ...['id', 'name', 'description', 'createdBy', 'createdDateTime', 'lastModifiedBy', 'lastModifiedDateTime'],
  ...['eTag', 'cTag', 'webUrl', 'size', 'parentReference', 'fileSystemInfo', 'root', 'file', 'folder', 'package'],
  ...['remoteItem', 'malware', 'shared', 'deleted'],
];

/**
 * Refuses a change of an item that changed since it was read (`If-Match`), or that is as the client knows it
 * (`If-None-Match`).
 * @throws GraphError 412
 */
export function checkPreconditions({ headers }: GraphCall, item: DriveItem | undefined): void {
  const tags = item ? [eTagOf(item), cTagOf(item)] : [];
  const [match, noneMatch] = [headers['if-match'], headers['if-none-match']];
  const isChanged = match !== undefined && match !== '*' && !tags.includes(match);
  const isKnown = noneMatch !== undefined && (noneMatch === '*' ? item !== undefined : tags.includes(noneMatch));
  if (isChanged || isKnown)
    throw new GraphError(412, 'resourceModified', 'ETag does not match current value of the item');
}
