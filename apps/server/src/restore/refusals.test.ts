import {
  downloadChats,
  listChatMessages,
  listChatPeople,
  listChats,
  weighChats,
} from '@keepwatch/contract/restore/chats';
import { cancelDownload, deleteDownload, readDownload } from '@keepwatch/contract/restore/downloads';
import {
  downloadDrive,
  downloadDriveDocument,
  downloadDriveFolder,
  listDriveDocuments,
  listDriveFolders,
  listRestoreDrives,
  restoreDriveDocument,
  restoreDriveFolder,
  restoreWholeDrive,
  weighDrive,
} from '@keepwatch/contract/restore/drives';
import { searchRestoreSession } from '@keepwatch/contract/restore/items';
import {
  downloadMailbox,
  downloadMailFolder,
  downloadMailItems,
  listMailboxFolders,
  listMailboxItems,
  listRestoreMailboxes,
  restoreMailboxToAnother,
  restoreMailboxToOriginal,
  restoreMailFolderToAnother,
  restoreMailFolderToOriginal,
  restoreMailItemsToAnother,
  restoreMailItemsToOriginal,
  weighMailbox,
} from '@keepwatch/contract/restore/mailboxes';
import { downloadItemPart, previewItem, showItemPicture } from '@keepwatch/contract/restore/previews';
import {
  cancelRestoreOperation,
  listRestoreOperationItems,
  readRestoreOperation,
  stopRestoreSession,
} from '@keepwatch/contract/restore/sessions';
import {
  downloadLibrary,
  downloadSiteDocuments,
  downloadSiteFolder,
  listRestoreSites,
  listSiteContent,
  listSiteDocuments,
  listSiteFolders,
  listSiteItems,
  restoreLibraryToAnother,
  restoreLibraryToOriginal,
  restoreListToAnother,
  restoreListToOriginal,
  restoreSiteDocumentsToAnother,
  restoreSiteDocumentsToOriginal,
  restoreSiteFolderToAnother,
  restoreSiteFolderToOriginal,
  restoreSiteItemsToAnother,
  restoreSiteItemsToOriginal,
  restoreSiteToAnother,
  restoreSiteToOriginal,
  weighSite,
} from '@keepwatch/contract/restore/sites';
import {
  downloadTeamFiles,
  downloadTeamPosts,
  listRestoreTeams,
  listTeamChannels,
  listTeamFiles,
  listTeamPosts,
  listTeamTabs,
  restoreTeamChannel,
  restoreTeamFiles,
  restoreTeamTabs,
  restoreWholeTeam,
} from '@keepwatch/contract/restore/teams';
import { listThread } from '@keepwatch/contract/restore/threads';
import { compareRestorePoints, listItemVersions } from '@keepwatch/contract/restore/versions';
import type { Call } from '@keepwatch/contract/wire/call';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

const SOME = [{ id: 'some' }];
const SOME_ID = '00000000-0000-4000-8000-000000000000';

