import { calendarPermissions } from '../calendar/event-routes.ts';
import { eventsOf } from '../calendar/events.ts';
import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { isObject, type JsonObject, objectOf, textOf, valueAt } from '../wire/json.ts';
import { badRequest, itemNotFound } from '../wire/refusals.ts';
import { entityReply } from '../wire/representation.ts';
import { type OwnSettings, ownSettings, permissionsOfCalendar } from './own-settings.ts';

/** A collection of settings: what can be written of an entity, and what the server says when it is not whole. */
interface Collection {
  name: string;
  of: (settings: OwnSettings, call: GraphCall) => Map<string, JsonObject>;
  creatable: readonly string[];
  changeable: readonly string[];
  /** By this value there is one alone. */
  identity?: string;
  defaults?: JsonObject;
}

const RULE = ['displayName', 'sequence', 'isEnabled', 'conditions', 'actions', 'exceptions'];

/** https://learn.microsoft.com/graph/api/resources/messagerule */
const rules: Collection = {
  name: 'messageRules',
  of: (settings) => settings.rules,
  creatable: RULE,
  changeable: RULE,
  defaults: { isEnabled: true, hasError: false, isReadOnly: false },
};

/** https://learn.microsoft.com/graph/api/resources/outlookcategory: the name of one cannot be changed. */
const categories: Collection = {
  name: 'masterCategories',
  of: (settings) => settings.categories,
  creatable: ['displayName', 'color'],
  changeable: ['color'],
  identity: 'displayName',
};

/**
 * https://learn.microsoft.com/graph/api/resources/calendarpermission: of one that is there the role alone can be changed. Of other calendars by
 * https://learn.microsoft.com/powershell/module/microsoft.graph.calendar/get-mgusercalendarpermission
 */
const permissions: Collection = {
  name: 'calendarPermissions',
  of: (settings) => settings.calendarPermissions,
  creatable: ['emailAddress', 'isInsideOrganization', 'isRemovable', 'role', 'allowedRoles'],
  changeable: ['role'],
  identity: 'emailAddress/address',
};

/** Of the calendar of the path. @throws GraphError 404 */
const ofCalendar: Collection = {
  ...permissions,
  of: (settings, call) => {
    const { params } = call;
    const mailbox = call.tenant.mailboxes.of(params['user'] ?? '');
    const folder = eventsOf(call).folderOf(call);
    if (folder.wellKnownName === 'calendar') return settings.calendarPermissions;
    return permissionsOfCalendar(
      settings,
      mailbox.folderId(folder.number),
      mailbox.user.userPrincipalName.split('@')[1] ?? '',
    );
  },
};

const settingsOf = ({ tenant, params }: GraphCall) =>
  ownSettings(tenant.mailboxes.of(params['user'] ?? ''), tenant.newId);

const picked = (body: unknown, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(objectOf(body)).filter(([name]) => names.includes(name)));

function create(call: GraphCall, { of, creatable, identity, defaults, name }: Collection): GraphReply {
  const entities = of(settingsOf(call), call);
  const given = picked(call.body, creatable);
  const key = identity && textOf(valueAt(given, identity))?.toLowerCase();
  if (identity !== undefined && key === undefined)
    throw badRequest(`The request needs ${identity}.`, 'ErrorInvalidRequest');
  const isThere = [...entities.values()].some(
    (one) => identity !== undefined && textOf(valueAt(one, identity))?.toLowerCase() === key,
  );
  if (isThere) throw new GraphError(409, 'ErrorItemAlreadyExists', 'An object with the same name is there already.');
  const id = call.tenant.newId();
  entities.set(id, { id, ...defaults, ...given });
  return entityReply(call, { ...entities.get(id) }, { context: name }, 201);
}

function change(call: GraphCall, { of, changeable, name }: Collection): GraphReply {
  const entities = of(settingsOf(call), call);
  const known = entities.get(call.params['id'] ?? '');
  if (known === undefined) throw itemNotFound();
  if (known['isReadOnly'] === true) throw badRequest('The rule is read-only.', 'ErrorInvalidRequest');
  const changed = { ...known, ...picked(call.body, changeable) };
  entities.set(String(known['id']), changed);
  return entityReply(call, changed, { context: name });
}

