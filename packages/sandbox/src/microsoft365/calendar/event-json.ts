import { preferencesOf } from '../mail/message-json.ts';
import type { Mailbox } from '../mailbox/mailbox.ts';
import { itemFacts, type PlainItem } from '../mailbox/plain-items.ts';
import type { GraphCall } from '../wire/graph-call.ts';
import { type JsonObject, objectOf } from '../wire/json.ts';
import { dateOf, dayOf, occurrenceDays } from './recurrence.ts';
import { instantOf, wireTime } from './time-zones.ts';

const dayMs = 86_400_000;

/** A single event, or the master of a series. */
export function eventJson(call: GraphCall, mailbox: Mailbox, item: PlainItem): JsonObject {
  const { properties, exceptions = {}, attachments } = item.content;
  const id = mailbox.itemId(item, preferencesOf(call).isImmutable);
  const cancelled = Object.entries(exceptions).filter(([, changes]) => changes === null);
  const isSeries = Boolean(properties['recurrence']);
  return {
    ...itemFacts(call, mailbox, item),
    webLink: `https://outlook.office365.com/owa/?itemid=${id}&exvsurl=1&path=/calendar/item`,
    ...properties,
    hasAttachments: attachments.some(({ isInline }) => !isInline || !call.tenant.behaviours.inlinePicturesUncounted),
    type: isSeries ? 'seriesMaster' : 'singleInstance',
    seriesMasterId: null,
    ...(isSeries ? { cancelledOccurrences: cancelled.map(([day]) => `OID.${id}.${dateOf(Number(day))}`) } : {}),
  };
}

/** The occurrence of a series on a day, as defined by the series or as changed; `undefined` where there is none. */
export function occurrenceJson(
  call: GraphCall,
  mailbox: Mailbox,
  master: PlainItem,
  day: number,
): JsonObject | undefined {
  const { properties, exceptions = {} } = master.content;
  const changes = exceptions[day];
  const recurrence = objectOf(properties['recurrence']);
  if (changes === null || !occurrenceDays(recurrence, day).some((one) => one === day)) return undefined;
  const { isImmutable } = preferencesOf(call);
  const start = objectOf(properties['start']);
  const startMs = day * dayMs + (instantOf(start) % dayMs);
  const endMs = startMs + instantOf(objectOf(properties['end'])) - instantOf(start);
  const { cancelledOccurrences: _, ...base } = eventJson(call, mailbox, master);
  return {
    ...base,
    start: { dateTime: wireTime(startMs), timeZone: 'UTC' },
    end: { dateTime: wireTime(endMs), timeZone: 'UTC' },
    recurrence: null,
    ...changes,
    id: mailbox.partId(master, isImmutable, 'occurrence', day),
    type: changes ? 'exception' : 'occurrence',
    seriesMasterId: mailbox.itemId(master, isImmutable),
    ...(changes ? { originalStart: `${new Date(startMs).toISOString().slice(0, 19)}Z` } : {}),
  };
}

/** The instances of an event that are within a window: the event itself, or the occurrences of the series. */
export function instancesWithin(
  call: GraphCall,
  mailbox: Mailbox,
  item: PlainItem,
  window: { fromMs: number; toMs: number },
): JsonObject[] {
  const isWithin = (entity: JsonObject) =>
    instantOf(objectOf(entity['start'])) < window.toMs && instantOf(objectOf(entity['end'])) > window.fromMs;
  if (!item.content.properties['recurrence']) return [eventJson(call, mailbox, item)].filter(isWithin);
  const lastDay = dayOf(new Date(window.toMs).toISOString());
  const days = new Set(occurrenceDays(objectOf(item.content.properties['recurrence']), lastDay));
  // An occurrence may have been moved into the window from a day after it.
  for (const day of Object.keys(item.content.exceptions ?? {})) days.add(Number(day));
  const occurrences = [...days].map((day) => occurrenceJson(call, mailbox, item, day));
  return occurrences.filter((entity) => entity !== undefined).filter(isWithin);
}
