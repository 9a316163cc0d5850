import { CONTENT_SUFFIX, ROOT, SUBSITES_SUFFIX } from '@keepwatch/contract/restore/explorer';
import {
  downloadLibrary,
  downloadSiteDocuments,
  downloadSiteFolder,
  listRestoreSites,
  listSiteContent,
  listSiteDocuments,
  listSiteFolders,
  listSiteItems,
  type RestoreSite,
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
  type SiteItem,
  type SiteNode,
  weighSite,
} from '@keepwatch/contract/restore/sites';
import type { Api } from '../../kit/api.ts';
import type { DownloadRequest, RestoreApplication, RestoreRequest, RestoreWish, Source } from '../explorer/application.ts';
import { type Entry, type EntryType, entryIn, isContainer, objectEntry } from '../explorer/entry.ts';
import { chosenIn, fixedPage, groupsOf, namesOf, pageOf } from '../explorer/pages.ts';
import { documentEntry } from './onedrive.ts';

/** SharePoint sites, each with the fixed nodes Subsites and Content: libraries, lists, folders, documents and rows. */
export const sharepoint: RestoreApplication = {
  sessionType: 'vesp',
  title: 'Restore SharePoint',
  objects: { type: 'site', one: 'site', many: 'sites' },
  destination: { label: 'Another site', description: 'Address of the site. Leave empty to restore into this site.' },
  fromTitle: 'Modified by',
  dateTitle: 'Modified',
  has: ({ isSharePoint }) => isSharePoint,
  sourcesOf,
  restoresOf: (chosen) => groupsOf(chosen, groupOf).flatMap(restoresOf),
  downloadsOf: (chosen) => groupsOf(chosen, groupOf).flatMap(downloadsOf),
  typesOf: ({ type, parentId }) => typesOf(type, parentId),
  atOnceBytesMax: null,
  options: ['folder', 'markRestored', 'documentVersion', 'restorePermissions'],
};

/** Separates the id of a library from that of a folder or file in it (`RestoreContentNode.id`). */
const SEPARATOR = ':';

function typesOf(type: string, parentId: string | null): { item: EntryType; folder: EntryType } {
  if (type === 'file') return { item: 'document', folder: parentId?.includes(SEPARATOR) === true ? 'folder' : 'library' };
  if (type === 'list') return { item: 'list', folder: 'content' };
  return { item: type === 'page' ? 'page' : 'item', folder: type === 'page' ? 'pages' : 'list' };
}

function sourcesOf(node: Entry | null): readonly Source[] {
  switch (node?.type) {
    case undefined:
      return [sitesIn(ROOT)];
    case 'site':
      return [{ key: 'fixed', read: async () => fixedPage(fixedNodes(node)) }];
    case 'subsites':
      return [sitesIn(node.itemId ?? ROOT)];
    case 'content':
      return [contentOf(node)];
    case 'library':
    case 'folder':
      return [foldersIn(node), documentsIn(node)];
    case 'list':
    case 'pages':
      return [rowsIn(node)];
    default:
      return [];
  }
}

/** Every site has these two, with these ids (specification "microsoft365", part 3). */
function fixedNodes(site: Entry): Entry[] {
  return [
    entryIn(site, 'subsites', `${site.objectId}${SUBSITES_SUFFIX}`, 'Subsites'),
    entryIn(site, 'content', `${site.objectId}${CONTENT_SUFFIX}`, 'Content'),
  ];
}

function sitesIn(parentId: string): Source {
  return {
    key: 'containers',
    read: async (api, { sessionId, range, search }, signal) =>
      pageOf(
        await api.request(
          listRestoreSites,
          {
            params: { restoreSessionId: sessionId },
            query: { ...range, ...(search === '' ? { parentId } : { search }) },
          },
          signal,
        ),
        siteEntry,
      ),
  };
}

function siteEntry({ id, name, url, isDeleted }: RestoreSite): Entry {
  return { ...objectEntry('site', id, name), detail: url, isDeleted };
}

/** Libraries and lists come all at once: there are never many. */
function contentOf(node: Entry): Source {
  return {
    key: 'containers',
    read: async (api, { sessionId }, signal) => {
      const { data } = await api.request(
        listSiteContent,
        {
          params: { restoreSessionId: sessionId, siteId: node.objectId },
          query: { parentId: node.itemId ?? ROOT },
        },
        signal,
      );
      return fixedPage(data.map((content) => contentEntry(node, content)));
    },
  };
}

function contentEntry(parent: Entry, { id, name, type, url, isDeleted }: SiteNode): Entry {
  const within = type === 'folder' ? parent.within : id;
  return { ...entryIn(parent, type, id, name), within, detail: url, isDeleted };
}

function foldersIn(node: Entry): Source {
  return {
    key: 'containers',
    read: async (api, { sessionId, range }, signal) =>
      pageOf(
        await api.request(
          listSiteFolders,
          {
            params: { restoreSessionId: sessionId, siteId: node.objectId },
            query: { ...range, parentId: node.itemId ?? ROOT },
          },
          signal,
        ),
        (folder) => ({ ...contentEntry(node, folder), detail: null }),
      ),
  };
}

