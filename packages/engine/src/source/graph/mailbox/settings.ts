import type { Item, SettingKind } from '../../../model/items.ts';
import type { Scan, SourceEvent } from '../../source.ts';
import { isNotOffered } from '../graph-error.ts';
import { type JsonObject, objectOf, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import { type Reply, repliesTo } from '../reading-failures.ts';
import { type ScannedEntity, scanIfChanged, without } from '../scan-if-changed.ts';
import { bodyOfReply, wholeList } from '../whole-list.ts';
import { withoutIdleTimes } from './automatic-replies.ts';
import { byOwner } from './calendars.ts';
import { paged, path, SINGLE } from './mailbox-paths.ts';

const FOLDER: Item = {
  id: 'settings',
  kind: 'settings',
  parentId: null,
  name: 'Mailbox settings',
  sizeBytes: 0,
  modifiedAt: null,
  details: {},
};

interface Part {
  /** For a person: `the inbox rules`. */
  name: string;
  kind: SettingKind;
  path(user: string): string;
  /** Whether it is one entity and no list. */
  isSingle?: boolean;
  nameOf(entity: JsonObject): string | undefined;
}

/** Graph has no other rules than those of the inbox, and no permissions of mail folders. */
const PARTS: readonly Part[] = [
  {
    name: 'the settings',
    kind: 'mailbox-settings',
    path: (user) => path`/users/${user}/mailboxSettings`,
    isSingle: true,
    nameOf: () => 'General',
  },
  {
    name: 'the inbox rules',
    kind: 'inbox-rule',
    path: (user) => path`/users/${user}/mailFolders/inbox/messageRules`,
    nameOf: ({ displayName }) => textOf(displayName),
  },
  {
    name: 'the categories',
    kind: 'category',
    path: (user) => path`/users/${user}/outlook/masterCategories`,
    nameOf: ({ displayName }) => textOf(displayName),
  },
  {
    name: 'the permissions of the calendars',
    kind: 'calendar-permission',
    path: (user) => path`/users/${user}/calendar/calendarPermissions`,
    nameOf: ({ emailAddress, calendar }) => {
      const { name, address } = objectOf(emailAddress);
      const of = textOf(objectOf(calendar)['name']);
      return `${textOf(name) ?? textOf(address) ?? ''}${of === undefined ? '' : ` (${of})`}`;
    },
  },
];

/** Reads what a person has set up: all of it fits into one request. What is refused of it is reported, and stops none of the rest. */
export async function* readSettings(reading: Reading): AsyncGenerator<SourceEvent> {
  const { connection, request, failures } = reading;
  const calls = PARTS.map((part) => ({ path: part.path(request.object.id), headers: SINGLE }));
  const replies = await repliesTo(connection, calls, request.signal);
  const refused: { part: Part; error: unknown }[] = [];
  yield* scanIfChanged(request, { scope: 'settings', kinds: ['settings'] }, [{ item: FOLDER, entity: {} }]);
  for (const [index, part] of PARTS.entries()) {
    try {
      const entities = await entitiesOf(reading, part, replies[index]);
      const scan: Scan = { scope: scopeOf(part), kinds: [part.kind] };
      yield* scanIfChanged(
        request,
        scan,
        entities.map((entity) => setting(part, entity)),
      );
    } catch (error) {
      refused.push({ part, error });
    }
  }
  if (refused.length === PARTS.length) throw refused[0]?.error;
  for (const { part, error } of refused) {
    const wasThere = request.cursors.has(scopeOf(part));
    if (isNotOffered(error) && !wasThere) yield { type: 'alert', alert: notOffered(part, request.object.name) };
    else yield await failures.partFailed(part.name, error);
  }
}

const scopeOf = ({ kind }: Part) => `settings/${kind}`;

function notOffered({ name }: Part, mailbox: string) {
  const message = `This tenant does not give out ${name} of ${mailbox}: they are not backed up.`;
  return { code: 'part-not-offered', message };
}

async function entitiesOf(reading: Reading, { isSingle, kind }: Part, reply: Reply | undefined): Promise<JsonObject[]> {
  const { connection, request } = reading;
  if (isSingle !== true) {
    const entities = await wholeList(connection, reply, request.signal);
    return kind === 'calendar-permission' ? [...entities, ...(await ofOtherCalendars(reading))] : entities;
  }
  return [withoutIdleTimes(without(bodyOfReply(reply)))];
}

/**
 * The permissions of the person's own calendars beside the default one, with the calendar they are of.
 * https://learn.microsoft.com/powershell/module/microsoft.graph.calendar/get-mgusercalendarpermission
 */
async function ofOtherCalendars({ connection, request }: Reading): Promise<JsonObject[]> {
  const { object, signal } = request;
  const list = `${path`/users/${object.id}/calendars`}?$select=id,name,owner,isDefaultCalendar`;
  const calendars: JsonObject[] = [];
  for await (const { value } of connection.pages({ path: list, headers: paged(100), signal })) calendars.push(...value);
  const { own } = await byOwner(calendars, request);
  const others = own.filter(({ isDefaultCalendar }) => isDefaultCalendar !== true);
  const calls = others.map(({ id }) => {
    return { path: path`/users/${object.id}/calendars/${textOf(id) ?? ''}/calendarPermissions`, headers: SINGLE };
  });
  const replies = await repliesTo(connection, calls, signal);
  const found: JsonObject[] = [];
  for (const [index, { id, name }] of others.entries())
    for (const entity of await wholeList(connection, replies[index], signal))
      found.push({ ...entity, calendar: { id, name } });
  return found;
}

/** An id is unique among those of its kind and calendar alone. */
function setting({ kind, isSingle, nameOf }: Part, entity: JsonObject): ScannedEntity {
  const id = isSingle === true ? 'mailbox' : (textOf(entity['id']) ?? '');
  const of = textOf(objectOf(entity['calendar'])['id']);
  const item: Item = {
    id: `${kind}/${of === undefined ? '' : `${of}/`}${id}`,
    kind,
    parentId: FOLDER.id,
    name: nameOf(entity) ?? '',
    sizeBytes: 0,
    modifiedAt: null,
    details: {},
  };
  return { item, entity };
}
