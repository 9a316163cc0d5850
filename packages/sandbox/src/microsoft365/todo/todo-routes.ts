import type { Folder } from '../mailbox/folder.ts';
import type { Mailbox } from '../mailbox/mailbox.ts';
import { itemFacts, type PlainItem, PlainItems } from '../mailbox/plain-items.ts';
import { collectionReply } from '../wire/collection.ts';
import { deltaReply } from '../wire/delta.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { type JsonObject, objectOf, textOf } from '../wire/json.ts';
import { badRequest } from '../wire/refusals.ts';
import { entityReply } from '../wire/representation.ts';
import { taskPartRoutes } from './task-parts.ts';

const writableProperties = [
  'title',
  'body',
  'importance',
  'status',
  'isReminderOn',
  'reminderDateTime',
  'dueDateTime',
  'startDateTime',
  'completedDateTime',
  'recurrence',
  'categories',
];

const tasks = new PlainItems({
  kind: 'task',
  folderClass: 'IPF.Task',
  standardFolder: 'tasks',
  folderParameter: 'list',
  itemParameter: 'task',
  options: {
    context: 'tasks',
    pageSize: 10,
    maximum: 999,
    paging: 'skip',
    expand: {
      checklistitems: (entity) => entity['checklistItems'],
      linkedresources: (entity) => entity['linkedResources'],
    },
  },
  writable: writableProperties,
  blank: () => ({
    title: '',
    importance: 'normal',
    isReminderOn: false,
    status: 'notStarted',
    categories: [],
    body: { content: '', contentType: 'text' },
    checklistItems: [],
    linkedResources: [],
  }),
  toJson: taskJson,
});

/** Steps and links leave only where they are expanded. */
function taskJson(call: GraphCall, mailbox: Mailbox, item: PlainItem): JsonObject {
  const { changeKey: _, ...facts } = itemFacts(call, mailbox, item);
  const { checklistItems, linkedResources, ...properties } = item.content.properties;
  const entity: JsonObject = { ...facts, ...properties, hasAttachments: item.content.attachments.length > 0 };
  const expanded = (call.query.get('$expand') ?? '').toLowerCase();
  return {
    ...entity,
    ...(expanded.includes('checklistitems') ? { checklistItems } : {}),
    ...(expanded.includes('linkedresources') ? { linkedResources } : {}),
  };
}

const listOptions = { context: 'lists', pageSize: 100, maximum: 999 };

const listJson = (mailbox: Mailbox, folder: Folder): JsonObject => ({
  '@odata.etag': `W/"${folder.number}.${folder.revision}"`,
  id: mailbox.folderId(folder.number),
  displayName: folder.displayName,
  isOwner: true,
  isShared: false,
  wellknownListName: folder.wellKnownName ? 'defaultList' : 'none',
});

const listsOf = (mailbox: Mailbox) =>
  [...mailbox.folders.values()].filter(({ folderClass }) => folderClass === 'IPF.Task');

function getLists(call: GraphCall): GraphReply {
  const mailbox = tasks.mailboxOf(call);
  return collectionReply(
    call,
    listsOf(mailbox).map((folder) => listJson(mailbox, folder)),
    listOptions,
  );
}

function listsDelta(call: GraphCall): GraphReply {
  const mailbox = tasks.mailboxOf(call);
  const source = {
    changes: mailbox.folderChanges,
    isOwn: (key: string) => (mailbox.folders.get(Number(key))?.folderClass ?? 'IPF.Task') === 'IPF.Task',
    read: (key: string) => {
      const folder = mailbox.folders.get(Number(key));
      return folder && listJson(mailbox, folder);
    },
    removed: (key: string) => ({ id: mailbox.folderId(Number(key)), '@removed': { reason: 'deleted' } }),
  };
  return deltaReply(call, source, listOptions);
}

function nameOf(call: GraphCall): string {
  const name = textOf(objectOf(call.body)['displayName']);
  if (!name) throw badRequest('A list needs a displayName.', 'invalidRequest');
  return name;
}

function createList(call: GraphCall): GraphReply {
  const mailbox = tasks.mailboxOf(call);
  const parent = mailbox.wellKnown('msgfolderroot').number;
  const folder = mailbox.addFolder({ displayName: nameOf(call), folderClass: 'IPF.Task', parent });
  return entityReply(call, listJson(mailbox, folder), listOptions, 201);
}

function patchList(call: GraphCall): GraphReply {
  const mailbox = tasks.mailboxOf(call);
  const folder = tasks.folderOf(call);
  folder.displayName = nameOf(call);
  mailbox.touchFolder(folder);
  return entityReply(call, listJson(mailbox, folder), listOptions);
}

function deleteList(call: GraphCall): GraphReply {
  const folder = tasks.folderOf(call);
  if (folder.wellKnownName) throw badRequest('The default list cannot be deleted.', 'invalidRequest');
  tasks.mailboxOf(call).removeFolder(folder);
  return { status: 204 };
}

const readable = { method: 'GET', permissions: ['Tasks.Read.All', 'Tasks.ReadWrite.All'], budget: 'mailbox' } as const;
const writable = { permissions: ['Tasks.ReadWrite.All'], budget: 'mailbox' } as const;
const lists = '/users/{user}/todo/lists';
const inList = `${lists}/{list}/tasks`;

export const todoRoutes: readonly GraphRoute[] = [
  { ...readable, path: lists, handle: getLists },
  { ...readable, path: `${lists}/delta()`, handle: listsDelta },
  {
    ...readable,
    path: `${lists}/{list}`,
    handle: (call) => entityReply(call, listJson(tasks.mailboxOf(call), tasks.folderOf(call)), listOptions),
  },
  { ...writable, method: 'POST', path: lists, handle: createList },
  { ...writable, method: 'PATCH', path: `${lists}/{list}`, handle: patchList },
  { ...writable, method: 'DELETE', path: `${lists}/{list}`, handle: deleteList },
  { ...readable, path: inList, handle: (call) => tasks.list(call) },
  { ...readable, path: `${inList}/delta()`, handle: (call) => tasks.delta(call) },
  { ...readable, path: `${inList}/{task}`, handle: (call) => tasks.get(call) },
  { ...writable, method: 'POST', path: inList, handle: (call) => tasks.create(call) },
  { ...writable, method: 'PATCH', path: `${inList}/{task}`, handle: (call) => tasks.patch(call) },
  { ...writable, method: 'DELETE', path: `${inList}/{task}`, handle: (call) => tasks.remove(call) },
  ...taskPartRoutes(tasks, `${inList}/{task}`, { readable, writable }),
];
