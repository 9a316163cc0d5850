import type { JsonObject } from '../wire/json.ts';
import { textOf } from '../wire/json.ts';

/** Names of Windows for time zones, by the name everybody else uses (CLDR). */
const windowsZones: Readonly<Record<string, string>> = {
  'AUS Eastern Standard Time': 'Australia/Sydney',
  'Central Europe Standard Time': 'Europe/Budapest',
  'Central European Standard Time': 'Europe/Warsaw',
  'Central Standard Time': 'America/Chicago',
  'China Standard Time': 'Asia/Shanghai',
  'Eastern Standard Time': 'America/New_York',
  'GMT Standard Time': 'Europe/London',
  'India Standard Time': 'Asia/Kolkata',
  'Mountain Standard Time': 'America/Denver',
  'Pacific Standard Time': 'America/Los_Angeles',
  'Romance Standard Time': 'Europe/Paris',
  'Tokyo Standard Time': 'Asia/Tokyo',
  'W. Europe Standard Time': 'Europe/Berlin',
};

/** A `dateTimeTimeZone` in UTC, as the vendor gives it by default; one of an unknown zone stays as it was sent. */
export function toUtc(value: JsonObject): JsonObject {
  const text = textOf(value['dateTime']);
  const zone = textOf(value['timeZone']) ?? 'UTC';
  if (text === undefined) return value;
  const wallMs = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text.slice(0, 19)}Z`);
  if (Number.isNaN(wallMs)) return value;
  const offset = zone === 'UTC' ? 0 : offsetMs(windowsZones[zone] ?? zone, wallMs);
  return offset === undefined ? value : { dateTime: wireTime(wallMs - offset), timeZone: 'UTC' };
}

/** `dateTime` of the wire: seven decimals and no zone. */
export const wireTime = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}.0000000`;

/** Instant of a `dateTimeTimeZone` in UTC. */
export const instantOf = (value: JsonObject): number => Date.parse(`${textOf(value['dateTime'])?.slice(0, 19)}Z`);

/** How far the wall clock of a zone is ahead of UTC at a wall time; `undefined` for an unknown zone. */
function offsetMs(zone: string, wallMs: number): number | undefined {
  try {
    // Asked twice: the first offset is that of the wrong side of a change of the clock now and then.
    const first = wallClock(zone, wallMs) - wallMs;
    return wallClock(zone, wallMs - first) - (wallMs - first);
  } catch {
    return undefined;
  }
}

function wallClock(zone: string, ms: number): number {
  const options = {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const;
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(ms);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '00';
  return Date.parse(
    `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}Z`,
  );
}
