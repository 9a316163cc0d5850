import type { AppointmentDetails, Attendee, ResponseStatus } from '../appointment.ts';
import { addressRow, senderProperties, shownName } from './addresses.ts';
import { exceptionAttachment } from './attachment-properties.ts';
import { reminderProperties } from './flag-properties.ts';
import { globalObjectId } from './global-object-id.ts';
import { itemObject, MESSAGE_FLAG } from './item-properties.ts';
import type { MapiAttachment, MapiMessage } from './mapi-object.ts';
import { APPOINTMENT_NAMES, COMMON_NAMES, MEETING_NAMES, TEXT_NAMES } from './named-properties.ts';
import type { PropertyBag } from './property-bag.ts';
import type { ModifiedOccurrence } from './recurrence/appointment-recurrence.ts';
import { appointmentRecurrence, BUSY_STATUS, modifiedOccurrences } from './recurrence/appointment-recurrence.ts';
import { recurrenceType } from './recurrence/recurrence-pattern.ts';
import type { ZoneRules } from './recurrence/time-zone.ts';
import { timeZoneDefinition, timeZoneStruct, zoneRules } from './recurrence/time-zone.ts';
import { localTime } from './recurrence/zone-offsets.ts';

const APPOINTMENT_CLASS = 'IPM.Appointment';
const EXCEPTION_CLASS = 'IPM.OLE.CLASS.{00061055-0000-0000-C000-000000000046}';
const ICON = { single: 0x400, series: 0x401, meeting: 0x402, meetingSeries: 0x403 } as const;
const STATE = { meeting: 1, received: 2, cancelled: 4 } as const;
const RESPONSE: Readonly<Record<ResponseStatus, number>> = {
  none: 0,
  organizer: 1,
  tentative: 2,
  accepted: 3,
  declined: 4,
  notResponded: 5,
};
const ATTENDEE_TYPE = { required: 1, optional: 2, resource: 3 } as const;
const ORGANIZER_FLAGS = 3;
/** What Outlook does when the item is opened, moved or copied: [MS-OXCMSG] 2.2.1.16, as it sets it for appointments. */
const SIDE_EFFECTS = 0x171;
/** When a series without end has its last occurrence. */
const END_OF_TIME = new Date(Date.UTC(4500, 7, 31, 23, 59));

/** An appointment, a meeting or a series of either, [MS-OXOCAL] 2.2.1. */
export function appointmentObject(appointment: AppointmentDetails): MapiMessage {
  const isMeeting = (appointment.attendees?.length ?? 0) > 0;
  const icons = isMeeting ? ([ICON.meeting, ICON.meetingSeries] as const) : ([ICON.single, ICON.series] as const);
  const object = itemObject(appointment, {
    messageClass: APPOINTMENT_CLASS,
    icon: icons[appointment.recurrence ? 1 : 0],
    flags: MESSAGE_FLAG.read,
    date: appointment.modifiedAt ?? appointment.startsAt,
  });
  const { properties } = object;
  const zone = zoneRules(appointment.timeZone ?? 'UTC', appointment.startsAt.getUTCFullYear());
  timeProperties(properties, appointment);
  meetingProperties(properties, appointment, isMeeting);
  zoneProperties(properties, zone, appointment.recurrence !== undefined);
  seriesProperties(properties, appointment, zone);
  object.recipients.push(...attendeeRows(appointment));
  object.attachments.push(...modifiedOccurrences(appointment).map((one) => exceptionObject(appointment, one, zone)));
  return object;
}

function timeProperties(properties: PropertyBag, appointment: AppointmentDetails): void {
  const { startsAt, endsAt } = appointment;
  properties
    .time(APPOINTMENT_NAMES.startWhole, startsAt)
    .time(APPOINTMENT_NAMES.endWhole, endsAt)
    .time(COMMON_NAMES.commonStart, startsAt)
    .time(COMMON_NAMES.commonEnd, endsAt)
    .time(0x0060, startsAt)
    .time(0x0061, endsAt)
    .time(0x0039, appointment.createdAt ?? appointment.modifiedAt ?? startsAt)
    .time(0x0e06, appointment.createdAt ?? appointment.modifiedAt ?? startsAt)
    .integer(APPOINTMENT_NAMES.duration, Math.round((endsAt.getTime() - startsAt.getTime()) / 60_000))
    .flag(APPOINTMENT_NAMES.isAllDay, appointment.isAllDay ?? false)
    .integer(APPOINTMENT_NAMES.busyStatus, BUSY_STATUS[appointment.busyStatus ?? 'busy'])
    .integer(APPOINTMENT_NAMES.intendedBusyStatus, BUSY_STATUS[appointment.busyStatus ?? 'busy'])
    .text(APPOINTMENT_NAMES.location, appointment.location)
    .integer(APPOINTMENT_NAMES.colour, 0)
    .integer(COMMON_NAMES.sideEffects, SIDE_EFFECTS)
    .text(TEXT_NAMES.onlineMeetingUrl, appointment.onlineMeetingUrl);
  if (appointment.reminderMinutesBefore === undefined) {
    properties.flag(COMMON_NAMES.reminderSet, false);
  } else {
    reminderProperties(properties, startsAt, appointment.reminderMinutesBefore);
  }
}

