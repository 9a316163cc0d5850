import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, text } from '../wire/fields.ts';
import {
  begun,
  below,
  CHOSEN_BYTES_MAX,
  chosenOnes,
  deletable,
  downloadFields,
  nodeId,
  objectsOf,
  restoreFields,
  resultsOf,
  sizeFields,
  sorted,
  weighing,
  zipDownload,
} from './explorer.ts';

/** OneDrives of a restore session: folders, documents, bringing them back and saving them. */

const access = 'o365.restoreOnedrive' as const;
const at = '/o365/restore/restoresessions/{restoreSessionId}/onedrives' as const;
const drive = z.strictObject({ restoreSessionId: id, onedriveId: nodeId });

export const restoreDrive = entity(
  'RestoreDrive',
  z.object({
    id: z.string(),
    name: z.string(),
    /** Address of whose it is. */
    url: z.nullable(z.string()),
    backupTime: instant,
    ...deletable,
  }),
);
export type RestoreDrive = z.infer<typeof restoreDrive>;

export const listRestoreDrives = declareCall({
  ...objectsOf(restoreDrive),
  path: at,
  access,
  failure: 'Error getting the onedrives. Try again later.',
  summary: 'OneDrives of the session, by name.',
});

export const driveFolder = entity(
  'RestoreDriveFolder',
  z.object({
    id: z.string(),
    name: z.string(),
    oneDriveId: z.string(),
    parentId: z.nullable(z.string()),
    isFolder: z.literal(true),
    createdBy: z.nullable(z.string()),
    creationTime: z.nullable(instant),
    modificationTime: z.nullable(instant),
    ...deletable,
  }),
);
export type DriveFolder = z.infer<typeof driveFolder>;

export const listDriveFolders = declareCall({
  method: 'GET',
  path: `${at}/{onedriveId}/folders`,
  access,
  audit: 'restore.browse',
  params: drive,
  query: z.strictObject(below),
  ...resultsOf(driveFolder),
  failure: 'Error getting the onedrive folders. Try again later.',
  summary: 'Folders in a folder, by name; without `parentId`, or with `Root`, those at the top.',
});

export const driveDocument = entity(
  'RestoreDocument',
  z.object({
    id: z.string(),
    name: z.string(),
    parentId: z.nullable(z.string()),
    isFolder: z.literal(false),
    sizeBytes: z.int(),
    version: z.nullable(z.string()),
    /** How many earlier versions are stored with it. */
    versionCount: z.int(),
    modifiedBy: z.nullable(z.string()),
    creationTime: z.nullable(instant),
    modificationTime: z.nullable(instant),
    url: z.nullable(z.string()),
    ...deletable,
  }),
);
export type DriveDocument = z.infer<typeof driveDocument>;

export const listDriveDocuments = declareCall({
  method: 'GET',
  path: `${at}/{onedriveId}/folders/documents`,
  access,
  audit: 'restore.browse',
  params: drive,
  query: z.strictObject({ ...below, ...sorted }),
  ...resultsOf(driveDocument),
  failure: 'Error getting the onedrive folders. Try again later.',
  summary: 'Files in a folder.',
});

/** `onedrive`: the id of another drive, or the address of the user whose it is; without: where it was. */
const restored = { ...restoreFields, onedriveName: z.optional(text(400)), onedrive: z.optional(text(400)) };

export const restoreWholeDrive = declareCall({
  method: 'POST',
  path: `${at}/{onedriveId}/restore`,
  access,
  audit: 'restore.start',
  params: drive,
  body: z.strictObject(restored),
  ...begun,
  failure: 'Error restoring the onedrive. Try again later.',
  summary: 'Restores a OneDrive to where it was, or into another.',
});

export const restoreDriveFolder = declareCall({
  method: 'POST',
  path: `${at}/{onedriveId}/restore-folder`,
  access,
  audit: 'restore.start',
  params: drive,
  body: z.strictObject({ ...restored, folders: chosenOnes }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  ...begun,
  failure: 'Error restoring the folder. Try again later.',
  summary: 'Restores folders with all below them.',
});

export const restoreDriveDocument = declareCall({
  method: 'POST',
  path: `${at}/{onedriveId}/restore-document`,
  access,
  audit: 'restore.start',
  params: drive,
  body: z.strictObject({ ...restored, documents: chosenOnes, documentsName: z.optional(text(2_000)) }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  ...begun,
  failure: 'Error restoring the document. Try again later.',
  summary: 'Restores files.',
});

export const downloadDrive = declareCall({
  ...zipDownload,
  path: `${at}/{onedriveId}/download`,
  access,
  params: drive,
  body: z.strictObject(downloadFields),
  failure: 'Error restoring the onedrive. Try again later.',
  summary: 'A OneDrive as ZIP.',
});

export const downloadDriveFolder = declareCall({
  ...zipDownload,
  path: `${at}/{onedriveId}/download-folder`,
  access,
  params: drive,
  body: z.strictObject({ ...downloadFields, folders: chosenOnes }),
  failure: 'Error restoring the folder. Try again later.',
  summary: 'Folders with all below them as ZIP.',
});

export const downloadDriveDocument = declareCall({
  ...zipDownload,
  path: `${at}/{onedriveId}/download-document`,
  access,
  params: drive,
  body: z.strictObject({ ...downloadFields, documents: chosenOnes, documentsName: z.optional(text(2_000)) }),
  failure: 'Error restoring the document. Try again later.',
  summary: 'Files as ZIP.',
});

export const weighDrive = declareCall({
  ...weighing,
  path: `${at}/{onedriveId}/download-size`,
  access,
  params: drive,
  body: z.strictObject(sizeFields),
  summary: 'How much a OneDrive, a folder of it or some files are.',
});
