import type { Tenant } from '../tenant.ts';
import { type JsonObject, objectOf, textOf } from '../wire/json.ts';
import { badRequest } from '../wire/refusals.ts';
import type { Mailbox } from './mailbox.ts';
import { settingsChangedIn } from './own-settings.ts';

const HOUR_MS = 3_600_000;
const NEVER_SET = { status: 'disabled', externalAudience: 'all', internalReplyMessage: '', externalReplyMessage: '' };

/**
 * The setting as the server gives it out: while the replies are off, or on without an end, the server puts the present hour, and that of the
 * next day, where their time would be. https://learn.microsoft.com/graph/api/resources/automaticrepliessetting
 */
export function automaticReplies(set: unknown, nowMs: number): JsonObject {
  const setting = { ...NEVER_SET, ...objectOf(set) };
  if (setting.status === 'scheduled') return setting;
  const hourMs = nowMs - (nowMs % HOUR_MS);
  return {
    ...setting,
    scheduledStartDateTime: { dateTime: graphTime(hourMs), timeZone: 'UTC' },
    scheduledEndDateTime: { dateTime: graphTime(hourMs + 24 * HOUR_MS), timeZone: 'UTC' },
  };
}

const graphTime = (ms: number) => new Date(ms).toISOString().replace('Z', '0000');

/** A time that is past cannot be set; https://learn.microsoft.com/graph/api/user-update-mailboxsettings */
export function checkAutomaticReplies(set: unknown, nowMs: number): void {
  const setting = objectOf(set);
  if (setting['status'] === 'scheduled' && !(startOf(setting) < endOf(setting) && endOf(setting) > nowMs))
    throw badRequest('The scheduled time of automatic replies is not in the future.', 'ErrorInvalidTimeInterval');
}

const startOf = (setting: JsonObject) => instantOf(setting['scheduledStartDateTime']);
const endOf = (setting: JsonObject) => instantOf(setting['scheduledEndDateTime']);
const instantOf = (time: unknown) => Date.parse(`${(textOf(objectOf(time)['dateTime']) ?? '').slice(0, 23)}Z`);

/** Answers a mail that came in, where the person of the mailbox has set this up. */
export function replyAutomatically(tenant: Tenant, mailbox: Mailbox, to: string): void {
  const nowMs = tenant.nowMs();
  const setting = automaticReplies(settingsChangedIn(mailbox)['automaticRepliesSetting'], nowMs);
  const isNow = setting['status'] === 'alwaysEnabled' || (startOf(setting) <= nowMs && nowMs < endOf(setting));
  if (setting['status'] === 'disabled' || !isNow) return;
  const isInside = tenant.directory.findUser(to) !== undefined;
  if (!isInside && setting['externalAudience'] !== 'all') return;
  const text = textOf(setting[isInside ? 'internalReplyMessage' : 'externalReplyMessage']) ?? '';
  tenant.automaticReplies.push({ from: mailbox.user.userPrincipalName, to, text });
}
