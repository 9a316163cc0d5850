import type { Folder } from '../mailbox/folder.ts';
import type { Mailbox } from '../mailbox/mailbox.ts';
import { itemFacts, PlainItems } from '../mailbox/plain-items.ts';
import { collectionReply } from '../wire/collection.ts';
import { deltaReply } from '../wire/delta.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { type JsonObject, objectOf, textOf } from '../wire/json.ts';
import { badRequest, itemNotFound } from '../wire/refusals.ts';
import { entityReply } from '../wire/representation.ts';
import { blankContact, contactProperties } from './contact-properties.ts';

const contacts = new PlainItems({
  kind: 'contact',
  folderClass: 'IPF.Contact',
  standardFolder: 'contacts',
  folderParameter: 'folder',
  itemParameter: 'contact',
  options: { context: 'contacts', pageSize: 10, maximum: 999, paging: 'skip' },
  writable: contactProperties,
  blank: () => blankContact,
  toJson: (call, mailbox, item) => ({
    ...itemFacts(call, mailbox, item),
    parentFolderId: mailbox.folderId(item.folder),
    ...item.content.properties,
  }),
});

const folderOptions = { context: 'contactFolders', pageSize: 10, maximum: 999, paging: 'skip' as const };

const folderJson = (mailbox: Mailbox, folder: Folder): JsonObject => ({
  id: mailbox.folderId(folder.number),
  parentFolderId: mailbox.folderId(folder.parent),
  displayName: folder.displayName,
});

/** Folders below the default one, which itself is reached by `contacts`. */
function listFolders(call: GraphCall): GraphReply {
  const mailbox = contacts.mailboxOf(call);
  const children = mailbox.childrenOf(contacts.folderOf(call));
  return collectionReply(
    call,
    children.map((folder) => folderJson(mailbox, folder)),
    folderOptions,
  );
}

function createFolder(call: GraphCall): GraphReply {
  const mailbox = contacts.mailboxOf(call);
  const displayName = textOf(objectOf(call.body)['displayName']);
  if (!displayName) throw badRequest('A folder needs a displayName.', 'ErrorInvalidRequest');
  const folder = mailbox.addFolder({ displayName, folderClass: 'IPF.Contact', parent: contacts.folderOf(call).number });
  return entityReply(call, folderJson(mailbox, folder), folderOptions, 201);
}

function patchFolder(call: GraphCall): GraphReply {
  const mailbox = contacts.mailboxOf(call);
  const folder = contacts.folderOf(call);
  folder.displayName = textOf(objectOf(call.body)['displayName']) ?? folder.displayName;
  mailbox.touchFolder(folder);
  return entityReply(call, folderJson(mailbox, folder), folderOptions);
}

function deleteFolder(call: GraphCall): GraphReply {
  const folder = contacts.folderOf(call);
  if (folder.wellKnownName) throw badRequest('The default folder cannot be deleted.', 'ErrorDeleteDistinguishedFolder');
  contacts.mailboxOf(call).removeFolder(folder);
  return { status: 204 };
}

function foldersDelta(call: GraphCall): GraphReply {
  const mailbox = contacts.mailboxOf(call);
  const source = {
    changes: mailbox.folderChanges,
    isOwn: (key: string) => (mailbox.folders.get(Number(key))?.folderClass ?? 'IPF.Contact') === 'IPF.Contact',
    read: (key: string) => {
      const folder = mailbox.folders.get(Number(key));
      return folder && folderJson(mailbox, folder);
    },
    removed: (key: string) => ({ id: mailbox.folderId(Number(key)), '@removed': { reason: 'deleted' } }),
  };
  return deltaReply(call, source, folderOptions);
}

const photoName = 'ContactPicture.jpg';

function getPhoto(call: GraphCall): GraphReply {
  const photo = contacts.itemOf(call).content.attachments.find(({ name }) => name === photoName);
  if (photo?.kind !== 'file') throw itemNotFound();
  return { status: 200, headers: { 'content-type': 'image/jpeg' }, body: photo.bytes() };
}

function putPhoto(call: GraphCall): GraphReply {
  const { body } = call;
  if (!Buffer.isBuffer(body)) throw badRequest('The request needs the bytes of a picture.');
  const item = contacts.itemOf(call);
  const facts = { number: 1, name: photoName, contentType: 'image/jpeg', isInline: false, contentId: null };
  const photo = {
    ...facts,
    kind: 'file' as const,
    modifiedMs: call.tenant.nowMs(),
    size: body.length,
    bytes: () => body,
  };
  contacts.mailboxOf(call).changeItem(item, { ...item.content, attachments: [photo] });
  return { status: 200 };
}

const readable = { method: 'GET', permissions: ['Contacts.Read', 'Contacts.ReadWrite'], budget: 'mailbox' } as const;
const writable = { permissions: ['Contacts.ReadWrite'], budget: 'mailbox' } as const;
const folders = '/users/{user}/contactFolders';

const contactRoutesBelow = (base: string): GraphRoute[] => [
  { ...readable, path: base, handle: (call) => contacts.list(call) },
  { ...readable, path: `${base}/delta()`, handle: (call) => contacts.delta(call) },
  { ...readable, path: `${base}/{contact}`, handle: (call) => contacts.get(call) },
  { ...readable, path: `${base}/{contact}/photo/$value`, handle: getPhoto },
  { ...writable, method: 'PUT', path: `${base}/{contact}/photo/$value`, handle: putPhoto },
  { ...writable, method: 'POST', path: base, handle: (call) => contacts.create(call) },
  { ...writable, method: 'PATCH', path: `${base}/{contact}`, handle: (call) => contacts.patch(call) },
  { ...writable, method: 'DELETE', path: `${base}/{contact}`, handle: (call) => contacts.remove(call) },
];

export const contactRoutes: readonly GraphRoute[] = [
  ...contactRoutesBelow('/users/{user}/contacts'),
  ...contactRoutesBelow(`${folders}/{folder}/contacts`),
  { ...readable, path: folders, handle: listFolders },
  { ...readable, path: `${folders}/delta()`, handle: foldersDelta },
  {
    ...readable,
    path: `${folders}/{folder}`,
    handle: (call) => entityReply(call, folderJson(contacts.mailboxOf(call), contacts.folderOf(call)), folderOptions),
  },
  { ...readable, path: `${folders}/{folder}/childFolders`, handle: listFolders },
  { ...writable, method: 'POST', path: folders, handle: createFolder },
  { ...writable, method: 'POST', path: `${folders}/{folder}/childFolders`, handle: createFolder },
  { ...writable, method: 'PATCH', path: `${folders}/{folder}`, handle: patchFolder },
  { ...writable, method: 'DELETE', path: `${folders}/{folder}`, handle: deleteFolder },
];
