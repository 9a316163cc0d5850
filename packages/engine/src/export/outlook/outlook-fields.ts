import type { EmailAddress, Flag } from '@keepwatch/outlook-files/item-details';
import type {
  Recurrence,
  RecurrencePattern,
  RecurrenceRange,
  Weekday,
  WeekOfMonth,
} from '@keepwatch/outlook-files/recurrence';
import { dateOf, type JsonObject, numberOf, objectOf, textOf, textsOf } from '../../source/graph/json.ts';

/** Fields that Microsoft Graph gives several kinds of items, as Outlook's files take them. Nothing in them is trusted to have a type. */

/** The first of some spellings that is allowed. */
export function oneOf<Value extends string>(allowed: readonly Value[], value: unknown): Value | undefined {
  const text = textOf(value)?.toLowerCase();
  return allowed.find((one) => one.toLowerCase() === text);
}

/** Without what is undefined: fields of Outlook's items are there, or they are not. */
export function known<Fields extends object>(fields: Fields): { [K in keyof Fields]?: Exclude<Fields[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof Fields]?: Exclude<Fields[K], undefined>;
  };
}

/** An instant that says something: the vendor spells "never" as the year 1. */
export function momentOf(value: unknown): Date | undefined {
  const date = dateOf(value);
  return date === null || date.getUTCFullYear() < 1601 ? undefined : date;
}

/** A `dateTimeTimeZone`; the source asks for UTC. https://learn.microsoft.com/graph/api/resources/datetimetimezone */
export function zonedMomentOf(value: unknown): Date | undefined {
  const text = textOf(objectOf(value)['dateTime']);
  return text === undefined ? undefined : momentOf(/Z$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
}

/** The calendar day of a `dateTimeTimeZone`, as it is there. */
export function dayOf(value: unknown): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(textOf(objectOf(value)['dateTime']) ?? '')?.[0];
}

export function addressOf(recipient: unknown): EmailAddress | undefined {
  const { name, address } = objectOf(objectOf(recipient)['emailAddress']);
  if (textOf(name) === undefined && textOf(address) === undefined) return undefined;
  return { email: textOf(address) ?? '', ...known({ name: textOf(name) }) };
}

export function bodyOf(value: unknown): { bodyText?: string; bodyHtml?: string } {
  const { contentType, content } = objectOf(value);
  const text = textOf(content);
  if (text === undefined) return {};
  return textOf(contentType)?.toLowerCase() === 'html' ? { bodyHtml: text } : { bodyText: text };
}

/** https://learn.microsoft.com/graph/api/resources/followupflag */
export function flagOf(value: unknown): Flag | undefined {
  const flag = objectOf(value);
  const status = oneOf(['flagged', 'complete'] as const, flag['flagStatus']);
  if (status === undefined) return undefined;
  const times = {
    startsAt: zonedMomentOf(flag['startDateTime']),
    dueAt: zonedMomentOf(flag['dueDateTime']),
    completedAt: zonedMomentOf(flag['completedDateTime']),
  };
  return { status, ...known(times) };
}

/** What every kind has. */
export function sharedDetails(properties: JsonObject) {
  const categories = textsOf(properties['categories']);
  return known({
    categories: categories.length > 0 ? categories : undefined,
    importance: oneOf(['low', 'normal', 'high'] as const, properties['importance']),
    sensitivity: oneOf(['normal', 'personal', 'private', 'confidential'] as const, properties['sensitivity']),
    createdAt: momentOf(properties['createdDateTime']),
    modifiedAt: momentOf(properties['lastModifiedDateTime']),
  });
}

const WEEKDAYS: readonly Weekday[] = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const WEEKS: readonly WeekOfMonth[] = ['first', 'second', 'third', 'fourth', 'last'];

/** https://learn.microsoft.com/graph/api/resources/patternedrecurrence; `undefined` for what is no series. */
export function recurrenceOf(value: unknown): Recurrence | undefined {
  const { pattern, range } = objectOf(value);
  const read = { pattern: patternOf(objectOf(pattern)), range: rangeOf(objectOf(range)) };
  return read.pattern === undefined || read.range === undefined
    ? undefined
    : { pattern: read.pattern, range: read.range };
}

function patternOf(pattern: JsonObject): RecurrencePattern | undefined {
  const interval = numberOf(pattern['interval']) ?? 1;
  const daysOfWeek = textsOf(pattern['daysOfWeek']).flatMap((day) => oneOf(WEEKDAYS, day) ?? []);
  const index = oneOf(WEEKS, pattern['index']) ?? 'first';
  const dayOfMonth = numberOf(pattern['dayOfMonth']) ?? 1;
  const month = numberOf(pattern['month']) ?? 1;
  const firstDayOfWeek = oneOf(WEEKDAYS, pattern['firstDayOfWeek']);
  switch (oneOf(PATTERNS, pattern['type'])) {
    case 'daily':
      return { type: 'daily', interval };
    case 'weekly':
      return { type: 'weekly', interval, daysOfWeek, ...known({ firstDayOfWeek }) };
    case 'absoluteMonthly':
      return { type: 'absoluteMonthly', interval, dayOfMonth };
    case 'relativeMonthly':
      return { type: 'relativeMonthly', interval, daysOfWeek, index };
    case 'absoluteYearly':
      return { type: 'absoluteYearly', interval, month, dayOfMonth };
    case 'relativeYearly':
      return { type: 'relativeYearly', interval, month, daysOfWeek, index };
    default:
      return undefined;
  }
}

const PATTERNS = ['daily', 'weekly', 'absoluteMonthly', 'relativeMonthly', 'absoluteYearly', 'relativeYearly'] as const;

function rangeOf(range: JsonObject): RecurrenceRange | undefined {
  const startDate = textOf(range['startDate']);
  if (startDate === undefined) return undefined;
  switch (oneOf(['noEnd', 'endDate', 'numbered'] as const, range['type'])) {
    case 'noEnd':
      return { type: 'noEnd', startDate };
    case 'endDate':
      return { type: 'endDate', startDate, endDate: textOf(range['endDate']) ?? startDate };
    case 'numbered':
      return { type: 'numbered', startDate, numberOfOccurrences: numberOf(range['numberOfOccurrences']) ?? 1 };
    default:
      return undefined;
  }
}
