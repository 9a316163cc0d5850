import { appliesTo } from '../behaviours/behaviours.ts';
import { FEW, remakeMailFolder } from '../behaviours/remade-folders.ts';
import { addSearchFolder } from '../behaviours/search-folders.ts';
import type { Folder } from '../mailbox/folder.ts';
import { folderNotFound, type Mailbox } from '../mailbox/mailbox.ts';
import { type CollectionOptions, collectionReply } from '../wire/collection.ts';
import { deltaReply } from '../wire/delta.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { booleanOf, isObject, type JsonObject, textOf } from '../wire/json.ts';
import { badRequest } from '../wire/refusals.ts';
import { entityReply } from '../wire/representation.ts';
import { mailboxOf, mailPermissions } from './mail-access.ts';

function folderJson(mailbox: Mailbox, folder: Folder): JsonObject {
  const children = mailbox.childrenOf(folder).filter(isMail);
  return {
    id: mailbox.folderId(folder.number),
    displayName: folder.displayName,
    parentFolderId: mailbox.folderId(folder.parent),
    childFolderCount: children.length,
    unreadItemCount: folder.unread,
    totalItemCount: folder.itemCount,
    isHidden: folder.isHidden,
    ...folder.properties,
  };
}

/** Permanently removed items are beside the folders of a mailbox, and are reached by well-known names alone. */
const isMail = ({ folderClass, wellKnownName }: Folder) =>
  folderClass === 'IPF.Note' && wellKnownName?.startsWith('recoverableitems') !== true;

function optionsOf(call: GraphCall, path: string): CollectionOptions {
  const mailbox = mailboxOf(call);
  return {
    context: `users('${call.params['user']}')/${path}`,
    always: ['id', '@odata.type'],
    pageSize: 10,
    maximum: 1000,
    paging: 'skip',
    expand: {
      childfolders: ({ id }) =>
        visibleChildren(call, mailbox.folder(String(id))).map((folder) => folderJson(mailbox, folder)),
    },
  };
}

function visibleChildren(call: GraphCall, parent: Folder): Folder[] {
  const showsHidden = call.query.get('includeHiddenFolders') === 'true';
  return mailboxOf(call)
    .childrenOf(parent)
    .filter((folder) => isMail(folder) && (showsHidden || !folder.isHidden));
}

const parentOf = (call: GraphCall) => mailboxOf(call).folder(call.params['folder'] ?? 'msgfolderroot', 'IPF.Note');

function listFolders(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const children = visibleChildren(call, parentOf(call));
  const rows = children.map((folder) => folderJson(mailbox, folder));
  return collectionReply(call, rows, optionsOf(call, 'mailFolders'));
}

function folderDelta(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  addSearchFolder(call.tenant, mailbox);
  remakeMailFolder(call, mailbox);
  const isRemade = appliesTo(call.tenant.behaviours.remadeFolders, mailbox.user.id);
  const options = { ...optionsOf(call, 'mailFolders'), ...(isRemade && { maximum: FEW }) };
  const showsHidden = () => call.query.get('includeHiddenFolders') === 'true';
  const source = {
    changes: mailbox.folderChanges,
    isOwn: (key: string) => {
      const folder = mailbox.folders.get(Number(key));
      if (!folder) return true;
      return isMail(folder) && folder.wellKnownName !== 'msgfolderroot' && (showsHidden() || !folder.isHidden);
    },
    read: (key: string) => {
      const folder = mailbox.folders.get(Number(key));
      return folder && folderJson(mailbox, folder);
    },
    removed: (key: string) => ({ id: mailbox.folderId(Number(key)), '@removed': { reason: 'deleted' } }),
  };
  return deltaReply(call, source, options);
}

