import {
  downloadLibrary,
  downloadSiteDocuments,
  downloadSiteFolder,
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
import type { Api } from '../../kit/api.ts';
import type { DownloadRequest, RestoreRequest, RestoreWish } from '../explorer/application.ts';
import { type Entry, isContainer } from '../explorer/entry.ts';
import { chosenIn, namesOf } from '../explorer/pages.ts';
import { SEPARATOR } from './library-ids.ts';

/** The calls are for one site, library or list each, and for several folders, documents or rows of one library or list. */
export function groupOf({ type, objectId, itemId, within }: Entry): string {
  if (type === 'document' || type === 'folder') return [type, objectId, (itemId ?? '').split(SEPARATOR)[0]].join(' ');
  if (type === 'item' || type === 'page') return [type, objectId, within ?? ''].join(' ');
  return [type, objectId, itemId ?? ''].join(' ');
}

/** The calls that restore some of what was chosen together. */
export function restoresOf(group: readonly Entry[]): RestoreRequest[] {
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

/** The calls that save it: libraries, folders and documents alone have files. */
export function downloadsOf(group: readonly Entry[]): DownloadRequest[] {
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
        if (!isContainer(first))
          return api.request(downloadSiteDocuments, { params, body: { ...body, documents: chosen } });
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
