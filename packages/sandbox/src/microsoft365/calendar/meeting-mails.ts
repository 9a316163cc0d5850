import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '../wire/json.ts';

/** A mail about a meeting that left a mailbox. */
export interface MeetingMail {
  kind: 'invitation' | 'update' | 'cancellation';
  from: string;
  to: string;
  subject: string;
}

/**
 * What the attendees see of a meeting: a change of any of these is mailed to them. Reminders, categories and how the time is shown are
 * the organizer's own.
 */
const SEEN_BY_ATTENDEES = ['subject', 'body', 'start', 'end', 'location', 'locations', 'recurrence', 'isAllDay'];

const addressesOf = (event: JsonObject): string[] =>
  objectsOf(event['attendees']).flatMap(({ emailAddress }) => textOf(objectOf(emailAddress)['address']) ?? []);

/**
 * What the server mails when an event in its organizer's calendar goes from one state to another (`undefined`: is not there). A change of
 * the guests alone is mailed to those who come or go; https://learn.microsoft.com/graph/api/event-update
 */
export function meetingMails(before: JsonObject | undefined, after: JsonObject | undefined): MeetingMail[] {
  const event = after ?? before ?? {};
  if (event['isOrganizer'] === false || event['isDraft'] === true) return [];
  const from = textOf(objectOf(objectOf(event['organizer'])['emailAddress'])['address']) ?? '';
  const mail = (kind: MeetingMail['kind'], to: string): MeetingMail => {
    return { kind, from, to, subject: textOf(event['subject']) ?? '' };
  };
  const [earlier, now] = [addressesOf(before ?? {}), addressesOf(after ?? {})];
  const stayed = now.filter((address) => earlier.includes(address));
  const isSeen = SEEN_BY_ATTENDEES.some((name) => !isSame(before?.[name], after?.[name]));
  return [
    ...now.filter((address) => !stayed.includes(address)).map((to) => mail('invitation', to)),
    ...(isSeen ? stayed.map((to) => mail('update', to)) : []),
    ...earlier.filter((address) => !stayed.includes(address)).map((to) => mail('cancellation', to)),
  ];
}

const isSame = (left: unknown, right: unknown) => JSON.stringify(ordered(left)) === JSON.stringify(ordered(right));

function ordered(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.entries(value).toSorted(([left], [right]) => left.localeCompare(right));
}
