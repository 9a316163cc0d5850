import { pick, uid, unit, whole } from '../../world/random.ts';
import { categories, sentences, subjects } from '../mail/phrases.ts';
import type { PlainSeed } from '../mailbox/plain-seed.ts';
import type { JsonObject } from '../wire/json.ts';

const dayMs = 86_400_000;
const zones = ['UTC', 'W. Europe Standard Time', 'Tokyo Standard Time', 'Pacific Standard Time'] as const;

/** The event of a number: single ones, all-day ones, series without end, by number and to a date, with people invited. */
export function generateEvent({ seed, number, owner, bornMs }: PlainSeed): JsonObject {
  const isAllDay = unit(seed, number, 701) < 0.15;
  const startMs = Math.floor(bornMs / dayMs) * dayMs + (isAllDay ? 0 : whole(7, 18, seed, number, 702) * 3_600_000);
  const endMs =
    startMs + (isAllDay ? dayMs * whole(1, 3, seed, number, 703) : 1_800_000 * whole(1, 4, seed, number, 704));
  const organizer = { emailAddress: { name: owner.name, address: owner.address } };
  const attendees = unit(seed, number, 705) < 0.4 ? whole(1, 4, seed, number, 706) : 0;
  const place = pick(['', 'Raum 4.21', '会議室', 'Online'], seed, number, 707);
  const text = pick(sentences, seed, number, 708);
  return {
    subject: pick(subjects, seed, number, 709),
    bodyPreview: text,
    body: {
      contentType: 'html',
      content: `<html><body><p>${text.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</p></body></html>`,
    },
    categories: unit(seed, number, 710) < 0.2 ? [pick(categories, seed, number, 711)] : [],
    importance: 'normal',
    sensitivity: unit(seed, number, 712) < 0.1 ? 'private' : 'normal',
    isAllDay,
    isCancelled: false,
    isDraft: false,
    isOrganizer: true,
    isOnlineMeeting: false,
    onlineMeetingProvider: 'unknown',
    hasAttachments: false,
    responseRequested: true,
    allowNewTimeProposals: true,
    hideAttendees: false,
    showAs: isAllDay ? 'free' : 'busy',
    isReminderOn: !isAllDay,
    reminderMinutesBeforeStart: 15,
    iCalUId: `040000008200E00074C5B7101A82E008${uid(seed, number, 713).replaceAll('-', '').toUpperCase()}`,
    start: { dateTime: local(startMs), timeZone: 'UTC' },
    end: { dateTime: local(endMs), timeZone: 'UTC' },
    originalStartTimeZone: pick(zones, seed, number, 714),
    originalEndTimeZone: pick(zones, seed, number, 714),
    location: { displayName: place, locationType: 'default', uniqueId: place, uniqueIdType: 'private' },
    locations: place ? [{ displayName: place, locationType: 'default', uniqueId: place, uniqueIdType: 'private' }] : [],
    responseStatus: { response: 'organizer', time: '0001-01-01T00:00:00Z' },
    organizer,
    attendees: Array.from({ length: attendees }, (_, at) => ({
      type: at === 0 ? 'required' : 'optional',
      status: { response: pick(['none', 'accepted', 'declined'], seed, number, at, 715), time: '0001-01-01T00:00:00Z' },
      emailAddress: { name: `Guest ${at + 1}`, address: `guest${at + 1}@partner.example` },
    })),
    recurrence: unit(seed, number, 716) < 0.25 ? recurrence(seed, number, startMs) : null,
  };
}

/** `dateTime` of the wire: seven decimals and no zone. */
const local = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}.0000000`;

function recurrence(seed: number, number: number, startMs: number): JsonObject {
  const start = new Date(startMs);
  const startDate = start.toISOString().slice(0, 10);
  const day =
    ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'][start.getUTCDay()] ?? 'monday';
  const base = { interval: 1, month: 0, dayOfMonth: 0, firstDayOfWeek: 'sunday', index: 'first' };
  const pattern = pick(
    [
      { ...base, type: 'daily' },
      { ...base, type: 'weekly', interval: 2, daysOfWeek: [day] },
      { ...base, type: 'absoluteMonthly', dayOfMonth: start.getUTCDate() },
      { ...base, type: 'absoluteYearly', dayOfMonth: start.getUTCDate(), month: start.getUTCMonth() + 1 },
    ],
    seed,
    number,
    717,
  );
  const endDate = new Date(startMs + 200 * dayMs).toISOString().slice(0, 10);
  const common = { startDate, recurrenceTimeZone: 'UTC' };
  const range = pick(
    [
      { ...common, type: 'noEnd', endDate: '0001-01-01', numberOfOccurrences: 0 },
      { ...common, type: 'numbered', endDate: '0001-01-01', numberOfOccurrences: 10 },
      { ...common, type: 'endDate', endDate, numberOfOccurrences: 0 },
    ],
    seed,
    number,
    718,
  );
  return { pattern, range };
}
