import { CONTENT_SUFFIX, ROOT, SUBSITES_SUFFIX } from '@keepwatch/contract/restore/explorer';
import {
  listRestoreSites,
  listSiteContent,
  listSiteDocuments,
  listSiteFolders,
  listSiteItems,
  type RestoreSite,
  type SiteItem,
  type SiteNode,
} from '@keepwatch/contract/restore/sites';
import type { RestoreApplication, Source } from '../explorer/application.ts';
import { type Entry, type EntryType, entryIn, objectEntry } from '../explorer/entry.ts';
import { fixedPage, groupsOf, pageOf } from '../explorer/pages.ts';
import { SEPARATOR } from './library-ids.ts';
import { documentEntry } from './onedrive.ts';
import { downloadsOf, groupOf, restoresOf } from './sharepoint-changes.ts';

/** SharePoint sites, each with the fixed nodes Subsites and Content: libraries, lists, folders, documents and rows. */
export const sharepoint: RestoreApplication = {
  sessionType: 'vesp',
  title: 'Restore SharePoint',
  objects: { type: 'site', one: 'site', many: 'sites' },
  destination: {
    label: 'Another site',
    description: 'Choose a site, or write its address. Leave empty to restore into this site.',
    targetOf: ({ detail }) => detail,
  },
  fromTitle: 'Modified by',
  dateTitle: 'Modified',
  has: ({ isSharePoint }) => isSharePoint,
  sourcesOf,
  refusesDownload: ({ type }) =>
    ['library', 'folder', 'document'].includes(type)
      ? null
      : 'Sites, lists, list items and pages are not saved as files. Restore them, or select libraries, folders or documents.',
  restoresOf: (chosen) => groupsOf(chosen, groupOf).flatMap(restoresOf),
  downloadsOf: (chosen) => groupsOf(chosen, groupOf).flatMap(downloadsOf),
  typesOf: ({ type, parentId }) => typesOf(type, parentId),
  atOnceBytesMax: null,
  options: ['folder', 'markRestored', 'documentVersion', 'restorePermissions'],
};

function typesOf(type: string, parentId: string | null): { item: EntryType; folder: EntryType } {
  if (type === 'file')
    return { item: 'document', folder: parentId?.includes(SEPARATOR) === true ? 'folder' : 'library' };
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

function rowEntry(
  list: Entry,
  { id, type, name, modifiedBy, modificationTime, sizeBytes, isDeleted }: SiteItem,
): Entry {
  return { ...entryIn(list, type, id, name), from: modifiedBy, date: modificationTime, sizeBytes, isDeleted };
}
