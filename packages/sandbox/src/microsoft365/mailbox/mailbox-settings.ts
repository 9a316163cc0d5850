import type { GraphCall, GraphReply } from '../wire/graph-call.ts';
import { isObject } from '../wire/json.ts';
import { badRequest } from '../wire/refusals.ts';
import { entityReply } from '../wire/representation.ts';
import { automaticReplies, checkAutomaticReplies } from './automatic-replies.ts';
import { ownSettings } from './own-settings.ts';

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

const settingsOf = ({ tenant, params }: GraphCall) => ownSettings(tenant.mailboxes.of(params['user'] ?? ''));

/** Gives out the settings of a mailbox: what its person has set, and what follows from the directory. */
export function mailboxSettings(call: GraphCall): GraphReply {
  const { user } = call.tenant.mailboxes.of(call.params['user'] ?? '');
  const { changed } = settingsOf(call);
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
    ...changed,
    automaticRepliesSetting: automaticReplies(changed['automaticRepliesSetting'], call.tenant.nowMs()),
  };
  return entityReply(call, settings, { context: `users('${call.params['user']}')/mailboxSettings` });
}

/** Changes settings. None can be deleted, so that `null` is refused. */
export function changeMailboxSettings(call: GraphCall): GraphReply {
  if (!isObject(call.body)) throw badRequest('The request needs a JSON object.');
  const given = Object.entries(call.body).filter(([name]) => !name.startsWith('@'));
  for (const [name, value] of given) {
    if (!CHANGEABLE.includes(name)) throw badRequest(`The property ${name} cannot be set.`, 'ErrorInvalidProperty');
    if (value === null) throw badRequest(`The property ${name} cannot be null.`, 'ErrorInvalidProperty');
    if (name === 'automaticRepliesSetting') checkAutomaticReplies(value, call.tenant.nowMs());
  }
  const settings = settingsOf(call);
  settings.changed = { ...settings.changed, ...Object.fromEntries(given) };
  return mailboxSettings(call);
}
