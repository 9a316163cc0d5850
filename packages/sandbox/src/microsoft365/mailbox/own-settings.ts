import { textHash, uid } from '../../world/random.ts';
import type { JsonObject } from '../wire/json.ts';
import type { Mailbox } from './mailbox.ts';

/** What a person has set up in the own mailbox besides its items. */
export interface OwnSettings {
  /** What a person has set: the rest of the settings follows from the directory. */
  changed: JsonObject;
  /** By id. */
  rules: Map<string, JsonObject>;
  categories: Map<string, JsonObject>;
  calendarPermissions: Map<string, JsonObject>;
  /** Of calendars beside the default one, by their ids. */
  otherCalendars: Map<string, Map<string, JsonObject>>;
}

/** An automatic answer of a mailbox. */
export interface AutomaticReply {
  from: string;
  to: string;
  text: string;
}

const known = new WeakMap<Mailbox, OwnSettings>();

/** The settings of a mailbox, as its person would have them at first. */
export function ownSettings(mailbox: Mailbox): OwnSettings {
  const settings = known.get(mailbox) ?? firstSettings(mailbox);
  known.set(mailbox, settings);
  return settings;
}

/** The permissions of a calendar beside the default one: its organization sees nothing of it, and one person all. */
export function permissionsOfCalendar(
  settings: OwnSettings,
  calendar: string,
  domain: string,
): Map<string, JsonObject> {
  const known = settings.otherCalendars.get(calendar) ?? new Map<string, JsonObject>();
  if (!settings.otherCalendars.has(calendar)) {
    const organization = { name: 'My Organization' };
    const person = { name: 'Linus', address: `linus@${domain}` };
    known.set('RGVmYXVsdA==', permission('RGVmYXVsdA==', organization, false, 'none'));
    known.set('TGludXM=', permission('TGludXM=', person, true, 'write'));
  }
  settings.otherCalendars.set(calendar, known);
  return known;
}

function permission(id: string, emailAddress: JsonObject, isRemovable: boolean, role: string): JsonObject {
  return { id, emailAddress, isRemovable, isInsideOrganization: true, role, allowedRoles: ['none', ...ROLES] };
}

/** What a person has set of a mailbox: empty, as long as nothing of its settings was asked for. */
export function settingsChangedIn(mailbox: Mailbox): JsonObject {
  return known.get(mailbox)?.changed ?? {};
}

const PRESETS = [
  ['Customers', 'preset4'],
  ['Private', 'preset0'],
  ['旅行', 'preset7'],
] as const;

const ROLES = ['freeBusyRead', 'limitedRead', 'read', 'write'];

/** With ids of the mailbox's own: they are the same whichever mailbox is asked for first. */
function firstSettings(mailbox: Mailbox): OwnSettings {
  let ids = 0;
  const byId = (entities: readonly JsonObject[]) =>
    new Map(
      entities.map((entity) => {
        const id = uid(textHash(mailbox.user.id), ++ids, 813);
        return [id, { id, ...entity }] as const;
      }),
    );
  const folder = [...mailbox.folders.values()].find(
    ({ folderClass, wellKnownName }) => folderClass === 'IPF.Note' && wellKnownName === undefined,
  );
  const target = folder ?? mailbox.wellKnown('inbox');
  const rule = { sequence: 1, isEnabled: true, hasError: false, isReadOnly: false };
  return {
    changed: {},
    rules: byId([
      {
        ...rule,
        displayName: 'Invoices',
        conditions: { subjectContains: ['invoice'] },
        actions: { moveToFolder: mailbox.folderId(target.number), stopProcessingRules: true },
      },
      {
        ...rule,
        sequence: 2,
        displayName: 'From the team',
        conditions: { sentToMe: true },
        actions: { markImportance: 'high' },
      },
    ]),
    otherCalendars: new Map(),
    categories: byId(PRESETS.map(([displayName, color]) => ({ displayName, color }))),
    calendarPermissions: byId([
      {
        emailAddress: { name: 'My Organization' },
        isRemovable: false,
        isInsideOrganization: true,
        role: 'freeBusyRead',
        allowedRoles: ['none', ...ROLES],
      },
      {
        emailAddress: {
          name: 'Grace',
          address: `grace@${mailbox.user.userPrincipalName.split('@')[1]}`,
        },
        isRemovable: true,
        isInsideOrganization: true,
        role: 'read',
        allowedRoles: ROLES,
      },
    ]),
  };
}
