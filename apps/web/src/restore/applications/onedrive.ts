import {
  type DriveDocument,
  type DriveFolder,
  downloadDrive,
  downloadDriveDocument,
  downloadDriveFolder,
  listDriveDocuments,
  listDriveFolders,
  listRestoreDrives,
  type RestoreDrive,
  restoreDriveDocument,
  restoreDriveFolder,
  restoreWholeDrive,
  weighDrive,
} from '@keepwatch/contract/restore/drives';
import { ROOT } from '@keepwatch/contract/restore/explorer';
import type { DownloadRequest, RestoreApplication, RestoreRequest, Source } from '../explorer/application.ts';
import { type Entry, entryIn, isContainer, objectEntry } from '../explorer/entry.ts';
import { chosenIn, groupsOf, namesOf, pageOf } from '../explorer/pages.ts';

/** OneDrives: folders and documents. */
export const onedrive: RestoreApplication = {
  sessionType: 'veod',
  title: 'Restore OneDrive',
  objects: { type: 'onedrive', one: 'OneDrive', many: 'OneDrives' },
  destination: {
    label: 'Another OneDrive',
    description: 'Choose one, or write the address of the user whose it is. Leave empty to restore into this OneDrive.',
    targetOf: ({ objectId }) => objectId,
  },
  fromTitle: 'Modified by',
  dateTitle: 'Modified',
  has: ({ isOneDrive }) => isOneDrive,
  sourcesOf: (node) => (node === null ? [drives] : [foldersIn(node), documentsIn(node)]),
  restoresOf: (chosen) => groupsOf(chosen, groupOf).flatMap(restoresOf),
  downloadsOf: (chosen) => groupsOf(chosen, groupOf).flatMap(downloadsOf),
  typesOf: () => ({ item: 'document', folder: 'folder' }),
  atOnceBytesMax: null,
  options: ['folder', 'markRestored', 'documentVersion', 'restorePermissions'],
};

const drives: Source = {
  key: 'containers',
  read: async (api, { sessionId, range, search }, signal) =>
    pageOf(
      await api.request(
        listRestoreDrives,
        { params: { restoreSessionId: sessionId }, query: { ...range, ...(search === '' ? {} : { search }) } },
        signal,
      ),
      driveEntry,
    ),
};

function driveEntry({ id, name, url, isDeleted }: RestoreDrive): Entry {
  return { ...objectEntry('onedrive', id, name), detail: url, isDeleted };
}

const parentOf = ({ itemId }: Entry) => itemId ?? ROOT;

function foldersIn(node: Entry): Source {
  return {
    key: 'containers',
    read: async (api, { sessionId, range }, signal) =>
      pageOf(
        await api.request(
          listDriveFolders,
          {
            params: { restoreSessionId: sessionId, onedriveId: node.objectId },
            query: { ...range, parentId: parentOf(node) },
          },
          signal,
        ),
        (folder) => folderEntry(node, folder),
      ),
  };
}

function folderEntry(parent: Entry, { id, name, createdBy, modificationTime, isDeleted }: DriveFolder): Entry {
  return { ...entryIn(parent, 'folder', id, name), from: createdBy, date: modificationTime, isDeleted };
}

function documentsIn(node: Entry): Source {
  return {
    key: 'items',
    read: async (api, { sessionId, range, sort }, signal) =>
      pageOf(
        await api.request(
          listDriveDocuments,
          {
            params: { restoreSessionId: sessionId, onedriveId: node.objectId },
            query: { ...range, sort, parentId: parentOf(node) },
          },
          signal,
        ),
        (document) => documentEntry(node, document),
      ),
  };
}

/** A document of a OneDrive or of a library. */
export function documentEntry(parent: Entry, document: Omit<DriveDocument, 'isFolder'>): Entry {
  const { id, name, modifiedBy, modificationTime, sizeBytes, versionCount, isDeleted } = document;
  return {
    ...entryIn(parent, 'document', id, name),
    from: modifiedBy,
    date: modificationTime,
    sizeBytes,
    isDeleted,
    detail: versionCount === 0 ? null : `${versionCount} earlier ${versionCount === 1 ? 'version' : 'versions'}`,
  };
}

const groupOf = ({ type, objectId }: Entry) => `${type} ${objectId}`;

function restoresOf(group: readonly Entry[]): RestoreRequest[] {
  const [first] = group;
  if (first === undefined) return [];
  return [
    {
      name: namesOf(group),
      start: async (api, restoreSessionId, { to, options, planOnly, pathName }) => {
        const params = { restoreSessionId, onedriveId: first.objectId };
        const body = {
          options,
          planOnly,
          pathName,
          onedriveName: first.objectName,
          ...(to === null ? {} : { onedrive: to }),
        };
        const chosen = chosenIn(group);
        const { data } =
          first.type === 'onedrive'
            ? await api.request(restoreWholeDrive, { params, body })
            : isContainer(first)
              ? await api.request(restoreDriveFolder, { params, body: { ...body, folders: chosen } })
              : await api.request(restoreDriveDocument, { params, body: { ...body, documents: chosen } });
        return data;
      },
    },
  ];
}

function downloadsOf(group: readonly Entry[]): DownloadRequest[] {
  const [first] = group;
  if (first === undefined) return [];
  const onedriveId = first.objectId;
  const chosen = chosenIn(group);
  return [
    {
      name: namesOf(group),
      formats: ['zip'],
      start: (api, restoreSessionId, { fileName, downloadInBackground }) => {
        const params = { restoreSessionId, onedriveId };
        const body = { fileName, downloadInBackground };
        if (first.type === 'onedrive') return api.request(downloadDrive, { params, body });
        return isContainer(first)
          ? api.request(downloadDriveFolder, { params, body: { ...body, folders: chosen } })
          : api.request(downloadDriveDocument, { params, body: { ...body, documents: chosen } });
      },
      weigh: async (api, restoreSessionId) => {
        const params = { restoreSessionId, onedriveId };
        const body = first.type === 'onedrive' ? {} : { items: chosen };
        const { data } = await api.request(weighDrive, { params, body });
        return data;
      },
    },
  ];
}
