import { PlainItems } from '../mailbox/plain-items.ts';
import type { GraphCall } from '../wire/graph-call.ts';
import { booleanOf, isObject, type JsonObject, objectOf, objectsOf, textOf } from '../wire/json.ts';
import { eventJson, occurrenceJson } from './event-json.ts';
import { toUtc } from './time-zones.ts';

const writable = [
  'subject',
  'body',
  'start',
  'end',
  'location',
  'locations',
  'attendees',
  'organizer',
  'recurrence',
  'isAllDay',
  'isReminderOn',
  'reminderMinutesBeforeStart',
  'importance',
  'sensitivity',
  'showAs',
  'categories',
  'responseRequested',
  'allowNewTimeProposals',
  'hideAttendees',
  'isOnlineMeeting',
  'onlineMeetingProvider',
  'transactionId',
  'isDraft',
];

const events = new PlainItems({
  kind: 'event',
  folderClass: 'IPF.Appointment',
  standardFolder: 'calendar',
  folderParameter: 'calendar',
  itemParameter: 'event',
  options: { context: 'events', pageSize: 10, maximum: 999, paging: 'skip' },
  writable,
  blank,
  normalize,
  toJson: eventJson,
});

/** The events, with the relations that depend on who asks. */
export function eventsOf(call: GraphCall): PlainItems {
  const mailbox = () => events.mailboxOf(call);
  const expand = {
    exceptionoccurrences: (entity: JsonObject) => {
      const master = events.check(mailbox().item(String(entity['id'])));
      const days = Object.entries(master.content.exceptions ?? {}).filter(([, changes]) => changes !== null);
      return days.flatMap(([day]) => occurrenceJson(call, mailbox(), master, Number(day)) ?? []);
    },
  };
  return new PlainItems({ ...events.what, options: { ...events.what.options, expand } });
}

function blank(call: GraphCall): JsonObject {
  const { user } = call.tenant.mailboxes.of(call.params['user'] ?? '');
  return {
    subject: '',
    bodyPreview: '',
    body: { contentType: 'html', content: '' },
    categories: [],
    importance: 'normal',
    sensitivity: 'normal',
    isAllDay: false,
    isCancelled: false,
    isDraft: false,
    isOrganizer: true,
    isOnlineMeeting: false,
    onlineMeetingProvider: 'unknown',
    responseRequested: true,
    allowNewTimeProposals: true,
    hideAttendees: false,
    showAs: 'busy',
    isReminderOn: true,
    reminderMinutesBeforeStart: 15,
    location: { displayName: '', locationType: 'default', uniqueIdType: 'unknown' },
    locations: [],
    attendees: [],
    recurrence: null,
    responseStatus: { response: 'organizer', time: '0001-01-01T00:00:00Z' },
    organizer: { emailAddress: { name: user.displayName, address: user.mail } },
    iCalUId: `040000008200E00074C5B7101A82E008${call.tenant.newId().replaceAll('-', '').toUpperCase()}`,
  };
}

/** Converts times to UTC and stores their original zone; invited people have not answered yet. */
function normalize(properties: JsonObject): JsonObject {
  const { start, end, attendees, body, location } = properties;
  return {
    ...properties,
    ...(isObject(start) ? { start: toUtc(start), originalStartTimeZone: textOf(start['timeZone']) ?? 'UTC' } : {}),
    ...(isObject(end) ? { end: toUtc(end), originalEndTimeZone: textOf(end['timeZone']) ?? 'UTC' } : {}),
    ...(isObject(body) ? { bodyPreview: (textOf(body['content']) ?? '').replace(/<[^>]*>/g, '').slice(0, 255) } : {}),
    ...(isObject(location) && !properties['locations'] ? { locations: location['displayName'] ? [location] : [] } : {}),
    ...(attendees === undefined ? {} : { attendees: objectsOf(attendees).map(readAttendee) }),
    ...(booleanOf(properties['isAllDay']) ? { isReminderOn: booleanOf(properties['isReminderOn']) ?? false } : {}),
  };
}

function readAttendee(attendee: JsonObject): JsonObject {
  const status = { response: 'none', time: '0001-01-01T00:00:00Z' };
  return { type: 'required', status, ...attendee, emailAddress: objectOf(attendee['emailAddress']) };
}
