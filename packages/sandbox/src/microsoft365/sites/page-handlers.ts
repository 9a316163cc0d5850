import { instantOf } from '../drives/identity-set.ts';
import { type DriveItem, eTagOf, itemNotFound } from '../drives/items/drive-item.ts';
import { editOf } from '../drives/items/item-call.ts';
import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphReply } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { isObject, type JsonObject, objectOf, textOf } from '../wire/json.ts';
import { entityReply, type Representation } from '../wire/representation.ts';
import { pageType } from './lists/content-type.ts';
import { emptyPage, type Page } from './page.ts';
import type { Site } from './site.ts';
import { driveOf, siteOf } from './site-call.ts';

const type = '#microsoft.graph.sitePage';

const how: Representation = {
  context: 'Collection(sitePage)',
  defaults: [
    ...['@odata.type', '@odata.etag', 'id', 'name', 'title', 'description', 'createdBy', 'createdDateTime', 'eTag'],
    ...['lastModifiedBy', 'lastModifiedDateTime', 'webUrl', 'pageLayout', 'promotionKind', 'showComments', 'titleArea'],
    ...['showRecommendedPages', 'thumbnailWebUrl', 'contentType', 'parentReference', 'publishingState', 'reactions'],
  ],
  expand: {
    canvaslayout: (entity) => entity['canvasLayout'],
    webparts: (entity) => webPartsOf(objectOf(entity['canvasLayout'])),
  },
};

export function listPages(call: GraphCall): GraphReply {
  const site = siteOf(call);
  return collectionReply(
    call,
    filesOf(site).map((file) => pageEntity(site, file)),
    how,
  );
}

export function getPage(call: GraphCall): GraphReply {
  const site = siteOf(call);
  return entityReply(call, pageEntity(site, fileOf(call, site)), { ...how, context: 'sitePage/$entity' });
}

/** Creates a draft; `publish` makes it seen. */
export function createPage(call: GraphCall): GraphReply {
  const site = siteOf(call);
  const body = objectOf(call.body);
  const name = textOf(body['name']);
  if (!name?.endsWith('.aspx'))
    throw new GraphError(400, 'invalidRequest', 'A page needs a name that ends with .aspx.');
  const drive = driveOf(site.pagesLibrary);
  const page = { ...emptyPage, title: name.replace(/\.aspx$/, ''), ...changesOf(body) };
  const content = call.tenant.drives.contents.store(Buffer.from(`<html><title>${page.title}</title></html>`));
  const file = drive.add(drive.root, { kind: 'file', name, content, fields: { Title: page.title } }, editOf(call));
  site.pages.set(file.uniqueId, page);
  const created = { ...how, context: 'sitePage/$entity', defaults: [...(how.defaults ?? []), 'canvasLayout'] };
  return entityReply(call, pageEntity(site, file), created, 201);
}

export function updatePage(call: GraphCall): GraphReply {
  const site = siteOf(call);
  const file = fileOf(call, site);
  const page = site.pages.get(file.uniqueId) ?? emptyPage;
  const changed = { ...page, ...changesOf(objectOf(call.body)), level: 'draft' };
  site.pages.set(file.uniqueId, changed);
  file.fields['Title'] = changed.title;
  driveOf(site.pagesLibrary).touch(file, editOf(call));
  return getPage(call);
}

export function publishPage(call: GraphCall): GraphReply {
  const site = siteOf(call);
  const file = fileOf(call, site);
  site.pages.set(file.uniqueId, { ...(site.pages.get(file.uniqueId) ?? emptyPage), level: 'published' });
  driveOf(site.pagesLibrary).touch(file, editOf(call));
  return { status: 204 };
}

export function deletePage(call: GraphCall): GraphReply {
  const site = siteOf(call);
  const file = fileOf(call, site);
  driveOf(site.pagesLibrary).remove(file);
  site.pages.delete(file.uniqueId);
  return { status: 204 };
}

export function getCanvasLayout(call: GraphCall): GraphReply {
  const site = siteOf(call);
  const page = site.pages.get(fileOf(call, site).uniqueId) ?? emptyPage;
  return entityReply(call, page.canvasLayout, { context: 'canvasLayout' });
}

export function listWebParts(call: GraphCall): GraphReply {
  const site = siteOf(call);
  const page = site.pages.get(fileOf(call, site).uniqueId) ?? emptyPage;
  return collectionReply(call, webPartsOf(page.canvasLayout), { context: 'Collection(webPart)' });
}

function filesOf(site: Site): DriveItem[] {
  const drive = site.pagesLibrary?.drive;
  return drive ? [...drive.all()].filter(({ uniqueId }) => site.pages.has(uniqueId)) : [];
}

function fileOf(call: GraphCall, site: Site): DriveItem {
  const found = filesOf(site).find(({ uniqueId }) => uniqueId === call.params['page']);
  if (!found) throw itemNotFound();
  return found;
}

function pageEntity(site: Site, file: DriveItem): JsonObject {
  const { level, ...page } = site.pages.get(file.uniqueId) ?? emptyPage;
  return {
    '@odata.type': type,
    '@odata.etag': eTagOf(file),
    id: file.uniqueId,
    name: file.name,
    eTag: eTagOf(file),
    createdBy: file.createdBy,
    createdDateTime: instantOf(file.createdMs),
    lastModifiedBy: file.modifiedBy,
    lastModifiedDateTime: instantOf(file.modifiedMs),
    webUrl: `${site.webUrl}/SitePages/${encodeURIComponent(file.name)}`,
    contentType: { id: pageType.id, name: pageType.name },
    parentReference: { listId: site.pagesLibrary?.facts.id, siteId: site.id },
    publishingState: { level, versionId: level === 'published' ? `${file.versions.length}.0` : `0.${file.revision}` },
    reactions: { commentCount: 0, likeCount: 0, shareCount: 0 },
    ...page,
  };
}

function changesOf(body: JsonObject): Partial<Page> {
  const changes: Partial<Page> = {};
  for (const name of ['title', 'description', 'pageLayout', 'promotionKind', 'thumbnailWebUrl'] as const) {
    const value = textOf(body[name]);
    if (value !== undefined) changes[name] = value;
  }
  for (const name of ['showComments', 'showRecommendedPages'] as const) {
    const value = body[name];
    if (typeof value === 'boolean') changes[name] = value;
  }
  for (const name of ['titleArea', 'canvasLayout'] as const)
    if (isObject(body[name])) changes[name] = objectOf(body[name]);
  return changes;
}

function webPartsOf(layout: JsonObject): JsonObject[] {
  const sections = [layout['horizontalSections']].flat().map(objectOf);
  const columns = sections.flatMap((section) => [section['columns']].flat().map(objectOf));
  return [...columns, objectOf(layout['verticalSection'])]
    .flatMap((column) => [column['webparts'] ?? []].flat())
    .filter((part) => isObject(part));
}
