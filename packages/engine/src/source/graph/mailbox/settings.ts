import type { Item, ItemKind } from '../../../model/items.ts';
import type { Scan, SourceEvent } from '../../source.ts';
import { type JsonObject, objectOf, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import { repliesTo } from '../reading-failures.ts';
import { type ScannedEntity, scanIfChanged, without } from '../scan-if-changed.ts';
import { bodyOfReply, wholeList } from '../whole-list.ts';
import { path, SINGLE } from './mailbox-paths.ts';
import { withoutUndefined } from './people.ts';

const FOLDER: Item = {
  id: 'settings',
  kind: 'settings',
  parentId: null,
  name: 'Mailbox settings',
  sizeBytes: 0,
  modifiedAt: null,
  details: {},
};

/** Only the rules of the inbox are given out, and the permissions of the default calendar. */
const callsOf = (user: string) => [
  path`/users/${user}/mailboxSettings`,
  path`/users/${user}/mailFolders/inbox/messageRules`,
  path`/users/${user}/outlook/masterCategories`,
  path`/users/${user}/calendar/calendarPermissions`,
];

/** Reads what a person has set up: settings, inbox rules, categories, permissions of the calendar. All of it fits into one request. */
export async function* readSettings({ connection, request }: Reading): AsyncGenerator<SourceEvent> {
  const { object, signal } = request;
  const calls = callsOf(object.id).map((call) => ({ path: call, headers: SINGLE }));
  const [settings, ...lists] = await repliesTo(connection, calls, signal);
  const general = without(bodyOfReply(settings));
  const [rules = [], categories = [], permissions = []] = await Promise.all(
    lists.map((reply) => wholeList(connection, reply, signal)),
  );
  const scan: Scan = {
    scope: 'settings',
    kinds: ['settings', 'mailbox-settings', 'inbox-rule', 'category', 'calendar-permission'],
  };
  yield* scanIfChanged(request, scan, [
    { item: FOLDER, entity: {} },
    setting('mailbox-settings', 'General', { ...general, id: 'mailbox' }, general),
    ...rules.map((rule) => setting('inbox-rule', textOf(rule['displayName']), rule)),
    ...categories.map((category) => setting('category', textOf(category['displayName']), category)),
    ...permissions.map((permission) => setting('calendar-permission', nameOf(permission), permission)),
  ]);
}

/** An id is unique among those of its kind alone. */
function setting(kind: ItemKind, name = '', entity: JsonObject, stored = entity): ScannedEntity {
  const item: Item = {
    id: `${kind}/${textOf(entity['id']) ?? ''}`,
    kind,
    parentId: FOLDER.id,
    name,
    sizeBytes: 0,
    modifiedAt: null,
    details: withoutUndefined({ role: textOf(entity['role']) }),
  };
  return { item, entity: stored };
}

function nameOf({ emailAddress }: JsonObject): string {
  const { name, address } = objectOf(emailAddress);
  return textOf(name) ?? textOf(address) ?? '';
}
