import type { Arbitrary } from 'fast-check';
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  oneof,
  option,
  record,
  string,
  subarray,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FolderKind } from './folder.ts';
import type { OutlookItem } from './outlook-item.ts';
import { PstWriter } from './pst-writer.ts';
import type { Recurrence, RecurrencePattern, RecurrenceRange, Weekday } from './recurrence.ts';
import { folderAt } from './testing/read-back.ts';
import { scratchFolder } from './testing/scratch-folder.ts';

const WEEK: Weekday[] = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const interval = integer({ min: 1, max: 12 });
const daysOfWeek = subarray(WEEK, { minLength: 1 });
const dayOfMonth = integer({ min: 1, max: 31 });
const month = integer({ min: 1, max: 12 });
const index = constantFrom('first', 'second', 'third', 'fourth', 'last');
const day = record({ month, date: integer({ min: 1, max: 28 }) }).map(
  (of) => `2026-${`${of.month}`.padStart(2, '0')}-${`${of.date}`.padStart(2, '0')}`,
);

const pattern: Arbitrary<RecurrencePattern> = oneof(
  record({ type: constantFrom('daily' as const), interval }),
  record({ type: constantFrom('weekly' as const), interval, daysOfWeek, firstDayOfWeek: constantFrom(...WEEK) }),
  record({ type: constantFrom('absoluteMonthly' as const), interval, dayOfMonth }),
  record({ type: constantFrom('relativeMonthly' as const), interval, daysOfWeek, index }),
  record({ type: constantFrom('absoluteYearly' as const), interval, month, dayOfMonth: integer({ min: 1, max: 28 }) }),
  record({ type: constantFrom('relativeYearly' as const), interval, month, daysOfWeek, index }),
);
const range: Arbitrary<RecurrenceRange> = oneof(
  record({ type: constantFrom('noEnd' as const), startDate: day }),
  record({ type: constantFrom('endDate' as const), startDate: day, endDate: constantFrom('2027-06-30', '2040-01-01') }),
  record({
    type: constantFrom('numbered' as const),
    startDate: day,
    numberOfOccurrences: integer({ min: 1, max: 500 }),
  }),
);
const recurrence: Arbitrary<Recurrence> = record({ pattern, range });
const text = string({ unit: 'grapheme', minLength: 1, maxLength: 60 });

const appointment: Arbitrary<OutlookItem> = record({
  kind: constantFrom('appointment' as const),
  subject: text,
  startsAt: constantFrom(new Date('2026-03-26T08:00:00Z'), new Date('2026-10-25T00:30:00Z')),
  endsAt: constantFrom(new Date('2026-10-25T03:00:00Z')),
  timeZone: constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'),
  location: text,
  isAllDay: boolean(),
  recurrence,
  attendees: array(
    record({
      name: text,
      email: constantFrom('a@example.com'),
      role: constantFrom('required', 'optional', 'resource'),
    }),
    {
      maxLength: 3,
    },
  ),
});
const task: Arbitrary<OutlookItem> = record({
  kind: constantFrom('task' as const),
  subject: text,
  percentComplete: integer({ min: 0, max: 100 }),
  startDate: day,
  dueDate: day,
  recurrence,
});
const contact: Arbitrary<OutlookItem> = record({
  kind: constantFrom('contact' as const),
  subject: text,
  givenName: text,
  surname: text,
  companyName: text,
  emailAddresses: array(record({ name: text, email: constantFrom('a@example.com', 'b@example.com') }), {
    maxLength: 5,
  }),
  birthday: day,
  bodyText: text,
  photo: constantFrom(Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(9_000, 1)),
});
const note: Arbitrary<OutlookItem> = record({ kind: constantFrom('note' as const), subject: text, bodyText: text });

/** Writes items into a folder of their kind; the scratch folder throws if the file has findings. */
async function expectAllRead(kind: FolderKind, items: readonly OutlookItem[]): Promise<void> {
  await using scratch = await scratchFolder();
  await using writer = await PstWriter.create(scratch.file('a.pst'));
  const folder = writer.folder(['Items'], { kind });
  for (const item of items) {
    await writer.add(folder, item);
  }
  await writer.finish();
  expect(folderAt(scratch.file('a.pst'), 'Items').messages).toHaveLength(items.length);
}

describe('items of any content give files without findings', () => {
  it.each([
    ['calendar', appointment],
    ['tasks', task],
    ['contacts', contact],
    ['notes', note],
  ] as const)('%s', async (kind, item) => {
    await assert(
      asyncProperty(array(item, { minLength: 1, maxLength: 5 }), (items) => expectAllRead(kind, items)),
      { numRuns: 25 },
    );
  });

  it('categories, flags and reminders on any of them', async () => {
    const details = record({
      categories: array(text, { maxLength: 4 }),
      flag: option(record({ status: constantFrom('flagged', 'complete'), text }), { nil: undefined }),
      remindAt: option(constantFrom(new Date('2026-01-31T08:00:00Z')), { nil: undefined }),
      sensitivity: constantFrom('normal', 'personal', 'private', 'confidential'),
    });
    await assert(
      asyncProperty(array(details, { minLength: 1, maxLength: 5 }), (all) =>
        expectAllRead(
          'mail',
          all.map((each) => ({ ...each, kind: 'message' })),
        ),
      ),
      { numRuns: 25 },
    );
  });
});
