import { CONTENT_SUFFIX, ROOT } from '@keepwatch/contract/restore/explorer';
import {
  listRestoreSites,
  listSiteContent,
  listSiteDocuments,
  listSiteFolders,
  listSiteItems,
  type SiteNode,
  weighSite,
} from '@keepwatch/contract/restore/sites';
import type { ItemVersion } from '@keepwatch/engine/engine';
import { notFound } from '../../../foundation/errors.ts';
import { answer, type Route } from '../../../foundation/http/routes.ts';
import type { RestoreServices } from '../../restore-services.ts';
import type { OpenedSession } from '../../sessions/opened-session.ts';
import type { SessionObject } from '../../sessions/repository-objects.ts';
import { type FoundObject, objectsOf, requireObject } from '../../sessions/session-objects.ts';
import { recordPlace } from '../audited.ts';
import { browseObject, rowsOf } from '../browse-object.ts';
import { inSession } from '../in-session.ts';
import { libraryOf } from '../library-ids.ts';
import { linksOf, objectPage } from '../page-links.ts';
import { requireItem } from '../require-items.ts';
import { weighItems } from '../weigh-items.ts';
import { chosenInSite } from './site-choice.ts';
import {
  libraryRow,
  listRow,
  PAGES_NAME,
  pagesNode,
  pagesRow,
  siteDocumentRow,
  siteFolderRow,
  siteItemRow,
  siteRow,
} from './site-rows.ts';
import { isLibraryOf, librariesOf, libraryName, siteOfNode, subsitesOf, topSites } from './site-tree.ts';

/** Looking into sites. */
export function siteCalls(services: RestoreServices): Route[] {
  return [list(services), content(services), folders(services), documents(services), items(services), weigh(services)];
}

export const requireSite = (opened: OpenedSession, siteId: string) => requireObject(opened, 'site', siteId, 'site');

function list(services: RestoreServices): Route {
  return answer(listRestoreSites, (context, { params, query }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const text = query.search ?? query.filter?.name ?? query.filter?.url;
      const page = await objectPage(await sitesFor(opened, query.parentId, text), query);
      return { data: { results: page.rows.map(siteRow) }, _links: linksOf(listRestoreSites, params, query, page) };
    }),
  );
}

async function sitesFor(
  opened: OpenedSession,
  parentId: string | undefined,
  text: string | undefined,
): Promise<(after: string | undefined) => AsyncIterable<SessionObject>> {
  const parent = siteOfNode(parentId);
  if (parent !== null) {
    const site = await requireSite(opened, parent);
    return (after) => subsitesOf(opened, site, after);
  }
  if (text === undefined) return (after) => topSites(opened, after);
  return (after) => objectsOf(opened, { kinds: ['site'], text }, after);
}

function content(services: RestoreServices): Route {
  return answer(listSiteContent, (context, { params, query }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const site = await requireSite(opened, params.siteId);
      await recordPlace(context, opened, site, { site: site.object.name });
      const nodes = await contentOf(opened, site);
      // Never many: all of it, unless a page is asked for.
      const isPage = query.offset > 0;
      return { data: isPage ? nodes.slice(query.offset, query.offset + query.limit) : nodes };
    }),
  );
}

/** Libraries, lists and the pages of a site. A library that is a drive is not shown once more as a list. */
async function contentOf(opened: OpenedSession, site: FoundObject): Promise<SiteNode[]> {
  const libraries = await librariesOf(opened, site);
  const names = new Set(libraries.map(libraryName));
  const top = { parentId: undefined, sort: 'name' } as const;
  const pages = await browseObject(opened, site, { ...top, kinds: ['page'], limit: 1, offset: 0 });
  const shown: ItemVersion[] = [];
  for await (const list of rowsOf(opened, site, { ...top, kinds: ['list'] }))
    if (list.details.role !== 'documentLibrary' || !names.has(list.name)) shown.push(list);
  return [
    ...libraries.map((library) => libraryRow(site, library)),
    ...shown.map((item) => listRow(site, item)),
    ...(pages.rows.length > 0 ? [pagesRow(site)] : []),
  ];
}

