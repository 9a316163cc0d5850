import { changeKeyOf, etagOf } from '../mail/message-json.ts';
import { removedStay } from '../mail/removed-stay.ts';
import { type Folder, readKey } from '../mailbox/folder.ts';
import type { Item } from '../mailbox/item.ts';
import { itemListing } from '../mailbox/item-listing.ts';
import { sizeOf } from '../mailbox/item-size.ts';
import type { Mailbox } from '../mailbox/mailbox.ts';
import type { Tenant } from '../tenant.ts';
import { collectionReply } from '../wire/collection.ts';
import { deltaReply } from '../wire/delta.ts';
import type { GraphCall, GraphHandler, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { isObject, type JsonObject, objectOf, textOf, textsOf } from '../wire/json.ts';
import { badRequest, resourceNotFound } from '../wire/refusals.ts';
import { entityReply } from '../wire/representation.ts';
import { exportStream, importStream } from './item-stream.ts';

/** Most items of one export, as documented. */
const mostItems = 20;

function mailboxOf(call: GraphCall): Mailbox {
  const id = call.params['mailbox'] ?? '';
  const mailbox = call.tenant.mailboxes.find(id);
  if (!mailbox) throw resourceNotFound(id);
  return mailbox;
}

const folderOf = (call: GraphCall): Folder => mailboxOf(call).folder(call.params['folder'] ?? 'msgfolderroot');

function folderJson(mailbox: Mailbox, folder: Folder): JsonObject {
  return {
    id: mailbox.folderId(folder.number),
    displayName: folder.displayName,
    parentFolderId: mailbox.folderId(folder.parent),
    type: folder.folderClass,
    childFolderCount: mailbox.childrenOf(folder).length,
    totalItemCount: folder.itemCount,
  };
}

/** Ids here are immutable always: they are what an archive remembers an item by. */
function itemJson(mailbox: Mailbox, item: Item): JsonObject {
  const { content } = item;
  const instant = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
  return {
    '@odata.etag': etagOf(item),
    id: mailbox.itemId(item, true),
    createdDateTime: instant(item.createdMs),
    lastModifiedDateTime: instant(item.modifiedMs),
    changeKey: changeKeyOf(item),
    categories: content.kind === 'message' ? content.categories : (content.properties['categories'] ?? []),
    type: content.kind === 'message' ? content.messageClass : classes[content.kind],
    size: sizeOf(content),
  };
}

const classes = { event: 'IPM.Appointment', contact: 'IPM.Contact', task: 'IPM.Task' } as const;

const folderOptions = { context: 'folders', pageSize: 10, maximum: 1000, paging: 'skip' as const };
const itemOptions = { context: 'items', pageSize: 10, maximum: 1000, paging: 'skip' as const };

function listMailboxes(call: GraphCall): GraphReply {
  const rows = call.tenant.mailboxes.allIds().map((id) => ({ id }));
  return collectionReply(call, rows, { context: 'mailboxes' });
}

function listFolders(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const rows = mailbox.childrenOf(folderOf(call)).map((folder) => folderJson(mailbox, folder));
  return collectionReply(call, rows, folderOptions);
}

function foldersDelta(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const source = {
    changes: mailbox.folderChanges,
    isOwn: (key: string) => mailbox.folders.get(Number(key))?.wellKnownName !== 'msgfolderroot',
    read: (key: string) => {
      const folder = mailbox.folders.get(Number(key));
      return folder && folderJson(mailbox, folder);
    },
    removed: (key: string) => ({ id: mailbox.folderId(Number(key)), '@removed': { reason: 'deleted' } }),
  };
  return deltaReply(call, source, folderOptions);
}

function listItems(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const listing = itemListing(mailbox, [folderOf(call)], (item) => itemJson(mailbox, item));
  return collectionReply(call, listing, itemOptions);
}

function itemsDelta(call: GraphCall): GraphReply {
  if (call.tenant.behaviours.archiveDeltaWithoutExpand && call.query.has('$expand'))
    throw badRequest('The query parameter $expand is not supported by this function.', 'ErrorInvalidUrlQuery');
  const mailbox = mailboxOf(call);
  const folder = folderOf(call);
  const source = {
    changes: folder.changes,
    untouched: mailbox.untouchedOf(folder),
    read: (key: string) => {
      const { number, moves } = readKey(key);
      const item = mailbox.itemOfStay(folder, number, moves);
      return item && itemJson(mailbox, item);
    },
    removed: (key: string) => removedStay(mailbox, folder, key, true),
  };
  return deltaReply(call, source, itemOptions);
}

function getItem(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  return entityReply(call, itemJson(mailbox, mailbox.item(call.params['item'] ?? '')), itemOptions);
}

/** Exports each item separately: one that cannot be exported has an error in its place, and the others succeed. */
function exportItems(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const body = objectOf(call.body);
  const ids = textsOf(body['itemIds'] ?? body['ItemIds']) ?? [];
  if (ids.length === 0 || ids.length > mostItems) {
    throw badRequest(`itemIds must name 1 to ${mostItems} items.`, 'ErrorInvalidRequest');
  }
  const value = ids.map((itemId) => {
    try {
      const item = mailbox.item(itemId);
      return { itemId, changeKey: changeKeyOf(item), data: exportStream(item).toString('base64') };
    } catch (error) {
      if (error instanceof GraphError) return { itemId, error: { code: error.code, message: error.message } };
      throw error;
    }
  });
  return { status: 200, body: { '@odata.context': `${call.baseUrl}/$metadata#Collection(exportItemResponse)`, value } };
}

function createImportSession(call: GraphCall): GraphReply {
  const { id, expiresMs } = call.tenant.importSessions.start(mailboxOf(call));
  const origin = new URL(call.baseUrl).origin;
  return {
    status: 200,
    body: {
      '@odata.context': `${call.baseUrl}/$metadata#microsoft.graph.mailboxItemImportSession`,
      importUrl: `${origin}/import/${call.tenant.id}/${id}?authtoken=${call.tenant.newId()}`,
      expirationDateTime: new Date(expiresMs).toISOString(),
    },
  };
}

/** `{ FolderId, Mode: create | update, Data, ItemId?, ChangeKey? }`, as the reference describes it. */
function importItem(call: GraphCall): GraphReply {
  const mailbox = call.tenant.importSessions.mailboxOf(call.params['session'] ?? '');
  const { body } = call;
  if (!isObject(body)) throw badRequest('The request needs FolderId, Mode and Data.', 'ErrorInvalidRequest');
  const folder = mailbox.folder(textOf(body['FolderId']) ?? '');
  const { content, createdMs } = importStream(Buffer.from(textOf(body['Data']) ?? '', 'base64'));
  const mode = textOf(body['Mode'])?.toLowerCase() ?? 'create';
  if (mode !== 'create' && mode !== 'update') throw badRequest('Mode must be create or update.', 'ErrorInvalidRequest');
  const isUpdate = mode === 'update';
  const item = isUpdate
    ? mailbox.changeItem(mailbox.item(textOf(body['ItemId']) ?? ''), content)
    : mailbox.createItem(folder, content, createdMs);
  return { status: isUpdate ? 200 : 201, body: { itemId: mailbox.itemId(item, true), changeKey: changeKeyOf(item) } };
}

function exchangeSettings(call: GraphCall): GraphReply {
  const { mailboxes, directory } = call.tenant;
  const ids = mailboxes.idsOf(directory.user(call.params['user'] ?? ''));
  const isComplete = call.path.startsWith('/beta/') || !call.tenant.behaviours.archiveIdInBetaAlone;
  const settings = {
    primaryMailboxId: ids.primary,
    ...(isComplete && { inPlaceArchiveMailboxId: ids.archive ?? null }),
  };
  return entityReply(call, settings, { context: 'exchangeSettings', always: [] });
}

/** Tenants can lack the whole of it, as national clouds do. */
const ifSupported =
  (handle: GraphHandler): GraphHandler =>
  (call) => {
    if (call.tenant.hasMailboxTransfer) return handle(call);
    throw badRequest("Resource not found for the segment 'mailboxes'.", 'ResourceNotFound');
  };

/** What the references name, or one permission for all of it. */
const documented =
  (...names: readonly string[]) =>
  ({ behaviours }: Tenant): readonly string[] =>
    behaviours.separateTransferPermissions ? names : ['MailboxItem.ImportExport.All', ...names];

const folderPermissions = documented('MailboxFolder.Read.All', 'MailboxFolder.ReadWrite.All');
const itemPermissions = documented('MailboxItem.Read.All');
const base = '/admin/exchange/mailboxes/{mailbox}';
const inFolder = `${base}/folders/{folder}`;

function readable(path: string, handle: GraphHandler, permissions = folderPermissions): GraphRoute {
  return { method: 'GET', path, permissions, handle: ifSupported(handle), budget: 'mailbox' };
}

function action(name: string, handle: GraphHandler, ...permissions: readonly string[]): GraphRoute {
  const path = `${base}/${name}`;
  return { method: 'POST', path, permissions, handle: ifSupported(handle), budget: 'mailbox' };
}

/** https://learn.microsoft.com/graph/api/resources/mailbox-import-export-api-overview, with a table of permissions for each call. */
export const transferRoutes: readonly GraphRoute[] = [
  readable('/admin/exchange/mailboxes', listMailboxes),
  readable(`${base}/folders`, listFolders),
  readable(`${base}/folders/delta()`, foldersDelta),
  readable(inFolder, (call) => entityReply(call, folderJson(mailboxOf(call), folderOf(call)), folderOptions)),
  readable(`${inFolder}/childFolders`, listFolders),
  readable(`${inFolder}/items`, listItems, itemPermissions),
  readable(`${inFolder}/items/delta()`, itemsDelta, itemPermissions),
  readable(`${inFolder}/items/{item}`, getItem, itemPermissions),
  readable(base, (call) => entityReply(call, { id: mailboxOf(call).id }, { context: 'mailboxes/$entity' })),
  action('exportItems', exportItems, 'MailboxItem.Export.All', 'MailboxItem.ImportExport.All'),
  action('createImportSession', createImportSession, 'MailboxItem.ImportExport.All'),
  ...['', '/beta'].map((version): GraphRoute => {
    return {
      method: 'GET',
      path: `${version}/users/{user}/settings/exchange`,
      permissions: ['User.Read.All', 'User.ReadWrite.All'],
      handle: ifSupported(exchangeSettings),
    };
  }),
];

export const importOpenRoutes: readonly GraphRoute[] = [
  { method: 'POST', path: '/import/{tenant}/{session}', handle: importItem },
];
