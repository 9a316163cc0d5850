import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject, objectOf } from '../json.ts';
import { AUTOMATIC_REPLIES, areRepliesOn, withoutIdleTimes } from '../mailbox/automatic-replies.ts';
import type { SettingWriter } from './setting-writers.ts';

/** What is to be written so that a setting becomes what it was, and what of it is not to be. */
export interface SettingChange {
  body: JsonObject;
  losses: readonly string[];
}

/** The names of what is not as it was. */
export function differencesOf({ changeable }: SettingWriter, before: JsonObject, now: JsonObject): string[] {
  const [stored, there] = [withoutIdleTimes(before), withoutIdleTimes(now)];
  return changeable.filter((name) => !isDeepStrictEqual(plain(stored[name]), plain(there[name])));
}

/**
 * Only what differs: a request leaves alone what it does not name. Automatic replies are always written switched off, since an old text would
 * be sent to all who write, and times that are past are refused.
 */
export function changeOf(writer: SettingWriter, before: JsonObject, now: JsonObject): SettingChange {
  const written = differencesOf(writer, before, now).flatMap((name) => {
    const value = name === AUTOMATIC_REPLIES ? switchedOff(before[name]) : (before[name] ?? null);
    return value === null && writer.clearable?.includes(name) !== true ? [] : [[name, value] as const];
  });
  const body: JsonObject = Object.fromEntries(written);
  const wereOn = AUTOMATIC_REPLIES in body && areRepliesOn(before[AUTOMATIC_REPLIES]);
  return { body, losses: wereOn ? ['automatic replies switched on: they came back off, with their texts'] : [] };
}

/** What the server did not change although it was asked to, or cannot delete. */
export function leftAsIs(writer: SettingWriter, before: JsonObject, now: JsonObject): string[] {
  return differencesOf(writer, before, now)
    .filter((name) => name !== AUTOMATIC_REPLIES)
    .map((name) => `its earlier ‘${name}’: Microsoft 365 left it as it is`);
}

function switchedOff(replies: unknown): JsonObject | null {
  if (!isObject(replies)) return null;
  const { [AUTOMATIC_REPLIES]: off } = withoutIdleTimes({ [AUTOMATIC_REPLIES]: { ...replies, status: 'disabled' } });
  return objectOf(off);
}

/** A value in one form: without annotations, and nothing, `null` and an empty object are the same. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value ?? null;
  const members = Object.entries(value)
    .filter(([name]) => !name.startsWith('@'))
    .map(([name, one]) => [name, plain(one)] as const)
    .filter(([, one]) => one !== null);
  return members.length === 0 ? null : Object.fromEntries(members);
}