function createFolder(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const parent = parentOf(call);
  const displayName = isObject(call.body) ? textOf(call.body['displayName']) : undefined;
  if (!displayName) throw badRequest('A folder needs a displayName.', 'ErrorInvalidRequest');
  checkName(mailbox, parent, displayName);
  const isHidden = isObject(call.body) ? (booleanOf(call.body['isHidden']) ?? false) : false;
  const folder = mailbox.addFolder({ displayName, isHidden, folderClass: 'IPF.Note', parent: parent.number });
  mailbox.touchFolder(parent);
  return entityReply(call, folderJson(mailbox, folder), optionsOf(call, 'mailFolders/$entity'), 201);
}

function checkName(mailbox: Mailbox, parent: Folder, displayName: string): void {
  const requested = displayName.toLowerCase();
  if (!mailbox.childrenOf(parent).some((folder) => folder.displayName.toLowerCase() === requested)) return;
  throw new GraphError(409, 'ErrorFolderExists', 'A folder with the specified name already exists.');
}

function patchFolder(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const folder = parentOf(call);
  const displayName = isObject(call.body) ? textOf(call.body['displayName']) : undefined;
  if (displayName !== undefined && displayName !== folder.displayName) {
    checkDistinguished(folder, 'ErrorRenameDistinguishedFolder');
    const parent = mailbox.folders.get(folder.parent);
    if (parent && displayName.toLowerCase() !== folder.displayName.toLowerCase())
      checkName(mailbox, parent, displayName);
    folder.displayName = displayName;
    mailbox.touchFolder(folder);
  }
  return entityReply(call, folderJson(mailbox, folder), optionsOf(call, 'mailFolders/$entity'));
}

function checkDistinguished(folder: Folder, code: string): void {
  if (folder.wellKnownName === undefined) return;
  throw badRequest(`Distinguished folder '${folder.displayName}' can be neither renamed, moved nor deleted.`, code);
}

function deleteFolder(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const folder = parentOf(call);
  checkDistinguished(folder, 'ErrorDeleteDistinguishedFolder');
  mailbox.removeFolder(folder);
  return { status: 204 };
}

function moveFolder(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const folder = parentOf(call);
  checkDistinguished(folder, 'ErrorMoveDistinguishedFolder');
  const to = mailbox.folder(isObject(call.body) ? (textOf(call.body['destinationId']) ?? '') : '', 'IPF.Note');
  for (let above: Folder | undefined = to; above; above = mailbox.folders.get(above.parent)) {
    if (above === folder) throw badRequest('A folder cannot be moved into itself.', 'ErrorMoveCopyFailed');
  }
  checkName(mailbox, to, folder.displayName);
  const from = mailbox.folders.get(folder.parent);
  folder.parent = to.number;
  for (const touched of [folder, to, from]) if (touched) mailbox.touchFolder(touched);
  return entityReply(call, folderJson(mailbox, folder), optionsOf(call, 'mailFolders/$entity'), 201);
}

function getFolder(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const folder = parentOf(call);
  if (folder.folderClass !== 'IPF.Note') throw folderNotFound();
  return entityReply(call, folderJson(mailbox, folder), optionsOf(call, 'mailFolders/$entity'));
}

const { read, write } = mailPermissions;
const base = '/users/{user}/mailFolders';
const readable = { method: 'GET', permissions: read, budget: 'mailbox' } as const;
const writable = { permissions: write, budget: 'mailbox' } as const;

export const mailFolderRoutes: readonly GraphRoute[] = [
  { ...readable, path: base, handle: listFolders },
  { ...readable, path: `${base}/delta()`, handle: folderDelta },
  { ...readable, path: `${base}/{folder}`, handle: getFolder },
  { ...readable, path: `${base}/{folder}/childFolders`, handle: listFolders },
  { ...writable, method: 'POST', path: base, handle: createFolder },
  { ...writable, method: 'POST', path: `${base}/{folder}/childFolders`, handle: createFolder },
  { ...writable, method: 'POST', path: `${base}/{folder}/move`, handle: moveFolder },
  { ...writable, method: 'PATCH', path: `${base}/{folder}`, handle: patchFolder },
  { ...writable, method: 'DELETE', path: `${base}/{folder}`, handle: deleteFolder },
];
