import type { Item } from '../../../model/items.ts';
import type { ReadRequest, Scan, SourceEvent } from '../../source.ts';
import { booleanOf, dateOf, type JsonObject, objectOf, textOf, textsOf } from '../json.ts';
import { asStored, isGone, propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import type { Container } from '../reading-failures.ts';
import type { ExchangeStream } from './exchange-stream.ts';
import { paged, path } from './mailbox-paths.ts';
import { calendarOf } from './mailbox-places.ts';
import { nonEmptyOrUndefined, peopleOf, personOf, withoutUndefined, zonedInstantOf } from './people.ts';
import { readWholeItems, type WholeItem } from './whole-items.ts';

/** Only the master of a series returns its changed and cancelled occurrences, and only when these properties are selected by name. */
const SERIES_PROPERTIES = [
  'id',
  'categories',
  'changeKey',
  'createdDateTime',
  'lastModifiedDateTime',
  'allowNewTimeProposals',
  'attendees',
  'body',
  'bodyPreview',
  'cancelledOccurrences',
  'end',
  'hasAttachments',
  'hideAttendees',
  'iCalUId',
  'importance',
  'isAllDay',
  'isCancelled',
  'isDraft',
  'isOnlineMeeting',
  'isOrganizer',
  'isReminderOn',
  'location',
  'locations',
  'onlineMeeting',
  'onlineMeetingProvider',
  'onlineMeetingUrl',
  'organizer',
  'originalEndTimeZone',
  'originalStart',
  'originalStartTimeZone',
  'recurrence',
  'reminderMinutesBeforeStart',
  'responseRequested',
  'responseStatus',
  'sensitivity',
  'seriesMasterId',
  'showAs',
  'start',
  'subject',
  'transactionId',
  'type',
  'webLink',
  'calendar',
];
const SERIES_QUERY = `$select=${SERIES_PROPERTIES.join(',')}&$expand=exceptionOccurrences`;

/**
 * Reads calendars and their events. Graph reports changed events only within a span of time (`calendarView/delta`), and a backup has no such
 * span: all events are listed with their ids and change keys, and only those that changed are read.
 */
export async function* readCalendars(reading: Reading, stream: ExchangeStream): AsyncGenerator<SourceEvent> {
  const { connection, request } = reading;
  const { object, signal } = request;
  const scan: Scan = { scope: 'calendars', kinds: ['calendar', 'event'] };
  const list = { path: path`/users/${object.id}/calendars`, headers: paged(100), signal };
  let isWhole = true;
  yield { type: 'scan-begin', scan, resumed: false };
  const calendars: JsonObject[] = [];
  for await (const { value } of connection.pages(list)) calendars.push(...value);
  const { own, others } = await byOwner(calendars, request);
  for (const calendar of own) {
    yield { type: 'item', item: calendarItem(calendar), contents: [propertiesOf(calendar)] };
    for await (const event of readCalendar(reading, textOf(calendar['id']) ?? '', stream)) {
      isWhole &&= event.type !== 'failure';
      yield event;
    }
  }
  for (const { id, name } of others)
    yield { type: 'skipped', id: textOf(id) ?? '', name: textOf(name) ?? '', cause: 'shared' };
  // Nothing is gone because a calendar could not be read.
  if (isWhole) yield { type: 'scan-end', scan };
}

/** The events of a calendar, up to where it fails; none of one that went since it was listed. */
async function* readCalendar(
  reading: Reading,
  calendarId: string,
  stream: ExchangeStream,
): AsyncGenerator<SourceEvent> {
  const { failures, request } = reading;
  const calendar = calendarOf(request.object.id, calendarId);
  try {
    yield* readEvents(reading, calendar, stream);
  } catch (error) {
    if (isGone(error) && (await failures.isContainerGone(calendar))) return;
    yield await failures.containerFailed(calendar, error);
  }
}

/**
 * Calendars that others share with the person are backed up with those others. The default one is always the person's own and contains its
 * owner's address, which may differ from the one in the directory, as after a rename. Others may keep a still older address: one that is stored
 * stays the person's own.
 */
export async function byOwner(
  calendars: readonly JsonObject[],
  { object, current }: Pick<ReadRequest, 'object' | 'current'>,
): Promise<{ own: JsonObject[]; others: JsonObject[] }> {
  const idOf = ({ id }: JsonObject) => textOf(id) ?? '';
  const ownerOf = ({ owner }: JsonObject) => textOf(objectOf(owner)['address'])?.toLowerCase();
  const stored = await current(calendars.map(idOf));
  const standard = calendars.find(({ isDefaultCalendar }) => isDefaultCalendar === true);
  const addresses = [object.address?.toLowerCase(), standard && ownerOf(standard), undefined];
  const isOwn = (calendar: JsonObject) =>
    object.address === null ||
    calendar === standard ||
    addresses.includes(ownerOf(calendar)) ||
    stored.has(idOf(calendar));
  return { own: calendars.filter(isOwn), others: calendars.filter((calendar) => !isOwn(calendar)) };
}

/** @throws what ends the reading of the calendar */
async function* readEvents(reading: Reading, calendar: Container, stream: ExchangeStream): AsyncGenerator<SourceEvent> {
  const { connection, request, failures } = reading;
  const { id: calendarId } = calendar;
  const list = `${path`/users/${request.object.id}/calendars/${calendarId}/events`}?$select=id,changeKey,subject,type`;
  for await (const { value } of connection.pages({ path: list, headers: paged(999), signal: request.signal })) {
    const stored = await request.current(value.flatMap(({ id }) => textOf(id) ?? []));
    const changed: WholeItem[] = [];
    for (const event of value) {
      const known = stored.get(textOf(event['id']) ?? '');
      if (known !== undefined && known.details.tag === textOf(event['changeKey'])) yield asStored(known, calendarId);
      else changed.push(wholeEvent(request.object.id, calendarId, event));
    }
    yield* readWholeItems(reading, changed, stream);
    const why = failures.whyGivenUp(calendar);
    if (why !== null) throw why;
  }
}

function wholeEvent(user: string, calendarId: string, event: JsonObject): WholeItem {
  const item = eventItem(event, calendarId);
  return {
    item,
    path: path`/users/${user}/events/${item.id}`,
    query: event['type'] === 'seriesMaster' ? SERIES_QUERY : '',
    toItem: (entity) => eventItem(entity, calendarId),
  };
}

function calendarItem(calendar: JsonObject): Item {
  return {
    id: textOf(calendar['id']) ?? '',
    kind: 'calendar',
    parentId: null,
    name: textOf(calendar['name']) ?? '',
    sizeBytes: 0,
    modifiedAt: null,
    details: withoutUndefined({
      role: calendar['isDefaultCalendar'] === true ? 'default' : undefined,
      from: textOf(objectOf(calendar['owner'])['address']),
    }),
  };
}

function eventItem(event: JsonObject, calendarId: string): Item {
  return {
    id: textOf(event['id']) ?? '',
    kind: 'event',
    parentId: calendarId,
    name: textOf(event['subject']) ?? '',
    sizeBytes: Buffer.byteLength(textOf(objectOf(event['body'])['content']) ?? ''),
    modifiedAt: dateOf(event['lastModifiedDateTime']),
    details: withoutUndefined({
      from: personOf(event['organizer']),
      to: nonEmptyOrUndefined(peopleOf(event['attendees'])),
      startsAt: zonedInstantOf(event['start']),
      endsAt: zonedInstantOf(event['end']),
      createdAt: dateOf(event['createdDateTime'])?.toISOString(),
      hasAttachments: booleanOf(event['hasAttachments']),
      importance: textOf(event['importance']),
      categories: nonEmptyOrUndefined(textsOf(event['categories'])),
      itemClass: 'IPM.Appointment',
      webUrl: textOf(event['webLink']),
      tag: textOf(event['changeKey']),
    }),
  };
}
