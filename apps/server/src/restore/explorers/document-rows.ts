import type { DriveDocument, DriveFolder, RestoreDrive } from '@keepwatch/contract/restore/drives';
import type { ItemVersion } from '@keepwatch/engine/engine';
import type { SessionObject } from '../sessions/repository-objects.ts';
import { instantText, isDeletedIn } from './browse-object.ts';

export function driveRow({ id, name, address, backupTime, isDeleted }: SessionObject): RestoreDrive {
  return { id, name, url: address, backupTime, isDeleted };
}

export function driveFolderRow(oneDriveId: string, revision: number, item: ItemVersion): DriveFolder {
  const { id, name, parentId, modifiedAt, details } = item;
  return {
    id,
    name,
    oneDriveId,
    parentId,
    isFolder: true,
    createdBy: details.from ?? null,
    creationTime: instantText(details.createdAt),
    modificationTime: instantText(modifiedAt),
    isDeleted: isDeletedIn(revision, item),
  };
}

export function documentRow(revision: number, item: ItemVersion): DriveDocument {
  const { id, name, parentId, sizeBytes, modifiedAt, details } = item;
  return {
    id,
    name,
    parentId,
    isFolder: false,
    sizeBytes,
    version: details.version ?? null,
    versionCount: details.versionCount ?? 0,
    modifiedBy: details.from ?? null,
    creationTime: instantText(details.createdAt),
    modificationTime: instantText(modifiedAt),
    url: details.webUrl ?? null,
    isDeleted: isDeletedIn(revision, item),
  };
}
