import { ianaName } from '@keepwatch/outlook-files/mapi/recurrence/time-zone';
import { localTime } from '@keepwatch/outlook-files/mapi/recurrence/zone-offsets';
import { type JsonObject, objectOf, textOf } from '../json.ts';

/** Names of UTC that Exchange gives. */
const UTC = new Set(['UTC', 'Etc/UTC', 'Etc/GMT', 'Greenwich']);

/**
 * Converts start and end of an event to its own time zone: a series in UTC would be an hour off as soon as the clocks change. All-day events
 * are given from midnight to midnight in UTC, and stay so. An event in an unknown zone stays in UTC.
 */
export function inOwnZone(properties: JsonObject): JsonObject {
  if (properties['isAllDay'] === true) return {};
  return {
    ...timeIn(properties, 'start', 'originalStartTimeZone'),
    ...timeIn(properties, 'end', 'originalEndTimeZone'),
  };
}

/** Whether the event is of a zone that it cannot be put into again. */
export function losesItsZone(properties: JsonObject): boolean {
  const zone = textOf(properties['originalStartTimeZone']) ?? 'UTC';
  if (UTC.has(zone) || zone === textOf(objectOf(properties['start'])['timeZone'])) return false;
  return properties['isAllDay'] === true || ianaOf(zone) === null;
}

function timeIn(properties: JsonObject, name: 'start' | 'end', zoneName: string): JsonObject {
  const { dateTime, timeZone } = objectOf(properties[name]);
  const zone = textOf(properties[zoneName]) ?? 'UTC';
  const iana = ianaOf(zone);
  const instant = Date.parse(`${textOf(dateTime)?.slice(0, 19)}Z`);
  if (iana === null || textOf(timeZone) !== 'UTC' || Number.isNaN(instant)) return {};
  return { [name]: { dateTime: localTime(iana, new Date(instant)).toISOString().slice(0, 19), timeZone: zone } };
}

function ianaOf(zone: string): string | null {
  if (UTC.has(zone)) return null;
  const iana = ianaName(zone);
  return iana === 'UTC' ? null : iana;
}
