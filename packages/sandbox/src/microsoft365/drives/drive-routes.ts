import type { GraphCall, GraphMethod, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { entityReply } from '../wire/representation.ts';
import { createUploadSession, getContent, putContent } from './content/content-handlers.ts';
import { itemDelta } from './delta-handlers.ts';
import type { Drive } from './drive.ts';
import { driveEntity } from './drive-entity.ts';
import type { DriveItem } from './items/drive-item.ts';
import type { ItemCall } from './items/item-call.ts';
import { copyItem, createChild, deleteItem, getItem, listChildren, updateItem } from './items/item-handlers.ts';
import {
  createLink,
  createPermission,
  deletePermission,
  getPermission,
  invite,
  listPermissions,
  updatePermission,
} from './permission-handlers.ts';
import { getVersion, getVersionContent, listVersions, restoreVersion } from './version-handlers.ts';

const readers = [
  'Files.Read.All',
  'Files.Read',
  'Files.ReadWrite',
  'Files.ReadWrite.All',
  'Sites.Read.All',
  'Sites.ReadWrite.All',
  'Sites.FullControl.All',
];
const writers = ['Files.ReadWrite.All', 'Files.ReadWrite', 'Sites.ReadWrite.All', 'Sites.FullControl.All'];

type ItemHandler = (at: ItemCall) => GraphReply;

/** Operations on an item, below its address. */
const operations: readonly [GraphMethod, string, ItemHandler][] = [
  ['GET', '', getItem],
  ['PATCH', '', updateItem],
  ['DELETE', '', deleteItem],
  ['GET', '/children', listChildren],
  ['POST', '/children', createChild],
  ['GET', '/content', getContent],
  ['PUT', '/content', putContent],
  ['POST', '/createUploadSession', createUploadSession],
  ['POST', '/copy', copyItem],
  ['GET', '/delta()', itemDelta],
  ['GET', "/delta(token='{token}')", itemDelta],
  ['GET', '/versions', listVersions],
  ['GET', '/versions/{version}', getVersion],
  ['GET', '/versions/{version}/content', getVersionContent],
  ['POST', '/versions/{version}/restoreVersion', restoreVersion],
  ['GET', '/permissions', listPermissions],
  ['POST', '/permissions', createPermission],
  ['POST', '/invite', invite],
  ['POST', '/createLink', createLink],
  ['GET', '/permissions/{permission}', getPermission],
  ['PATCH', '/permissions/{permission}', updatePermission],
  ['DELETE', '/permissions/{permission}', deletePermission],
];

/** The ways to name an item: the root, a path below the root, an id, a path below an id. */
const addresses: readonly { path: string; base: (drive: Drive, call: GraphCall) => DriveItem }[] = [
  { path: '/root', base: (drive) => drive.root },
  { path: '/root:/{path*}:', base: (drive) => drive.root },
  { path: '/items/{item}', base: (drive, { params }) => drive.item(params['item'] ?? '') },
  { path: '/items/{item}:/{path*}:', base: (drive, { params }) => drive.item(params['item'] ?? '') },
];

/**
 * The operations of a drive below the address it is known by.
 * @param prefix such as `/users/{user}/drive`
 * @param driveOf the drive a call is about; throws GraphError 404
 */
export function driveRoutes(prefix: string, driveOf: (call: GraphCall) => Drive): GraphRoute[] {
  const getDrive = (call: GraphCall) => {
    const drive = driveOf(call);
    return entityReply(call, driveEntity(drive), { context: 'drives/$entity' });
  };
  return [
    { method: 'GET', path: prefix, handle: getDrive, permissions: readers },
    ...addresses.flatMap(({ path, base }) =>
      operations.map(([method, operation, handler]) => ({
        method,
        // A path that nothing follows needs no closing colon.
        path: prefix + (operation === '' ? path.replace(/:$/, '') : path + operation),
        handle: (call: GraphCall) => {
          const drive = driveOf(call);
          return handler({ call, drive, base: base(drive, call), path: call.params['path'] ?? '' });
        },
        permissions: method === 'GET' ? readers : writers,
      })),
    ),
  ];
}

export const fileReaders: readonly string[] = readers;
