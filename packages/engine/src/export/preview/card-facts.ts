import type { Attendee } from '@keepwatch/outlook-files/appointment';
import type { PostalAddress } from '@keepwatch/outlook-files/contact';
import type { EmailAddress } from '@keepwatch/outlook-files/item-details';
import type {
  OutlookAppointment,
  OutlookContact,
  OutlookItem,
  OutlookTask,
} from '@keepwatch/outlook-files/outlook-item';
import { type Fact, factsOf, instantFacts } from './preview.ts';

/** What an event, contact or task says beside its text; a message says it all by its people and dates. */
export function cardFacts(item: OutlookItem): Fact[] {
  switch (item.kind) {
    case 'appointment':
      return eventFacts(item);
    case 'contact':
      return contactFacts(item);
    case 'task':
      return taskFacts(item);
    default:
      return [];
  }
}

function eventFacts(event: OutlookAppointment): Fact[] {
  const { startsAt, endsAt, isAllDay, timeZone, location, organizer, attendees = [], recurrence } = event;
  const times = isAllDay
    ? factsOf({
        Starts: `${dayOf(startsAt, timeZone)}, all day`,
        Ends: dayOf(new Date(endsAt.getTime() - 1), timeZone),
      })
    : instantFacts({ Starts: startsAt, Ends: endsAt });
  return [
    ...times,
    ...factsOf({
      'Time zone': timeZone,
      Repeats: recurrence === undefined ? null : 'Yes, the start is that of the first occurrence',
      Status: event.isCancelled === true ? 'Cancelled' : null,
      Location: location,
      Organizer: organizer === undefined ? null : personOf(organizer),
      Attendees: attendees.map(attendeeOf).join('; '),
      'Online meeting': event.onlineMeetingUrl,
    }),
  ];
}

/** The calendar day in the zone of the event; in UTC where the zone is not known here. */
function dayOf(at: Date, timeZone = 'UTC'): string {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);
  } catch {
    return at.toISOString().slice(0, 10);
  }
}

const RESPONSES: Readonly<Record<string, string>> = {
  tentative: 'tentative',
  accepted: 'accepted',
  declined: 'declined',
  organizer: 'organizer',
};

function attendeeOf(attendee: Attendee): string {
  const said = [
    attendee.role === 'required' ? null : attendee.role,
    attendee.response === undefined ? null : (RESPONSES[attendee.response] ?? null),
  ].filter((one) => one !== null);
  return said.length === 0 ? personOf(attendee) : `${personOf(attendee)} (${said.join(', ')})`;
}

function personOf({ name, email }: EmailAddress): string {
  if (name === undefined || name === email) return email;
  return email === '' ? name : `${name} <${email}>`;
}

function contactFacts(contact: OutlookContact): Fact[] {
  const { displayName, jobTitle, companyName, department, emailAddresses = [] } = contact;
  return factsOf({
    Name: displayName,
    'Job title': jobTitle,
    Company: companyName,
    Department: department,
    'E-mail': emailAddresses.map(personOf).join('; '),
    'Mobile phone': contact.mobilePhone,
    'Business phones': contact.businessPhones?.join('; '),
    'Home phones': contact.homePhones?.join('; '),
    'Business address': addressOf(contact.businessAddress),
    'Home address': addressOf(contact.homeAddress),
    'Other address': addressOf(contact.otherAddress),
    Birthday: contact.birthday,
    'Web page': contact.businessWebPage ?? contact.webPage,
  });
}

function addressOf(address: PostalAddress | undefined): string | null {
  if (address === undefined) return null;
  const { street, postalCode, city, region, country } = address;
  const place = [postalCode, city].filter((part) => part !== undefined && part !== '').join(' ');
  return [street, place, region, country].filter((part) => part !== undefined && part !== '').join(', ');
}

const STATUSES = {
  notStarted: 'Not started',
  inProgress: 'In progress',
  completed: 'Completed',
  waitingOnOthers: 'Waiting on others',
  deferred: 'Deferred',
} as const;

function taskFacts({
  status,
  startDate,
  dueDate,
  completedAt,
  percentComplete,
  owner,
  importance,
}: OutlookTask): Fact[] {
  return [
    ...factsOf({
      Status: status === undefined ? null : STATUSES[status],
      Start: startDate,
      Due: dueDate,
      Complete: percentComplete === undefined || percentComplete === 0 ? null : `${percentComplete} %`,
      Owner: owner,
      Importance: importance === 'normal' ? null : importance,
    }),
    ...instantFacts({ Completed: completedAt }),
  ];
}
