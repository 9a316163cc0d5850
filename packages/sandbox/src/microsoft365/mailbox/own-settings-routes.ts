import { calendarPermissions } from '../calendar/event-routes.ts';
import { eventsOf } from '../calendar/events.ts';
import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { type JsonObject, objectOf, textOf, valueAt } from '../wire/json.ts';
import { badRequest, itemNotFound } from '../wire/refusals.ts';
import { entityReply } from '../wire/representation.ts';
import { changeMailboxSettings, mailboxSettings } from './mailbox-settings.ts';
import { type OwnSettings, ownSettings, permissionsOfCalendar } from './own-settings.ts';

/** A collection of settings: what can be written of an entity, and what the server says when it is not whole. */
interface Collection {
  name: string;
  /** What a `null` deletes; of the rest it is refused. */
  clearable?: readonly string[];
  of: (settings: OwnSettings, call: GraphCall) => Map<string, JsonObject>;
  creatable: readonly string[];
  changeable: readonly string[];
  /** By this value there is one alone. */
  identity?: string;
  defaults?: JsonObject;
  /** Without these none can be made. */
  required?: readonly string[];
}

const RULE = ['displayName', 'sequence', 'isEnabled', 'conditions', 'actions', 'exceptions'];

/** https://learn.microsoft.com/graph/api/resources/messagerule */
const rules: Collection = {
  name: 'messageRules',
  of: (settings) => settings.rules,
  creatable: RULE,
  changeable: RULE,
  clearable: ['conditions', 'exceptions'],
  required: ['displayName', 'actions'],
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

const settingsOf = ({ tenant, params }: GraphCall) => ownSettings(tenant.mailboxes.of(params['user'] ?? ''));

const picked = (body: unknown, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(objectOf(body)).filter(([name]) => names.includes(name)));

function create(call: GraphCall, { of, creatable, identity, defaults, name, required = [] }: Collection): GraphReply {
  const entities = of(settingsOf(call), call);
  const given = picked(call.body, creatable);
  const key = identity && textOf(valueAt(given, identity))?.toLowerCase();
  if (identity !== undefined && key === undefined)
    throw badRequest(`The request needs ${identity}.`, 'ErrorInvalidRequest');
  const missing = required.find((one) => given[one] === undefined || given[one] === null);
  if (missing !== undefined) throw badRequest(`The request needs ${missing}.`, 'ErrorInvalidRequest');
  const isThere = [...entities.values()].some(
    (one) => identity !== undefined && textOf(valueAt(one, identity))?.toLowerCase() === key,
  );
  if (isThere) throw new GraphError(409, 'ErrorItemAlreadyExists', 'An object with the same name is there already.');
  const id = call.tenant.newId();
  entities.set(id, withoutNulls({ id, ...defaults, ...given }));
  return entityReply(call, { ...entities.get(id) }, { context: name }, 201);
}

/** The one that a path names. A rule that is read-only no call can change or delete. */
function writable({ params }: GraphCall, entities: ReadonlyMap<string, JsonObject>): JsonObject {
  const known = entities.get(params['id'] ?? '');
  if (known === undefined) throw itemNotFound();
  if (known['isReadOnly'] === true) throw badRequest('The rule is read-only.', 'ErrorInvalidRequest');
  return known;
}

/** What is not in the request stays; conditions, actions and exceptions are exchanged as a whole. */
function change(call: GraphCall, { of, changeable, clearable = [], name }: Collection): GraphReply {
  const entities = of(settingsOf(call), call);
  const known = writable(call, entities);
  const given = picked(call.body, changeable);
  const refused = Object.keys(given).find((one) => given[one] === null && !clearable.includes(one));
  if (refused !== undefined) throw badRequest(`The property ${refused} cannot be null.`, 'ErrorInvalidRequest');
  const changed = withoutNulls({ ...known, ...given });
  entities.set(String(known['id']), changed);
  return entityReply(call, changed, { context: name });
}

const withoutNulls = (entity: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(entity).filter(([, value]) => value !== null));

function remove(call: GraphCall, { of }: Collection): GraphReply {
  const entities = of(settingsOf(call), call);
  entities.delete(String(writable(call, entities)['id']));
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
