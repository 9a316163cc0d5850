import type { PSTMessage } from 'pst-extractor';
import { describe, expect, it } from 'vitest';
import type { FolderKind } from './folder.ts';
import type { OutlookAppointment, OutlookItem } from './outlook-item.ts';
import { PstWriter } from './pst-writer.ts';
import { attachmentsOf, folderAt } from './testing/read-back.ts';
import { scratchFolder } from './testing/scratch-folder.ts';

async function readBack(kind: FolderKind, item: OutlookItem): Promise<PSTMessage> {
  await using scratch = await scratchFolder();
  await using writer = await PstWriter.create(scratch.file('a.pst'));
  await writer.add(writer.folder(['Items'], { kind }), item);
  await writer.finish();
  const [message] = folderAt(scratch.file('a.pst'), 'Items').messages;
  if (!message) {
    throw new Error('The item is not in its folder.');
  }
  return message;
}

/** Compares what the reader says under each name; the whole object would hide the difference. */
function expectValues(read: object, expected: Record<string, unknown>): void {
  const found = Object.keys(expected).map((name) => [name, Reflect.get(read, name)] as const);
  expect(Object.fromEntries(found)).toEqual(expected);
}

const meeting: OutlookAppointment = {
  kind: 'appointment',
  subject: 'Besprechung',
  startsAt: new Date('2026-03-26T08:00:00Z'),
  endsAt: new Date('2026-03-26T09:30:00Z'),
  timeZone: 'Europe/Berlin',
  location: 'Raum Ü',
  busyStatus: 'oof',
  reminderMinutesBefore: 15,
  organizer: { name: 'Ann', email: 'ann@example.com' },
  attendees: [
    { name: 'Bob', email: 'bob@example.com', role: 'required', response: 'accepted' },
    { name: 'Costa', email: 'costa@example.com', role: 'optional' },
  ],
  response: 'organizer',
  uid: '0123-abc@example.com',
};

describe('an appointment in a PST', () => {
  it('stores time, place, attendees and status', async () => {
    const message = await readBack('calendar', meeting);
    expectValues(message, {
      messageClass: 'IPM.Appointment',
      subject: 'Besprechung',
      startTime: meeting.startsAt,
      endTime: meeting.endsAt,
      duration: 90,
      location: 'Raum Ü',
      busyStatus: 3,
      meetingStatus: 1,
      responseStatus: 1,
      allAttendees: 'Bob; Costa',
      toAttendees: 'Bob',
      ccAttendees: 'Costa',
      isRecurring: false,
      subType: false,
      numberOfRecipients: 3,
    });
  });

  it('stores an all-day event as one', async () => {
    const { attendees: _attendees, ...alone } = meeting;
    const message = await readBack('calendar', { ...alone, isAllDay: true });
    expectValues(message, { subType: true, meetingStatus: 0 });
  });

  it('stores a series with its exceptions', async () => {
    const message = await readBack('calendar', {
      ...meeting,
      recurrence: {
        pattern: { type: 'weekly', interval: 2, daysOfWeek: ['tuesday', 'thursday'], firstDayOfWeek: 'monday' },
        range: { type: 'numbered', startDate: '2026-03-26', numberOfOccurrences: 6 },
      },
      exceptions: [
        { originalDate: '2026-04-07', change: 'deleted' },
        {
          originalDate: '2026-04-09',
          change: 'modified',
          startsAt: new Date('2026-04-10T12:00:00Z'),
          endsAt: new Date('2026-04-10T13:00:00Z'),
          subject: 'verlegt 日',
        },
      ],
    });
    expectValues(message, { isRecurring: true, recurrenceType: 2 });
    const [exception] = attachmentsOf(message);
    expect(exception?.attachMethod).toBe(5);
  });
});