function remove(call: GraphCall, { of }: Collection): GraphReply {
  if (!of(settingsOf(call), call).delete(call.params['id'] ?? '')) throw itemNotFound();
  return { status: 204 };
}

function routesOf(path: string, what: Collection, read: readonly string[], write: readonly string[]): GraphRoute[] {
  const budget = 'mailbox';
  const list = (call: GraphCall) =>
    collectionReply(call, [...what.of(settingsOf(call), call).values()], {
      context: what.name,
      pageSize: 10,
      paging: 'skip',
    });
  return [
    { method: 'GET', path, permissions: read, budget, handle: list },
    { method: 'POST', path, permissions: write, budget, handle: (call) => create(call, what) },
    { method: 'PATCH', path: `${path}/{id}`, permissions: write, budget, handle: (call) => change(call, what) },
    { method: 'DELETE', path: `${path}/{id}`, permissions: write, budget, handle: (call) => remove(call, what) },
  ];
}

/** What can be changed of the settings; https://learn.microsoft.com/graph/api/user-update-mailboxsettings */
const CHANGEABLE = [
  'automaticRepliesSetting',
  'dateFormat',
  'delegateMeetingMessageDeliveryOptions',
  'language',
  'timeFormat',
  'timeZone',
  'workingHours',
];

function mailboxSettings(call: GraphCall): GraphReply {
  const { user } = call.tenant.mailboxes.of(call.params['user'] ?? '');
  const settings = {
    timeZone: user.mailbox?.timeZone,
    dateFormat: 'dd.MM.yyyy',
    timeFormat: 'HH:mm',
    delegateMeetingMessageDeliveryOptions: 'sendToDelegateOnly',
    userPurpose: user.mailbox?.purpose,
    language: {
      locale: user.preferredLanguage ?? 'en-US',
      displayName: user.preferredLanguage ?? 'English (United States)',
    },
    automaticRepliesSetting: {
      status: 'disabled',
      externalAudience: 'all',
      internalReplyMessage: '',
      externalReplyMessage: '',
    },
    ...settingsOf(call).changed,
  };
  return entityReply(call, settings, { context: `users('${call.params['user']}')/mailboxSettings` });
}

function changeMailboxSettings(call: GraphCall): GraphReply {
  if (!isObject(call.body)) throw badRequest('The request needs a JSON object.');
  const unknown = Object.keys(call.body).find((name) => !CHANGEABLE.includes(name) && !name.startsWith('@'));
  if (unknown !== undefined) throw badRequest(`The property ${unknown} cannot be set.`, 'ErrorInvalidProperty');
  const settings = settingsOf(call);
  settings.changed = { ...settings.changed, ...picked(call.body, CHANGEABLE) };
  return mailboxSettings(call);
}

const write = ['MailboxSettings.ReadWrite'];
const read = ['MailboxSettings.Read', ...write];
const settingsPath = '/users/{user}/mailboxSettings';

export const ownSettingsRoutes: readonly GraphRoute[] = [
  { method: 'GET', path: settingsPath, permissions: read, budget: 'mailbox', handle: mailboxSettings },
  { method: 'PATCH', path: settingsPath, permissions: write, budget: 'mailbox', handle: changeMailboxSettings },
  ...routesOf('/users/{user}/mailFolders/inbox/messageRules', rules, read, write),
  ...routesOf('/users/{user}/outlook/masterCategories', categories, read, write),
  ...routesOf(
    '/users/{user}/calendars/{calendar}/calendarPermissions',
    ofCalendar,
    calendarPermissions.read,
    calendarPermissions.write,
  ),
  ...routesOf(
    '/users/{user}/calendar/calendarPermissions',
    permissions,
    calendarPermissions.read,
    calendarPermissions.write,
  ),
];
