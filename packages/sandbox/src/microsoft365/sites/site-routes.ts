import { driveEntity } from '../drives/drive-entity.ts';
import { driveRoutes, fileReaders } from '../drives/drive-routes.ts';
import { charged } from '../drives/resource-charge.ts';
import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphHandler, GraphMethod, GraphRoute } from '../wire/graph-call.ts';
import { groupSite, mySiteNotFound } from './group-site.ts';
import * as columns from './lists/column-handlers.ts';
import * as types from './lists/content-type-handlers.ts';
import * as lists from './lists/list-handlers.ts';
import * as items from './lists/list-item-handlers.ts';
import * as pages from './page-handlers.ts';
import { driveOf, listOf, siteOf } from './site-call.ts';
import * as sites from './site-handlers.ts';

const readers = [
  'Sites.Read.All',
  'Sites.ReadWrite.All',
  'Sites.Manage.All',
  'Sites.FullControl.All',
  'Sites.Selected',
];
const writers = ['Sites.ReadWrite.All', 'Sites.Manage.All', 'Sites.FullControl.All', 'Sites.Selected'];
/** Who may change what a list is made of. */
const designers = ['Sites.Manage.All', 'Sites.FullControl.All'];
const owners = ['Sites.FullControl.All'];

type Operation = readonly [GraphMethod, string, GraphHandler, (readonly string[])?];

/** Operations below the address of a site. */
const operations: readonly Operation[] = [
  ['GET', '', sites.getSite],
  ['GET', '/sites', sites.listSubsites],
  ['GET', '/drives', sites.listDrives],
  ['GET', '/columns', sites.listSiteColumns],
  ['GET', '/contentTypes', sites.listSiteContentTypes],
  ['GET', '/permissions', sites.listSitePermissions, owners],
  ['POST', '/permissions', sites.addSitePermission, owners],
  ['GET', '/permissions/{permission}', sites.getSitePermission, owners],
  ['PATCH', '/permissions/{permission}', sites.updateSitePermission, owners],
  ['DELETE', '/permissions/{permission}', sites.deleteSitePermission, owners],
  ['GET', '/lists', lists.listLists],
  ['POST', '/lists', lists.createList],
  ['GET', '/lists/{list}', lists.getList],
  ['PATCH', '/lists/{list}', lists.updateList],
  ['DELETE', '/lists/{list}', lists.deleteList],
  ['GET', '/lists/{list}/columns', columns.listColumns],
  ['POST', '/lists/{list}/columns', columns.createColumn, designers],
  ['GET', '/lists/{list}/columns/{column}', columns.getColumn],
  ['PATCH', '/lists/{list}/columns/{column}', columns.updateColumn, designers],
  ['DELETE', '/lists/{list}/columns/{column}', columns.deleteColumn, designers],
  ['GET', '/lists/{list}/contentTypes', types.listContentTypes],
  ['POST', '/lists/{list}/contentTypes', types.createContentType, designers],
  ['POST', '/lists/{list}/contentTypes/addCopy', types.addContentTypeCopy, designers],
  ['GET', '/lists/{list}/items', items.listItems],
  ['POST', '/lists/{list}/items', items.createListItem],
  ['GET', '/lists/{list}/items/delta()', items.itemsDelta],
  ['GET', '/lists/{list}/items/{item}', items.getListItem],
  ['PATCH', '/lists/{list}/items/{item}', items.updateListItem],
  ['DELETE', '/lists/{list}/items/{item}', items.deleteListItem],
  ['GET', '/lists/{list}/items/{item}/fields', items.getFields],
  ['PATCH', '/lists/{list}/items/{item}/fields', items.updateFields],
  ['GET', '/lists/{list}/items/{item}/driveItem', items.getDriveItem],
  ['GET', '/lists/{list}/items/{item}/versions', items.listItemVersions],
  ['POST', '/lists/{list}/items/{item}/versions/{version}/restoreVersion', items.restoreItemVersion],
  ['GET', '/pages', pages.listPages],
  ['POST', '/pages', pages.createPage],
  ['GET', '/pages/sitePage', pages.listPages],
  ['GET', '/pages/{page}', pages.getPage],
  ['DELETE', '/pages/{page}', pages.deletePage],
  ['GET', '/pages/{page}/sitePage', pages.getPage],
  ['PATCH', '/pages/{page}/sitePage', pages.updatePage],
  ['POST', '/pages/{page}/sitePage/publish', pages.publishPage],
  ['GET', '/pages/{page}/sitePage/canvasLayout', pages.getCanvasLayout],
  ['GET', '/pages/{page}/sitePage/webParts', pages.listWebParts],
];

