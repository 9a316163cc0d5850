import { CONTENT_SUFFIX, SUBSITES_SUFFIX } from '@keepwatch/contract/restore/explorer';
import type { RestoreSite, SiteDocument, SiteItem, SiteNode } from '@keepwatch/contract/restore/sites';
import type { ItemVersion } from '@keepwatch/engine/engine';
import type { SessionObject } from '../../sessions/repository-objects.ts';
import type { FoundObject } from '../../sessions/session-objects.ts';
import { instantText, isDeletedIn } from '../browse-object.ts';
import { documentRow } from '../document-rows.ts';
import { inLibrary } from '../library-ids.ts';
import { isPersonalSite, libraryName } from './site-tree.ts';

/** The node of a site's pages, which are in no list that a person sees. */
export const pagesNode = (siteId: string) => `${siteId}-pages`;
export const PAGES_NAME = 'Site Pages';

export function siteRow(site: SessionObject): RestoreSite {
  const { id, name, address, backupTime, isDeleted } = site;
  const children: RestoreSite['children'] = [
    { id: `${id}${SUBSITES_SUFFIX}`, name: 'Subsites', siteId: id, type: 'subsites' },
    { id: `${id}${CONTENT_SUFFIX}`, name: 'Content', siteId: id, type: 'content' },
  ];
  return { id, name, url: address, type: 'site', backupTime, isPersonal: isPersonalSite(site), children, isDeleted };
}

export function libraryRow({ object: site }: FoundObject, library: FoundObject): SiteNode {
  const name = libraryName(library);
  return {
    id: library.object.id,
    name,
    siteId: site.id,
    parentId: `${site.id}${CONTENT_SUFFIX}`,
    type: 'library',
    folderType: 'Library',
    list: name,
    siteURL: site.address,
    url: library.object.address,
    isDeleted: library.isDeleted,
  };
}

export function listRow({ object: site, revision }: FoundObject, item: ItemVersion): SiteNode {
  return {
    id: item.id,
    name: item.name,
    siteId: site.id,
    parentId: `${site.id}${CONTENT_SUFFIX}`,
    type: 'list',
    folderType: 'List',
    list: item.name,
    siteURL: site.address,
    url: item.details.webUrl ?? null,
    isDeleted: isDeletedIn(revision, item),
  };
}

export function pagesRow({ object: site }: FoundObject): SiteNode {
  return {
    id: pagesNode(site.id),
    name: PAGES_NAME,
    siteId: site.id,
    parentId: `${site.id}${CONTENT_SUFFIX}`,
    type: 'pages',
    folderType: 'List',
    list: PAGES_NAME,
    siteURL: site.address,
    url: null,
    isDeleted: false,
  };
}

export function siteFolderRow({ object: site }: FoundObject, library: FoundObject, item: ItemVersion): SiteNode {
  const libraryId = library.object.id;
  return {
    id: inLibrary(libraryId, item.id),
    name: item.name,
    siteId: site.id,
    parentId: item.parentId === null ? libraryId : inLibrary(libraryId, item.parentId),
    type: 'folder',
    folderType: 'Folder',
    list: libraryName(library),
    siteURL: site.address,
    url: item.details.webUrl ?? null,
    isDeleted: isDeletedIn(library.revision, item),
  };
}

export function siteDocumentRow({ object: site }: FoundObject, library: FoundObject, item: ItemVersion): SiteDocument {
  const libraryId = library.object.id;
  return {
    ...documentRow(library.revision, item),
    id: inLibrary(libraryId, item.id),
    parentId: item.parentId === null ? libraryId : inLibrary(libraryId, item.parentId),
    siteId: site.id,
    type: 'document',
    list: libraryName(library),
  };
}

export function siteItemRow(
  { object: site, revision }: FoundObject,
  list: { id: string; name: string },
  item: ItemVersion,
): SiteItem {
  const { id, name, kind, sizeBytes, modifiedAt, details } = item;
  return {
    id,
    name,
    title: name,
    siteId: site.id,
    parentId: list.id,
    type: kind === 'page' ? 'page' : 'item',
    list: list.name,
    sizeBytes,
    version: details.version ?? null,
    modifiedBy: details.from ?? null,
    creationTime: instantText(details.createdAt),
    modificationTime: instantText(modifiedAt),
    url: details.webUrl ?? null,
    isDeleted: isDeletedIn(revision, item),
  };
}