/** Every call of a session, a restore or a download, with a body that is right, and what its query must have. */
const CALLS: readonly (readonly [call: Call, body: object | undefined, query?: string])[] = [
  [readDownload, undefined],
  [cancelDownload, { action: 'cancel' }],
  [deleteDownload, undefined],
  [listRestoreDrives, undefined],
  [listDriveFolders, undefined],
  [listDriveDocuments, undefined],
  [restoreWholeDrive, {}],
  [restoreDriveFolder, { folders: SOME }],
  [restoreDriveDocument, { documents: SOME }],
  [downloadDrive, {}],
  [downloadDriveFolder, { folders: SOME }],
  [downloadDriveDocument, { documents: SOME }],
  [weighDrive, {}],
  [searchRestoreSession, undefined],
  [previewItem, undefined, '?objectId=some&itemId=some'],
  [showItemPicture, undefined, '?objectId=some&itemId=some&part=file'],
  [downloadItemPart, undefined, '?objectId=some&itemId=some&part=file'],
  [listItemVersions, undefined, '?objectId=some&itemId=some'],
  [compareRestorePoints, undefined, `?objectId=some&otherSessionId=${SOME_ID}`],
  [listRestoreMailboxes, undefined],
  [listMailboxFolders, undefined],
  [listMailboxItems, undefined],
  [restoreMailboxToOriginal, {}],
  [restoreMailboxToAnother, { folder: 'Restored' }],
  [restoreMailFolderToOriginal, {}],
  [restoreMailFolderToAnother, { folder: 'Restored' }],
  [restoreMailItemsToOriginal, { items: SOME }],
  [restoreMailItemsToAnother, { folder: 'Restored', items: SOME }],
  [downloadMailbox, {}],
  [downloadMailFolder, {}],
  [downloadMailItems, { items: SOME }],
  [weighMailbox, {}],
  [stopRestoreSession, undefined],
  [readRestoreOperation, undefined],
  [cancelRestoreOperation, { action: 'cancel' }],
  [listRestoreOperationItems, undefined],
  [listRestoreSites, undefined],
  [listSiteContent, undefined],
  [listSiteFolders, undefined],
  [listSiteDocuments, undefined],
  [listSiteItems, undefined],
  [restoreSiteToOriginal, {}],
  [restoreSiteToAnother, { siteURL: 'https://contoso.test/sites/a' }],
  [restoreListToOriginal, { listId: 'some' }],
  [restoreListToAnother, { listId: 'some', siteURL: 'https://contoso.test/sites/a' }],
  [restoreLibraryToOriginal, { libraryId: 'some' }],
  [restoreLibraryToAnother, { libraryId: 'some', siteURL: 'https://contoso.test/sites/a' }],
  [restoreSiteFolderToOriginal, { folderId: 'some:one' }],
  [restoreSiteFolderToAnother, { folderId: 'some:one', siteURL: 'https://contoso.test/sites/a' }],
  [restoreSiteDocumentsToOriginal, { documents: SOME }],
  [restoreSiteDocumentsToAnother, { documents: SOME, siteURL: 'https://contoso.test/sites/a' }],
  [restoreSiteItemsToOriginal, { items: SOME }],
  [restoreSiteItemsToAnother, { items: SOME, siteURL: 'https://contoso.test/sites/a' }],
  [downloadLibrary, { libraryId: 'some' }],
  [downloadSiteFolder, { folderId: 'some:one' }],
  [downloadSiteDocuments, { documents: SOME }],
  [weighSite, {}],
  [listRestoreTeams, undefined],
  [listTeamChannels, undefined],
  [listTeamPosts, undefined, '?channelId=some'],
  [listTeamFiles, undefined],
  [listTeamTabs, undefined],
  [restoreWholeTeam, {}],
  [restoreTeamChannel, {}],
  [restoreTeamFiles, { files: SOME }],
  [restoreTeamTabs, { tabs: SOME }],
  [downloadTeamFiles, { files: SOME }],
  [downloadTeamPosts, {}],
  [listChatPeople, undefined],
  [listChats, undefined],
  [listChatMessages, undefined, '?chatId=some'],
  [weighChats, {}],
  [downloadChats, {}],
  [listThread, undefined, '?objectId=some&itemId=some'],
];

const asked = CALLS.map(([call, body, query = '']) => ({ call, body, query, name: `${call.method} ${call.path}` }));

it.each(asked)('404 where there is no such session, restore or download: $name', async ({ call, body, query }) => {
  const caller = await portal.as('o365_admin');
  const path = call.path.replace(/\{\w+\}/g, SOME_ID);
  const options =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await caller.raw(call.method, `/api${path}${query}`, options);
  expect([call.path, response.status, await response.json()]).toMatchObject([call.path, 404, { code: 'NOT_FOUND' }]);
});
