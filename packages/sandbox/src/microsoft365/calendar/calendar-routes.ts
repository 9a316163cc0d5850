import { ownerOf, shareCalendar } from '../behaviours/calendar-owners.ts';
import type { Folder } from '../mailbox/folder.ts';
import type { Mailbox } from '../mailbox/mailbox.ts';
import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { type JsonObject, objectOf, textOf } from '../wire/json.ts';
import { badRequest, itemNotFound } from '../wire/refusals.ts';
import { entityReply } from '../wire/representation.ts';
import { calendarPermissions } from './event-routes.ts';
import { eventsOf } from './events.ts';

const options = { context: 'calendars', pageSize: 10, maximum: 999, paging: 'skip' as const };
const groupOptions = { context: 'calendarGroups', pageSize: 10, maximum: 999, paging: 'skip' as const };

const mailboxOf = (call: GraphCall) => eventsOf(call).mailboxOf(call);

const calendarsOf = (mailbox: Mailbox) =>
  [...mailbox.folders.values()].filter(({ folderClass }) => folderClass === 'IPF.Appointment');

function calendarJson({ tenant }: GraphCall, mailbox: Mailbox, folder: Folder): JsonObject {
  const isDefault = folder.wellKnownName === 'calendar';
  return {
    id: mailbox.folderId(folder.number),
    name: folder.displayName,
    color: 'auto',
    hexColor: '',
    isDefaultCalendar: isDefault,
    changeKey: Buffer.from(`${folder.number}.${folder.revision}`).toString('base64'),
    canShare: true,
    canViewPrivateItems: true,
    canEdit: true,
    allowedOnlineMeetingProviders: ['teamsForBusiness'],
    defaultOnlineMeetingProvider: 'teamsForBusiness',
    isTallyingResponses: isDefault,
    isRemovable: !isDefault,
    owner: ownerOf(tenant, mailbox),
    ...folder.properties,
  };
}

function listCalendars(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  shareCalendar(call.tenant, mailbox, calendarsOf(mailbox));
  const rows = calendarsOf(mailbox).map((folder) => calendarJson(call, mailbox, folder));
  return collectionReply(call, rows, options);
}

function createCalendar(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const { name, color } = objectOf(call.body);
  const displayName = textOf(name);
  if (!displayName) throw badRequest('A calendar needs a name.', 'ErrorInvalidRequest');
  if (calendarsOf(mailbox).some((folder) => folder.displayName === displayName)) {
    throw badRequest('A folder with the specified name already exists.', 'ErrorFolderExists');
  }
  const folder = mailbox.addFolder({
    displayName,
    folderClass: 'IPF.Appointment',
    parent: mailbox.wellKnown('msgfolderroot').number,
    ...(textOf(color) ? { properties: { color } } : {}),
  });
  return entityReply(call, calendarJson(call, mailbox, folder), options, 201);
}

function patchCalendar(call: GraphCall): GraphReply {
  const mailbox = mailboxOf(call);
  const folder = eventsOf(call).folderOf(call);
  const { name, color } = objectOf(call.body);
  folder.displayName = textOf(name) ?? folder.displayName;
  if (textOf(color)) folder.properties = { ...folder.properties, color };
  mailbox.touchFolder(folder);
  return entityReply(call, calendarJson(call, mailbox, folder), options);
}

function deleteCalendar(call: GraphCall): GraphReply {
  const folder = eventsOf(call).folderOf(call);
  if (folder.wellKnownName)
    throw badRequest('The default calendar cannot be deleted.', 'ErrorDeleteDistinguishedFolder');
  mailboxOf(call).removeFolder(folder);
  return { status: 204 };
}

/** Every mailbox of the sandbox has the one group all calendars are born into. */
function groupJson(mailbox: Mailbox): JsonObject {
  return {
    id: mailbox.folderId(0),
    name: 'My Calendars',
    classId: '0006f0b7-0000-0000-c000-000000000046',
    changeKey: 'Nfvd2Q==',
  };
}

function calendarsOfGroup(call: GraphCall): GraphReply {
  if (call.params['group'] !== mailboxOf(call).folderId(0)) throw itemNotFound();
  return listCalendars(call);
}

const readable = { method: 'GET', permissions: calendarPermissions.read, budget: 'mailbox' } as const;
const writable = { permissions: calendarPermissions.write, budget: 'mailbox' } as const;
const getCalendar = (call: GraphCall) =>
  entityReply(call, calendarJson(call, mailboxOf(call), eventsOf(call).folderOf(call)), options);
const base = '/users/{user}/calendars';

export const calendarRoutes: readonly GraphRoute[] = [
  { ...readable, path: base, handle: listCalendars },
  { ...readable, path: '/users/{user}/calendar', handle: getCalendar },
  { ...readable, path: `${base}/{calendar}`, handle: getCalendar },
  { ...writable, method: 'POST', path: base, handle: createCalendar },
  { ...writable, method: 'PATCH', path: `${base}/{calendar}`, handle: patchCalendar },
  { ...writable, method: 'DELETE', path: `${base}/{calendar}`, handle: deleteCalendar },
  {
    ...readable,
    path: '/users/{user}/calendarGroups',
    handle: (call) => collectionReply(call, [groupJson(mailboxOf(call))], groupOptions),
  },
  { ...readable, path: '/users/{user}/calendarGroups/{group}/calendars', handle: calendarsOfGroup },
];
