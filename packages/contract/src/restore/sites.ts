import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, text } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';
import { driveDocument } from './drives.ts';
import {
  begun,
  below,
  CHOSEN_BYTES_MAX,
  chosenOnes,
  deletable,
  downloadFields,
  listedObjects,
  nodeId,
  restoreFields,
  resultsOf,
  session,
  sizeFields,
  sorted,
  weighing,
  zipOrBackground,
} from './explorer.ts';

/** SharePoint sites of a restore session: subsites, libraries, lists, folders, documents, items, bringing them back and saving them. */

const access = 'o365.restoreSharepoint' as const;
const at = '/o365/restore/restoresessions/{restoreSessionId}/sharepoint/sites' as const;
const site = z.strictObject({ restoreSessionId: id, siteId: nodeId });

const fixedNode = entity(
  'RestoreSiteNode',
  z.object({
    /** `{siteId}-subsites` or `{siteId}-content`: the `parentId` of what is in it. */
    id: z.string(),
    name: z.enum(['Subsites', 'Content']),
    siteId: z.string(),
    type: z.enum(['subsites', 'content']),
  }),
);

export const restoreSite = entity(
  'RestoreSite',
  z.object({
    id: z.string(),
    name: z.string(),
    url: z.nullable(z.string()),
    type: z.literal('site'),
    backupTime: instant,
    isPersonal: z.boolean(),
    children: z.array(fixedNode),
    ...deletable,
  }),
);
export type RestoreSite = z.infer<typeof restoreSite>;

export const listRestoreSites = declareCall({
  method: 'GET',
  path: at,
  access,
  params: session,
  query: z.strictObject({
    ...listedObjects,
    parentId: z.optional(nodeId),
    filter: z.optional(z.strictObject({ name: z.optional(text(200)), url: z.optional(text(500)) })),
  }),
  ...resultsOf(restoreSite),
  failure: 'Error getting the sites. Try again later.',
  summary:
    'Sites by name: with `parentId` `Root` or none those at the top, with `{siteId}-subsites` those below a site, with a search all that it finds.',
});

export const siteNode = entity(
  'RestoreContentNode',
  z.object({
    id: z.string(),
    name: z.string(),
    siteId: z.string(),
    parentId: z.string(),
    type: z.enum(['library', 'list', 'folder', 'pages']),
    folderType: z.enum(['Library', 'List', 'Folder']),
    /** Name of the library or list that it is in; of a library or list its own. */
    list: z.string(),
    siteURL: z.nullable(z.string()),
    url: z.nullable(z.string()),
    ...deletable,
  }),
);
export type SiteNode = z.infer<typeof siteNode>;

export const listSiteContent = declareCall({
  method: 'GET',
  path: `${at}/{siteId}/content`,
  access,
  audit: 'restore.browse',
  params: site,
  query: z.strictObject(below),
  ...itemOf(z.array(siteNode)),
  failure: 'Error getting the site folders. Try again later.',
  summary: 'Libraries and lists of a site: what is below its node Content.',
});

export const listSiteFolders = declareCall({
  method: 'GET',
  path: `${at}/{siteId}/folders`,
  access,
  audit: 'restore.browse',
  params: site,
  query: z.strictObject(below),
  ...resultsOf(siteNode),
  failure: 'Error getting the site folders. Try again later.',
  summary: 'Folders in a library or folder (`parentId`).',
});

export const siteDocument = entity(
  'RestoreSiteDocument',
  z.extend(driveDocument, { siteId: z.string(), type: z.literal('document'), list: z.string() }),
);
export type SiteDocument = z.infer<typeof siteDocument>;

export const listSiteDocuments = declareCall({
  method: 'GET',
  path: `${at}/{siteId}/documents`,
  access,
  audit: 'restore.browse',
  params: site,
  query: z.strictObject({ ...below, ...sorted }),
  ...resultsOf(siteDocument),
  failure: 'Error getting the onedrive folders. Try again later.',
  summary: 'Files in a library or folder (`parentId`), a page at a time.',
});

export const siteItem = entity(
  'RestoreSiteItem',
  z.object({
    id: z.string(),
    name: z.string(),
    title: z.string(),
    siteId: z.string(),
    parentId: z.string(),
    type: z.enum(['item', 'page']),
    list: z.string(),
    sizeBytes: z.int(),
    version: z.nullable(z.string()),
    modifiedBy: z.nullable(z.string()),
    creationTime: z.nullable(instant),
    modificationTime: z.nullable(instant),
    url: z.nullable(z.string()),
    ...deletable,
  }),
);
export type SiteItem = z.infer<typeof siteItem>;

export const listSiteItems = declareCall({
  method: 'GET',
  path: `${at}/{siteId}/items`,
  access,
  audit: 'restore.browse',
  params: site,
  query: z.strictObject({ ...below, ...sorted }),
  ...resultsOf(siteItem),
  failure: 'Error getting the sharepoint folders. Try again later.',
  summary: 'Rows of a list (`parentId`), a page at a time.',
});

