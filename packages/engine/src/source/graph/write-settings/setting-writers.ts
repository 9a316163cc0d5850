import type { SettingKind } from '../../../model/items.ts';
import { type JsonObject, objectOf, textOf } from '../json.ts';
import { path } from '../mailbox/mailbox-paths.ts';

/** How settings of a kind are found and written. */
export interface SettingWriter {
  path: (user: string) => string;
  /** Whether the address is that of one entity, which is always there, and not of a list. */
  isSingle?: boolean;
  /** Whether there are such of other calendars, below the calendar that the entity names. */
  isOfCalendar?: boolean;
  /** By what one is found. */
  nameOf: (entity: JsonObject) => string;
  /** What can be given to a new one, and what can be changed of one that is there. */
  creatable: readonly string[];
  changeable: readonly string[];
  /** Of these, what `null` deletes. */
  clearable?: readonly string[];
}

const RULE = ['displayName', 'sequence', 'isEnabled', 'conditions', 'actions', 'exceptions'];
const displayNameOf = ({ displayName }: JsonObject) => (textOf(displayName) ?? '').toLowerCase();

export const SETTING_WRITERS: Readonly<Record<SettingKind, SettingWriter>> = {
  // https://learn.microsoft.com/graph/api/user-update-mailboxsettings
  'mailbox-settings': {
    path: (user) => path`/users/${user}/mailboxSettings`,
    isSingle: true,
    nameOf: () => '',
    creatable: [],
    changeable: [
      'automaticRepliesSetting',
      'dateFormat',
      'delegateMeetingMessageDeliveryOptions',
      'language',
      'timeFormat',
      'timeZone',
      'workingHours',
    ],
  },
  // https://learn.microsoft.com/graph/api/resources/messagerule
  'inbox-rule': {
    path: (user) => path`/users/${user}/mailFolders/inbox/messageRules`,
    nameOf: displayNameOf,
    creatable: RULE,
    changeable: RULE,
    clearable: ['conditions', 'exceptions'],
  },
  // https://learn.microsoft.com/graph/api/resources/outlookcategory
  category: {
    path: (user) => path`/users/${user}/outlook/masterCategories`,
    nameOf: displayNameOf,
    creatable: ['displayName', 'color'],
    changeable: ['color'],
  },
  // https://learn.microsoft.com/graph/api/resources/calendarpermission; that of the organization has no address
  'calendar-permission': {
    path: (user) => path`/users/${user}/calendar/calendarPermissions`,
    isOfCalendar: true,
    nameOf: ({ emailAddress }) => (textOf(objectOf(emailAddress)['address']) ?? '').toLowerCase(),
    creatable: ['emailAddress', 'isInsideOrganization', 'isRemovable', 'role'],
    changeable: ['role'],
  },
};