function meetingProperties(properties: PropertyBag, appointment: AppointmentDetails, isMeeting: boolean): void {
  const { response = isMeeting ? 'organizer' : 'none', attendees = [] } = appointment;
  const isReceived = isMeeting && response !== 'organizer';
  const names = (...roles: Attendee['role'][]) =>
    attendees
      .filter((attendee) => roles.includes(attendee.role))
      .map(shownName)
      .join('; ');
  senderProperties(properties, appointment.organizer, undefined);
  properties
    .integer(
      APPOINTMENT_NAMES.stateFlags,
      (isMeeting ? STATE.meeting : 0) |
        (isReceived ? STATE.received : 0) |
        (appointment.isCancelled ? STATE.cancelled : 0),
    )
    .integer(APPOINTMENT_NAMES.responseStatus, RESPONSE[response])
    .integer(APPOINTMENT_NAMES.sequence, appointment.sequence ?? 0)
    .flag(APPOINTMENT_NAMES.isInvited, isMeeting)
    .text(APPOINTMENT_NAMES.allAttendees, names('required', 'optional', 'resource'))
    .text(APPOINTMENT_NAMES.toAttendees, names('required'))
    .text(APPOINTMENT_NAMES.ccAttendees, names('optional'))
    .text(0x0e04, names('required'))
    .text(0x0e03, names('optional'))
    .text(MEETING_NAMES.where, appointment.location);
  if (appointment.uid) {
    const id = globalObjectId(appointment.uid);
    properties.binary(MEETING_NAMES.globalObjectId, id).binary(MEETING_NAMES.cleanGlobalObjectId, id);
  }
}

function zoneProperties(properties: PropertyBag, zone: ZoneRules, isSeries: boolean): void {
  const definition = timeZoneDefinition(zone, false);
  properties.binary(APPOINTMENT_NAMES.definitionStart, definition).binary(APPOINTMENT_NAMES.definitionEnd, definition);
  properties.text(APPOINTMENT_NAMES.timeZoneDescription, zone.name);
  if (isSeries) {
    properties.binary(APPOINTMENT_NAMES.timeZoneStruct, timeZoneStruct(zone));
    properties.binary(APPOINTMENT_NAMES.definitionRecur, timeZoneDefinition(zone, true));
  }
}

function seriesProperties(properties: PropertyBag, appointment: AppointmentDetails, zone: ZoneRules): void {
  const { recurrence } = appointment;
  properties
    .flag(APPOINTMENT_NAMES.recurring, recurrence !== undefined)
    .flag(MEETING_NAMES.isRecurring, recurrence !== undefined)
    .integer(APPOINTMENT_NAMES.recurrenceType, recurrence ? recurrenceType(recurrence.pattern) : 0)
    .time(APPOINTMENT_NAMES.clipStart, appointment.startsAt)
    .time(APPOINTMENT_NAMES.clipEnd, recurrence ? seriesEnd(appointment) : appointment.endsAt);
  if (recurrence) {
    properties.binary(APPOINTMENT_NAMES.recurrenceBlob, appointmentRecurrence(appointment, recurrence, zone.iana));
  }
}

/** Until when Outlook looks for occurrences. A day too many does no harm. */
function seriesEnd({ recurrence }: AppointmentDetails): Date {
  if (recurrence?.range.type !== 'endDate') {
    return END_OF_TIME;
  }
  return new Date(Date.parse(`${recurrence.range.endDate.slice(0, 10)}T00:00:00Z`) + 86_400_000);
}

function attendeeRows(appointment: AppointmentDetails): PropertyBag[] {
  const { organizer, attendees = [] } = appointment;
  const rows = attendees.map((attendee) =>
    addressRow(attendee, ATTENDEE_TYPE[attendee.role])
      .integer(0x5fff, RESPONSE[attendee.response ?? 'none'])
      .time(0x5ffb, attendee.respondedAt),
  );
  return organizer && attendees.length > 0
    ? [addressRow(organizer, ATTENDEE_TYPE.required).integer(0x5ffd, ORGANIZER_FLAGS), ...rows]
    : rows;
}

/** An occurrence that differs is a whole item of its own, hidden among the series' attachments. */
function exceptionObject(series: AppointmentDetails, one: ModifiedOccurrence, zone: ZoneRules): MapiAttachment {
  const { exceptions: _exceptions, recurrence: _recurrence, ...base } = series;
  const reminder = one.reminderMinutesBefore === undefined ? series.reminderMinutesBefore : one.reminderMinutesBefore;
  const occurrence: AppointmentDetails = { ...base, ...given(one), startsAt: one.startsAt, endsAt: one.endsAt };
  occurrence.reminderMinutesBefore = reminder ?? undefined;
  const object = appointmentObject(occurrence);
  const timeOfDay = localTime(zone.iana, series.startsAt).getTime() % 86_400_000;
  const original = instantAt(zone.iana, Date.parse(`${one.originalDate.slice(0, 10)}T00:00:00Z`) + timeOfDay);
  object.properties
    .text(0x001a, EXCEPTION_CLASS)
    .flag(MEETING_NAMES.isException, true)
    .time(APPOINTMENT_NAMES.exceptionReplaceTime, original);
  return exceptionAttachment(object, localTime(zone.iana, one.startsAt), localTime(zone.iana, one.endsAt));
}

/** The instant at which the wall clock shows a time, given as if it were UTC. */
function instantAt(iana: string, wallTime: number): Date {
  const offset = (at: number) => localTime(iana, new Date(at)).getTime() - at;
  return new Date(wallTime - offset(wallTime - offset(wallTime)));
}

/** What an occurrence says otherwise than its series. */
function given(one: ModifiedOccurrence): Partial<AppointmentDetails> {
  const { subject, location, busyStatus, isAllDay, bodyText, bodyHtml } = one;
  return Object.fromEntries(
    Object.entries({ subject, location, busyStatus, isAllDay, bodyText, bodyHtml }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}