/** The library that a node is in, and the folder; `null` folder at its top. @throws 404 for one of another site */
async function requireLibrary(opened: OpenedSession, site: FoundObject, parentId: string | undefined) {
  const { libraryId, itemId } = libraryOf(parentId ?? '');
  const library = await requireObject(opened, 'drive', libraryId, 'library');
  if (!isLibraryOf(library.object, site.object)) throw notFound('library');
  return { library, folderId: itemId ?? undefined };
}

const isTop = (parentId: string | undefined) =>
  parentId === undefined || parentId === ROOT || parentId.endsWith(CONTENT_SUFFIX);

function folders(services: RestoreServices): Route {
  return answer(listSiteFolders, (context, { params, query }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const site = await requireSite(opened, params.siteId);
      if (isTop(query.parentId)) {
        await recordPlace(context, opened, site, { site: site.object.name });
        const nodes = await contentOf(opened, site);
        const results = nodes.slice(query.offset, query.offset + query.limit);
        const isMore = nodes.length > query.offset + query.limit;
        return { data: { results }, _links: linksOf(listSiteFolders, params, query, { isMore }) };
      }
      const { library, folderId } = await requireLibrary(opened, site, query.parentId);
      const order = { ...query, parentId: folderId, kinds: ['folder'] as const, sort: 'name' as const };
      const { rows, isMore } = await browseObject(opened, library, order);
      await recordPlace(context, opened, site, { site: site.object.name, folder: query.parentId });
      const results = rows.map((row) => siteFolderRow(site, library, row));
      return { data: { results }, _links: linksOf(listSiteFolders, params, query, { isMore }) };
    }),
  );
}

function documents(services: RestoreServices): Route {
  return answer(listSiteDocuments, (context, { params, query }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const site = await requireSite(opened, params.siteId);
      const { library, folderId } = await requireLibrary(opened, site, query.parentId);
      const order = { ...query, parentId: folderId, kinds: ['file'] as const };
      const { rows, isMore } = await browseObject(opened, library, order);
      await recordPlace(context, opened, site, { site: site.object.name, folder: query.parentId });
      const results = rows.map((row) => siteDocumentRow(site, library, row));
      return { data: { results }, _links: linksOf(listSiteDocuments, params, query, { isMore }) };
    }),
  );
}

function items(services: RestoreServices): Route {
  return answer(listSiteItems, (context, { params, query }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const site = await requireSite(opened, params.siteId);
      const { list, order } = await rowsIn(site, query.parentId ?? '');
      const { rows, isMore } = await browseObject(opened, site, { ...query, ...order });
      await recordPlace(context, opened, site, { site: site.object.name, list: list.name, folder: query.parentId });
      const results = rows.map((row) => siteItemRow(site, list, row));
      return { data: { results }, _links: linksOf(listSiteItems, params, query, { isMore }) };
    }),
  );
}

/** What a list has rows of: its own, or the pages of the site. */
async function rowsIn(site: FoundObject, parentId: string) {
  if (parentId === pagesNode(site.object.id))
    return { list: { id: parentId, name: PAGES_NAME }, order: { parentId: undefined, kinds: ['page'] as const } };
  const list = await requireItem(site, parentId);
  return { list, order: { parentId, kinds: ['list-item'] as const } };
}

function weigh(services: RestoreServices): Route {
  return answer(weighSite, (context, { params, body }) =>
    inSession(services, context, params.restoreSessionId, async (opened) => {
      const site = await requireSite(opened, params.siteId);
      const sum = { items: 0, sizeBytes: 0 };
      for (const { found, items: ids } of await chosenInSite(opened, site, body)) {
        const { items, sizeBytes } = await weighItems(found, { items: ids?.map((id) => ({ id })) });
        sum.items += items;
        sum.sizeBytes += sizeBytes;
      }
      return { data: sum };
    }),
  );
}