describe('a contact in a PST', () => {
  it('stores names, addresses, numbers, days and picture', async () => {
    const photo = Buffer.from('ffd8ffe000104a46', 'hex');
    const message = await readBack('contacts', {
      kind: 'contact',
      title: 'Dr.',
      givenName: 'Łukasz',
      surname: 'Ünal',
      companyName: '株式会社',
      jobTitle: 'Leiter',
      emailAddresses: ['one', 'two', 'three', 'four'].map((name) => ({ name, email: `${name}@example.com` })),
      businessPhones: ['+49 1', '+49 2', '+49 3'],
      homeAddress: { street: 'Weg 1', city: 'Köln', postalCode: '50667', country: 'Deutschland' },
      businessAddress: { city: '東京' },
      birthday: '1980-02-29',
      bodyText: 'Notiz',
      photo,
    });
    expectValues(message, {
      messageClass: 'IPM.Contact',
      displayName: 'Dr. Łukasz Ünal',
      givenName: 'Łukasz',
      surname: 'Ünal',
      companyName: '株式会社',
      title: 'Leiter',
      fileUnder: 'Dr. Łukasz Ünal',
      email1EmailAddress: 'one@example.com',
      email2EmailAddress: 'two@example.com',
      email3EmailAddress: 'three@example.com',
      email1DisplayName: 'one (one@example.com)',
      businessTelephoneNumber: '+49 1',
      business2TelephoneNumber: '+49 2',
      homeAddressCity: 'Köln',
      homeAddress: 'Weg 1\r\n50667 Köln\r\nDeutschland',
      workAddressCity: '東京',
      birthday: new Date('1980-02-29T00:00:00Z'),
      body: 'Notiz\r\nfour <four@example.com>\r\n+49 3',
    });
    expect(attachmentsOf(message).map((attachment) => [attachment.longFilename, attachment.filesize])).toEqual([
      ['ContactPicture.jpg', photo.length],
    ]);
  });
});

describe('a task in a PST', () => {
  it('stores status, percentage complete, effort and days', async () => {
    const message = await readBack('tasks', {
      kind: 'task',
      subject: 'Aufgabe',
      status: 'inProgress',
      percentComplete: 40,
      startDate: '2026-03-01',
      dueDate: '2026-03-31',
      owner: 'Ann',
      totalWorkMinutes: 600,
      actualWorkMinutes: 240,
    });
    expectValues(message, {
      messageClass: 'IPM.Task',
      taskStatus: 1,
      percentComplete: 0.4,
      taskOwner: 'Ann',
      taskEstimatedEffort: 600,
      taskActualEffort: 240,
      isTaskComplete: false,
      isTaskRecurring: false,
      taskDueDate: new Date('2026-03-31T00:00:00Z'),
    });
  });

  it('stores its recurrence', async () => {
    const message = await readBack('tasks', {
      kind: 'task',
      subject: 'monatlich',
      recurrence: {
        pattern: { type: 'absoluteMonthly', interval: 1, dayOfMonth: 31 },
        range: { type: 'noEnd', startDate: '2026-01-31' },
      },
    });
    expectValues(message, { isTaskRecurring: true });
  });
});

describe('a note in a PST', () => {
  it('stores its text, whose first line is its subject', async () => {
    const message = await readBack('notes', { kind: 'note', bodyText: 'erste Zeile\r\nzweite', colour: 'pink' });
    expectValues(message, {
      messageClass: 'IPM.StickyNote',
      subject: 'erste Zeile',
      body: 'erste Zeile\r\nzweite',
    });
  });
});

describe('any item', () => {
  it('stores flag, reminder, importance, sensitivity and its own dates', async () => {
    const message = await readBack('mail', {
      kind: 'message',
      subject: 'x',
      importance: 'low',
      sensitivity: 'private',
      createdAt: new Date('2026-01-01T00:00:00Z'),
      modifiedAt: new Date('2026-01-02T00:00:00Z'),
      flag: { status: 'flagged', text: 'Anrufen', dueAt: new Date('2026-02-01T00:00:00Z') },
      remindAt: new Date('2026-01-31T08:00:00Z'),
    });
    expectValues(message, {
      importance: 0,
      sensitivity: 2,
      creationTime: new Date('2026-01-01T00:00:00Z'),
      modificationTime: new Date('2026-01-02T00:00:00Z'),
      taskDueDate: new Date('2026-02-01T00:00:00Z'),
      reminderSet: true,
    });
  });
});