const restored = { ...restoreFields, siteName: z.optional(text(400)) };
/** The address of the site that it goes into. */
const elsewhere = { siteURL: text(2_000).check(z.regex(/^https?:\/\/[^\s/\\]\S*$/, 'must be the address of a site')) };
const names = { fileName: z.optional(text(400)), list: z.optional(text(400)) };
const aList = { ...names, listId: nodeId };
const aLibrary = { ...names, libraryId: nodeId };
const someFolders = { ...names, folderId: z.optional(nodeId), folders: z.optional(chosenOnes) };
const someDocuments = { ...names, documents: chosenOnes, documentsName: z.optional(text(2_000)) };
const someItems = { ...names, items: chosenOnes, itemsName: z.optional(text(2_000)), listId: z.optional(nodeId) };

const changes = {
  method: 'POST',
  access,
  audit: 'restore.start',
  params: site,
  ...begun,
  failure: 'Error restoring the folder. Try again later.',
} as const;

export const restoreSiteToOriginal = declareCall({
  ...changes,
  path: `${at}/{siteId}/restore`,
  body: z.strictObject(restored),
  failure: 'Error restoring the site. Try again later.',
  summary: 'Restores a site with its lists and libraries to where it was.',
});

export const restoreSiteToAnother = declareCall({
  ...changes,
  path: `${at}/{siteId}/restore-to`,
  body: z.strictObject({ ...restored, ...elsewhere }),
  failure: 'Error restoring the site. Try again later.',
  summary: 'Restores a site with its lists and libraries into another site.',
});

export const restoreListToOriginal = declareCall({
  ...changes,
  path: `${at}/{siteId}/lists/restore`,
  body: z.strictObject({ ...restored, ...aList }),
  summary: 'Restores a list to where it was.',
});

export const restoreListToAnother = declareCall({
  ...changes,
  path: `${at}/{siteId}/lists/restore-to`,
  body: z.strictObject({ ...restored, ...aList, ...elsewhere }),
  summary: 'Restores a list into another site.',
});

export const restoreLibraryToOriginal = declareCall({
  ...changes,
  path: `${at}/{siteId}/libraries/restore`,
  body: z.strictObject({ ...restored, ...aLibrary }),
  summary: 'Restores a library to where it was.',
});

export const restoreLibraryToAnother = declareCall({
  ...changes,
  path: `${at}/{siteId}/libraries/restore-to`,
  body: z.strictObject({ ...restored, ...aLibrary, ...elsewhere }),
  summary: 'Restores a library into the library of the same name in another site.',
});

export const restoreSiteFolderToOriginal = declareCall({
  ...changes,
  path: `${at}/{siteId}/folders/restore`,
  body: z.strictObject({ ...restored, ...someFolders }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  summary: 'Restores folders of a library to where they were.',
});

export const restoreSiteFolderToAnother = declareCall({
  ...changes,
  path: `${at}/{siteId}/folders/restore-to`,
  body: z.strictObject({ ...restored, ...someFolders, ...elsewhere }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  summary: 'Restores folders of a library into another site.',
});

export const restoreSiteDocumentsToOriginal = declareCall({
  ...changes,
  path: `${at}/{siteId}/documents/restore`,
  body: z.strictObject({ ...restored, ...someDocuments }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  summary: 'Restores documents to where they were.',
});

export const restoreSiteDocumentsToAnother = declareCall({
  ...changes,
  path: `${at}/{siteId}/documents/restore-to`,
  body: z.strictObject({ ...restored, ...someDocuments, ...elsewhere }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  summary: 'Restores documents into another site.',
});

export const restoreSiteItemsToOriginal = declareCall({
  ...changes,
  path: `${at}/{siteId}/items/restore`,
  body: z.strictObject({ ...restored, ...someItems }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  summary: 'Restores rows of a list to where they were.',
});

export const restoreSiteItemsToAnother = declareCall({
  ...changes,
  path: `${at}/{siteId}/items/restore-to`,
  body: z.strictObject({ ...restored, ...someItems, ...elsewhere }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  summary: 'Restores rows of a list into another site.',
});

const saved = {
  ...downloadFields,
  siteName: z.optional(text(400)),
  restoreSessionData: z.optional(z.record(text(100), z.unknown())),
};
const saves = {
  method: 'POST',
  access,
  audit: 'restore.download',
  params: site,
  reply: zipOrBackground,
  failure: 'Error restoring the folder. Try again later.',
} as const;

export const downloadLibrary = declareCall({
  ...saves,
  path: `${at}/{siteId}/libraries/download`,
  body: z.strictObject({ ...saved, libraryId: nodeId }),
  summary: 'A library as ZIP.',
});

export const downloadSiteFolder = declareCall({
  ...saves,
  path: `${at}/{siteId}/folders/download`,
  body: z.strictObject({ ...saved, folderId: z.optional(nodeId), folders: z.optional(chosenOnes) }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  summary: 'Folders of a library as ZIP.',
});

export const downloadSiteDocuments = declareCall({
  ...saves,
  path: `${at}/{siteId}/documents/download`,
  body: z.strictObject({ ...saved, documents: chosenOnes, documentsName: z.optional(text(2_000)) }),
  bodyBytesMax: CHOSEN_BYTES_MAX,
  summary: 'Documents as ZIP.',
});

export const weighSite = declareCall({
  ...weighing,
  path: `${at}/{siteId}/download-size`,
  access,
  params: site,
  body: z.strictObject(sizeFields),
  summary: 'How much a site, a library or folder of it (`parentId`) or some documents are.',
});
