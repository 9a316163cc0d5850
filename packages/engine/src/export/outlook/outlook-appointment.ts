import type { AppointmentDetails, Attendee, ResponseStatus } from '@keepwatch/outlook-files/appointment';
import type { Attachment, OutlookAppointment } from '@keepwatch/outlook-files/outlook-item';
import type { BusyStatus, Recurrence, RecurrenceException } from '@keepwatch/outlook-files/recurrence';
import { EngineError } from '../../model/engine-error.ts';
import type { ItemVersion } from '../../model/items.ts';
import { booleanOf, type JsonObject, numberOf, objectOf, objectsOf, textOf, textsOf } from '../../source/graph/json.ts';
import {
  addressOf,
  bodyOf,
  known,
  momentOf,
  oneOf,
  recurrenceOf,
  sharedDetails,
  zonedMomentOf,
} from './outlook-fields.ts';

/**
 * A single event or a whole series: its changed and removed occurrences are in `exceptionOccurrences` and `cancelledOccurrences` of
 * the master. https://learn.microsoft.com/graph/api/resources/event
 */
export function outlookAppointment(
  item: ItemVersion,
  properties: JsonObject,
  attachments: readonly Attachment[],
): OutlookAppointment {
  const startsAt = zonedMomentOf(properties['start']);
  if (startsAt === undefined)
    throw new EngineError('damaged', `'${item.name}' was stored without its start. Back the mailbox up again.`);
  const recurrence = recurrenceOf(properties['recurrence']);
  const exceptions = recurrence === undefined ? [] : exceptionsOf(properties);
  return {
    kind: 'appointment',
    subject: textOf(properties['subject']) ?? item.name,
    startsAt,
    endsAt: zonedMomentOf(properties['end']) ?? startsAt,
    ...bodyOf(properties['body']),
    ...sharedDetails(properties),
    ...meetingOf(properties, recurrence),
    ...known({ recurrence, exceptions: exceptions.length > 0 ? exceptions : undefined }),
    attachments,
  };
}

function meetingOf(properties: JsonObject, recurrence: Recurrence | undefined) {
  const attendees = objectsOf(properties['attendees']).flatMap((one) => attendeeOf(one) ?? []);
  return known({
    isAllDay: booleanOf(properties['isAllDay']),
    timeZone: timeZoneOf(properties, recurrence),
    location: textOf(objectOf(properties['location'])['displayName']),
    busyStatus: busyOf(properties['showAs']),
    reminderMinutesBefore:
      properties['isReminderOn'] === true ? numberOf(properties['reminderMinutesBeforeStart']) : undefined,
    organizer: addressOf(properties['organizer']),
    attendees: attendees.length > 0 ? attendees : undefined,
    response: responseOf(objectOf(properties['responseStatus'])['response']),
    isCancelled: booleanOf(properties['isCancelled']),
    uid: textOf(properties['iCalUId']),
    onlineMeetingUrl:
      textOf(objectOf(properties['onlineMeeting'])['joinUrl']) ?? textOf(properties['onlineMeetingUrl']),
  } satisfies { [K in keyof AppointmentDetails]?: unknown });
}

/** A series repeats by the clock of its zone: at nine in Berlin, summer and winter. All-day events are in UTC. */
function timeZoneOf(properties: JsonObject, recurrence: Recurrence | undefined): string | undefined {
  if (properties['isAllDay'] === true) return 'UTC';
  const ofSeries = textOf(objectOf(objectOf(properties['recurrence'])['range'])['recurrenceTimeZone']);
  const own = textOf(properties['originalStartTimeZone']);
  const zone = recurrence === undefined ? own : (ofSeries ?? own);
  return zone?.startsWith('tzone://') ? undefined : zone;
}

function attendeeOf(value: JsonObject): Attendee | undefined {
  const address = addressOf(value);
  if (address === undefined) return undefined;
  const status = objectOf(value['status']);
  return {
    ...address,
    role: oneOf(['required', 'optional', 'resource'] as const, value['type']) ?? 'required',
    ...known({ response: responseOf(status['response']), respondedAt: momentOf(status['time']) }),
  };
}

const RESPONSES: Readonly<Record<string, ResponseStatus>> = {
  none: 'none',
  organizer: 'organizer',
  tentativelyAccepted: 'tentative',
  accepted: 'accepted',
  declined: 'declined',
  notResponded: 'notResponded',
};

const responseOf = (value: unknown) => RESPONSES[textOf(value) ?? ''];

const busyOf = (value: unknown) => oneOf<BusyStatus>(['free', 'tentative', 'busy', 'oof', 'workingElsewhere'], value);

function exceptionsOf(properties: JsonObject): RecurrenceException[] {
  const removed = textsOf(properties['cancelledOccurrences']).flatMap((id): RecurrenceException[] => {
    // `OID.<id of the master>.<day>`
    const originalDate = /\.(\d{4}-\d{2}-\d{2})$/.exec(id)?.[1];
    return originalDate === undefined ? [] : [{ originalDate, change: 'deleted' }];
  });
  return [
    ...removed,
    ...objectsOf(properties['exceptionOccurrences']).flatMap((one) => changedOf(one, properties) ?? []),
  ];
}

function changedOf(changed: JsonObject, series: JsonObject): RecurrenceException | undefined {
  const originalDate = originalDateOf(changed);
  const startsAt = zonedMomentOf(changed['start']);
  if (originalDate === undefined || startsAt === undefined) return undefined;
  const place = (event: JsonObject) => textOf(objectOf(event['location'])['displayName']);
  const reminder = (event: JsonObject) =>
    event['isReminderOn'] === true ? (numberOf(event['reminderMinutesBeforeStart']) ?? null) : null;
  const differing = <T>(read: (event: JsonObject) => T) => (read(changed) === read(series) ? undefined : read(changed));
  const hasBody = differing((event) => textOf(objectOf(event['body'])['content'])) !== undefined;
  return {
    originalDate,
    change: 'modified',
    startsAt,
    endsAt: zonedMomentOf(changed['end']) ?? startsAt,
    ...known({
      subject: differing((event) => textOf(event['subject'])),
      location: differing(place),
      busyStatus: differing((event) => busyOf(event['showAs'])),
      reminderMinutesBefore: differing(reminder),
      isAllDay: differing((event) => booleanOf(event['isAllDay'])),
    }),
    ...(hasBody ? bodyOf(changed['body']) : {}),
  };
}

/** The day it had before it was moved, in the zone of the series: the id of the occurrence says it best. */
function originalDateOf(changed: JsonObject): string | undefined {
  const fromId = /\.(\d{4}-\d{2}-\d{2})$/.exec(textOf(changed['occurrenceId']) ?? '')?.[1];
  return fromId ?? /^\d{4}-\d{2}-\d{2}/.exec(textOf(changed['originalStart']) ?? '')?.[0];
}