function documentsIn(node: Entry): Source {
  return {
    key: 'items',
    read: async (api, { sessionId, range, sort }, signal) =>
      pageOf(
        await api.request(
          listSiteDocuments,
          {
            params: { restoreSessionId: sessionId, siteId: node.objectId },
            query: { ...range, sort, parentId: node.itemId ?? ROOT },
          },
          signal,
        ),
        (document) => documentEntry(node, document),
      ),
  };
}

function rowsIn(node: Entry): Source {
  return {
    key: 'items',
    read: async (api, { sessionId, range, sort }, signal) =>
      pageOf(
        await api.request(
          listSiteItems,
          {
            params: { restoreSessionId: sessionId, siteId: node.objectId },
            query: { ...range, sort, parentId: node.itemId ?? ROOT },
          },
          signal,
        ),
        (item) => rowEntry(node, item),
      ),
  };
}

function rowEntry(list: Entry, { id, type, name, modifiedBy, modificationTime, sizeBytes, isDeleted }: SiteItem): Entry {
  return { ...entryIn(list, type, id, name), from: modifiedBy, date: modificationTime, sizeBytes, isDeleted };
}

/** The calls are for one site, library or list each, and for several folders, documents or rows of one library or list. */
function groupOf({ type, objectId, itemId, within }: Entry): string {
  if (type === 'document' || type === 'folder') return [type, objectId, (itemId ?? '').split(SEPARATOR)[0]].join(' ');
  if (type === 'item' || type === 'page') return [type, objectId, within ?? ''].join(' ');
  return [type, objectId, itemId ?? ''].join(' ');
}

function restoresOf(group: readonly Entry[]): RestoreRequest[] {
  const [first] = group;
  if (first === undefined) return [];
  return [
    {
      name: namesOf(group),
      start: async (api, restoreSessionId, wish) => {
        const params = { restoreSessionId, siteId: first.objectId };
        const { data } = await (wish.to === null
          ? startHere(api, params, group, first, wish)
          : startElsewhere(api, params, group, first, { ...wish, siteURL: wish.to }));
        return data;
      },
    },
  ];
}

interface Site {
  restoreSessionId: string;
  siteId: string;
}

const fieldsOf = ({ options, planOnly, pathName }: RestoreWish, { objectName: siteName }: Entry) => ({
  options,
  planOnly,
  pathName,
  siteName,
});

function startHere(api: Api, params: Site, group: readonly Entry[], first: Entry, wish: RestoreWish) {
  const [body, chosen, id] = [fieldsOf(wish, first), chosenIn(group), first.itemId ?? ''];
  switch (first.type) {
    case 'site':
      return api.request(restoreSiteToOriginal, { params, body });
    case 'library':
      return api.request(restoreLibraryToOriginal, { params, body: { ...body, libraryId: id } });
    case 'list':
      return api.request(restoreListToOriginal, { params, body: { ...body, listId: id } });
    case 'folder':
      return api.request(restoreSiteFolderToOriginal, { params, body: { ...body, folders: chosen } });
    case 'document':
      return api.request(restoreSiteDocumentsToOriginal, { params, body: { ...body, documents: chosen } });
    default:
      return api.request(restoreSiteItemsToOriginal, { params, body: { ...body, items: chosen } });
  }
}

function startElsewhere(
  api: Api,
  params: Site,
  group: readonly Entry[],
  first: Entry,
  wish: RestoreWish & { siteURL: string },
) {
  const body = { ...fieldsOf(wish, first), siteURL: wish.siteURL };
  const [chosen, id] = [chosenIn(group), first.itemId ?? ''];
  switch (first.type) {
    case 'site':
      return api.request(restoreSiteToAnother, { params, body });
    case 'library':
      return api.request(restoreLibraryToAnother, { params, body: { ...body, libraryId: id } });
    case 'list':
      return api.request(restoreListToAnother, { params, body: { ...body, listId: id } });
    case 'folder':
      return api.request(restoreSiteFolderToAnother, { params, body: { ...body, folders: chosen } });
    case 'document':
      return api.request(restoreSiteDocumentsToAnother, { params, body: { ...body, documents: chosen } });
    default:
      return api.request(restoreSiteItemsToAnother, { params, body: { ...body, items: chosen } });
  }
}

/** Libraries, folders and documents alone have files. */
function downloadsOf(group: readonly Entry[]): DownloadRequest[] {
  const [first] = group;
  if (first === undefined || !['library', 'folder', 'document'].includes(first.type)) return [];
  const [siteId, chosen, id] = [first.objectId, chosenIn(group), first.itemId ?? ''];
  return [
    {
      name: namesOf(group),
      formats: ['zip'],
      start: (api, restoreSessionId, { fileName, downloadInBackground }) => {
        const params = { restoreSessionId, siteId };
        const body = { fileName, downloadInBackground, siteName: first.objectName };
        if (!isContainer(first)) return api.request(downloadSiteDocuments, { params, body: { ...body, documents: chosen } });
        return first.type === 'library'
          ? api.request(downloadLibrary, { params, body: { ...body, libraryId: id } })
          : api.request(downloadSiteFolder, { params, body: { ...body, folders: chosen } });
      },
      weigh: async (api, restoreSessionId) => {
        const body = first.type === 'library' ? { parentId: id } : { items: chosen };
        const { data } = await api.request(weighSite, { params: { restoreSessionId, siteId }, body });
        return data;
      },
    },
  ];
}