/** A site by id, and a site by host and path; what follows a path is set off by a colon. */
const addresses = ['/sites/{site}', '/sites/{site}:/{sitePath*}:'];

const routeOf = (path: string, [method, operation, handle, permissions]: Operation): GraphRoute => ({
  method,
  path: operation === '' ? path.replace(/\*\}:$/, '*}') : path + operation,
  handle,
  permissions: permissions ?? (method === 'GET' ? readers : writers),
});

const siteDrive = (call: GraphCall) => driveOf(siteOf(call).defaultLibrary);
const listDrive = (call: GraphCall) => driveOf(listOf(call, siteOf(call)));

function drivesRoute(path: string, drivesOf: (call: GraphCall) => ReturnType<typeof siteDrive>[]): GraphRoute {
  const handle = (call: GraphCall) => collectionReply(call, drivesOf(call).map(driveEntity), { context: 'drives' });
  return { method: 'GET', path, handle, permissions: fileReaders };
}

function userDrive({ tenant, params }: GraphCall) {
  const drive = tenant.drives.ofUser(params['user'] ?? '');
  if (!drive) throw mySiteNotFound();
  return drive;
}

function groupDrive({ tenant, params }: GraphCall) {
  return driveOf(groupSite(tenant, params['group'] ?? '').defaultLibrary);
}

const anyDrive = ({ tenant, params }: GraphCall) => tenant.drives.drive(params['drive'] ?? '');

const all: readonly GraphRoute[] = [
  { method: 'GET', path: '/sites', handle: sites.searchSites, permissions: readers },
  { method: 'GET', path: '/sites/getAllSites()', handle: sites.allSites, permissions: readers },
  { method: 'GET', path: '/sites/delta()', handle: sites.sitesDelta, permissions: readers },
  { method: 'GET', path: '/groups/{group}/sites', handle: sites.listGroupSites, permissions: readers },
  { method: 'GET', path: '/groups/{group}/sites/root', handle: sites.getGroupSite, permissions: readers },
  ...addresses.flatMap((address) => operations.map((operation) => routeOf(address, operation))),
  ...addresses.flatMap((address) => [
    ...driveRoutes(`${address}/drive`, siteDrive),
    ...driveRoutes(`${address}/drives/{drive}`, anyDrive),
    ...driveRoutes(`${address}/lists/{list}/drive`, listDrive),
  ]),
  ...driveRoutes('/drives/{drive}', anyDrive),
  { method: 'GET', path: '/drives/{drive}/list', handle: lists.getListOfDrive, permissions: fileReaders },
  {
    method: 'GET',
    path: '/drives/{drive}/items/{item}/listItem',
    handle: items.getListItemOfFile,
    permissions: fileReaders,
  },
  ...driveRoutes('/users/{user}/drive', userDrive),
  ...driveRoutes('/groups/{group}/drive', groupDrive),
  drivesRoute('/users/{user}/drives', (call) => [userDrive(call)]),
  drivesRoute('/groups/{group}/drives', (call) => [groupDrive(call)]),
];

/** Sites with all that is in them, and drives under every address they have; every call costs resource units. */
export const siteRoutes: readonly GraphRoute[] = all.map((route) => ({ ...route, handle: charged(route.handle) }));
