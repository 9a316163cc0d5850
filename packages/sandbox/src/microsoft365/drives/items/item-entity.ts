import type { JsonObject } from '../../wire/json.ts';
import type { Drive } from '../drive.ts';
import { instantOf } from '../identity-set.ts';
import { cTagOf, type DriveItem, eTagOf, pathOf } from './drive-item.ts';
import { mimeTypeOf } from './item-name.ts';

/** What an item's entity needs beside the item. */
export interface ItemContext {
  drive: Drive;
  tenantId: string;
  /** Makes the short-lived URL the content can be fetched from without a token. */
  downloadUrlOf: (item: DriveItem) => string;
  /** Looks up the target of a shortcut; `undefined` when it is gone. */
  target: (item: DriveItem) => { drive: Drive; item: DriveItem } | undefined;
}

/** The `driveItem` of the wire. */
export function itemEntity(item: DriveItem, context: ItemContext): JsonObject {
  const { drive } = context;
  const isScanned = item.kind === 'file' && item.malware === undefined;
  return {
    ...(isScanned && { '@microsoft.graph.downloadUrl': context.downloadUrlOf(item) }),
    id: item.id,
    name: item.name,
    ...(item.description !== undefined && { description: item.description }),
    createdBy: item.createdBy,
    createdDateTime: instantOf(item.createdMs),
    lastModifiedBy: item.modifiedBy,
    lastModifiedDateTime: instantOf(item.modifiedMs),
    eTag: eTagOf(item),
    cTag: cTagOf(item),
    webUrl: webUrlOf(drive, item),
    size: item.size,
    parentReference: parentReference(drive, item),
    fileSystemInfo: {
      createdDateTime: instantOf(item.fileSystem.createdMs),
      lastModifiedDateTime: instantOf(item.fileSystem.modifiedMs),
    },
    ...facets(item, context),
  };
}

/** What a delta query says of an item that is gone: no name and no tags, as at OneDrive for Business. */
export function removedEntity(item: DriveItem, drive: Drive): JsonObject {
  const { driveType, id: driveId } = drive.facts;
  return {
    id: item.id,
    parentReference: { driveType, driveId, ...(item.parent && { id: item.parent.id }) },
    ...(item.kind === 'file' ? { file: {} } : { folder: {} }),
    deleted: { state: 'deleted' },
  };
}

/** Within delta queries the vendor leaves out the path. */
export function withoutPath(entity: JsonObject): JsonObject {
  const reference = entity['parentReference'];
  if (typeof reference !== 'object' || reference === null || !('path' in reference)) return entity;
  const { path: _, ...rest } = reference;
  return { ...entity, parentReference: rest };
}

export function webUrlOf(drive: Drive, item: DriveItem): string {
  return drive.facts.webUrl + pathOf(item).split('/').map(encodeURIComponent).join('/');
}

function parentReference(drive: Drive, item: DriveItem): JsonObject {
  const { driveType, id: driveId, site } = drive.facts;
  const { parent } = item;
  if (!parent) return { driveType, driveId };
  const path = `/drives/${driveId}/root:${pathOf(parent)}`;
  const siteId = `${site.hostname},${site.siteId},${site.webId}`;
  return { driveType, driveId, id: parent.id, ...(parent.parent && { name: parent.name }), path, siteId };
}

function facets(item: DriveItem, context: ItemContext): JsonObject {
  const { drive, tenantId } = context;
  const { site } = drive.facts;
  const sharepointIds = {
    listId: site.listId,
    listItemId: String(item.listItemId),
    listItemUniqueId: item.uniqueId,
    siteId: site.siteId,
    siteUrl: site.siteUrl,
    tenantId,
    webId: site.webId,
  };
  return {
    ...(item.parent ? { sharepointIds } : { root: {} }),
    ...(item.kind === 'file' && { file: fileFacet(item) }),
    ...(item.kind === 'folder' && { folder: { childCount: item.children.size } }),
    ...(item.kind === 'package' && { package: { type: 'oneNote' } }),
    ...(item.kind === 'remote' && { remoteItem: remoteFacet(item, context) }),
    ...(item.malware !== undefined && { malware: { description: item.malware } }),
    ...(item.parent && item.permissions.length > 0 && { shared: { scope: 'users' } }),
  };
}

function fileFacet(item: DriveItem): JsonObject {
  const content = item.versions[0]?.content;
  const { sha256Hash } = content ?? {};
  return {
    mimeType: mimeTypeOf(item.name),
    ...(content && { hashes: { quickXorHash: content.quickXorHash, ...(sha256Hash && { sha256Hash }) } }),
  };
}

function remoteFacet(item: DriveItem, context: ItemContext): JsonObject | undefined {
  const found = context.target(item);
  if (!found) return { id: item.remote?.itemId, parentReference: { driveId: item.remote?.driveId } };
  const { drive, item: target } = found;
  return {
    id: target.id,
    name: target.name,
    size: target.size,
    webUrl: webUrlOf(drive, target),
    parentReference: parentReference(drive, target),
    createdBy: target.createdBy,
    createdDateTime: instantOf(target.createdMs),
    lastModifiedBy: target.modifiedBy,
    lastModifiedDateTime: instantOf(target.modifiedMs),
    ...(target.kind === 'folder' ? { folder: { childCount: target.children.size } } : { file: fileFacet(target) }),
  };
}
