import type { EmailAddress, ItemDetails } from './item-details.ts';
import type { BusyStatus, Recurrence, RecurrenceException } from './recurrence.ts';

export interface Attendee extends EmailAddress {
  role: 'required' | 'optional' | 'resource';
  response?: ResponseStatus;
  respondedAt?: Date;
}

export type ResponseStatus = 'none' | 'organizer' | 'tentative' | 'accepted' | 'declined' | 'notResponded';

/** An appointment, a meeting or a whole series. */
export interface AppointmentDetails extends ItemDetails {
  kind: 'appointment';
  /** Of a series: the first occurrence. For all-day events: midnight in `timeZone`. */
  startsAt: Date;
  endsAt: Date;
  isAllDay?: boolean;
  /** IANA (`Europe/Berlin`) or Windows (`W. Europe Standard Time`) name. Default UTC. */
  timeZone?: string;
  location?: string;
  busyStatus?: BusyStatus;
  /** None: no reminder. */
  reminderMinutesBefore?: number;
  organizer?: EmailAddress;
  attendees?: readonly Attendee[];
  /** What the mailbox owner answered. */
  response?: ResponseStatus;
  isCancelled?: boolean;
  /** iCalendar UID. */
  uid?: string;
  /** Revision of the meeting, iCalendar SEQUENCE. */
  sequence?: number;
  recurrence?: Recurrence;
  exceptions?: readonly RecurrenceException[];
  onlineMeetingUrl?: string;
}
