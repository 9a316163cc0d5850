import { isObject, type JsonObject, objectOf, textOf } from '../json.ts';

/** The name of the automatic replies among the settings of a mailbox. */
export const AUTOMATIC_REPLIES = 'automaticRepliesSetting';

const statusOf = (setting: unknown) => textOf(objectOf(setting)['status'])?.toLowerCase() ?? 'disabled';

/** Whether a mailbox answers mail automatically, now or at a scheduled time. */
export function areRepliesOn(setting: unknown): boolean {
  return statusOf(setting) !== 'disabled';
}

/**
 * The settings of a mailbox without the times of automatic replies that are not scheduled: they mean nothing then, and the server may give out
 * the present hour in their place. https://learn.microsoft.com/graph/api/resources/automaticrepliessetting
 */
export function withoutIdleTimes(settings: JsonObject): JsonObject {
  const replies = settings[AUTOMATIC_REPLIES];
  if (!isObject(replies) || statusOf(replies) === 'scheduled') return settings;
  const { scheduledStartDateTime: _start, scheduledEndDateTime: _end, ...rest } = replies;
  return { ...settings, [AUTOMATIC_REPLIES]: rest };
}
