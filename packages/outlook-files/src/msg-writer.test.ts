import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { msgBytes, writeMsg } from './msg-writer.ts';
import type { OutlookAppointment, OutlookItem, OutlookMessage } from './outlook-item.ts';
import { scratchFolder } from './testing/scratch-folder.ts';

// A CommonJS module whose default export is reached differently by Node and by the test runner; this way is the same for both.
const reader: typeof import('@kenjiuno/msgreader') = createRequire(import.meta.url)('@kenjiuno/msgreader');

function readerOf(bytes: Buffer) {
  return new reader.default(new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
}

async function bytesOf(item: OutlookItem): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of msgBytes(item)) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What an independent reader (the npm package @kenjiuno/msgreader) finds in an MSG file. */
async function read(item: OutlookItem) {
  const opened = readerOf(await bytesOf(item));
  return { reader: opened, data: opened.getFileData() };
}

const message: OutlookMessage = {
  kind: 'message',
  subject: 'RE: Grüße 日本 😀',
  from: { name: 'Änn', email: 'ann@example.com' },
  recipients: [
    { kind: 'to', name: 'Bob', email: 'bob@example.com' },
    { kind: 'cc', email: 'costa@example.com' },
    { kind: 'bcc', email: 'secret@example.com' },
  ],
  sentAt: new Date('2026-03-04T05:06:07Z'),
  bodyText: 'Text',
  bodyHtml: '<p>日本</p>',
  internetMessageId: '<1@example.com>',
  importance: 'high',
};

describe('an item as MSG file', () => {
  it('returns subject, sender, recipients, date and bodies', async () => {
    const { data } = await read(message);
    expect(data).toMatchObject({
      messageClass: 'IPM.Note',
      subject: 'RE: Grüße 日本 😀',
      normalizedSubject: 'Grüße 日本 😀',
      senderName: 'Änn',
      senderEmail: 'ann@example.com',
      body: 'Text',
      messageId: '<1@example.com>',
      clientSubmitTime: 'Wed, 04 Mar 2026 05:06:07 GMT',
    });
    expect(Buffer.from(data.html ?? []).toString()).toBe('<p>日本</p>');
    expect(data.recipients?.map(({ email, recipType }) => [email, recipType])).toEqual([
      ['bob@example.com', 'to'],
      ['costa@example.com', 'cc'],
      ['secret@example.com', 'bcc'],
    ]);
  });

  it('returns attachments of any size byte for byte', async () => {
    // around the limits of small streams, sectors and the table in the header
    const sizes = [0, 1, 64, 4_095, 4_096, 4_097, 100_000, 8_000_000];
    const contents = sizes.map((size) => randomBytes(size));
    const { reader } = await read({
      ...message,
      attachments: contents.map((bytes, index) => ({
        kind: 'file',
        name: `ä-${index}.bin`,
        sizeBytes: bytes.length,
        content: () => [bytes],
      })),
    });
    for (const [index, bytes] of contents.entries()) {
      const { fileName, content } = reader.getAttachment(index);
      expect(fileName).toBe(`ä-${index}.bin`);
      expect(bytes.equals(content)).toBe(true);
    }
  });

  it('writes items inside items', async () => {
    const inner: OutlookMessage = { kind: 'message', subject: 'inner', bodyText: 'inner body' };
    const middle: OutlookMessage = { kind: 'message', subject: 'middle', attachments: [{ kind: 'item', item: inner }] };
    const { data } = await read({ ...message, attachments: [{ kind: 'item', item: middle }] });
    const found = data.attachments?.[0]?.innerMsgContentFields;
    expect(found?.subject).toBe('middle');
    expect(found?.attachments?.[0]?.innerMsgContentFields).toMatchObject({ subject: 'inner', body: 'inner body' });
  });

  it('writes a whole file or none', async () => {
    await using scratch = await scratchFolder();
    const file = { kind: 'file', name: 'a', sizeBytes: 5_000, content: () => [new Uint8Array(4_999)] } as const;
    await expect(writeMsg(scratch.file('a.msg'), { ...message, attachments: [file] })).rejects.toThrow('only 4999');
    expect(await readdir(scratch.path)).toEqual([]);
    await writeMsg(scratch.file('a.msg'), message);
    expect(readerOf(await readFile(scratch.file('a.msg'))).getFileData().subject).toBe(message.subject);
    expect(await readdir(scratch.path)).toEqual(['a.msg']);
  });

  it('rejects an item larger than the 2 GiB of such a file before it reads a byte', async () => {
    const file = { kind: 'file', name: 'film', sizeBytes: 2 ** 31, content: () => expect.unreachable() } as const;
    await expect(bytesOf({ ...message, attachments: [file] })).rejects.toThrow('2 GiB');
  });
});

describe('a series of meetings as MSG file', () => {
  const series: OutlookAppointment = {
    kind: 'appointment',
    subject: 'Runde',
    startsAt: new Date('2026-03-26T08:00:00Z'),
    endsAt: new Date('2026-03-26T09:30:00Z'),
    timeZone: 'W. Europe Standard Time',
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
        location: 'Raum 2',
      },
    ],
  };

  it('stores the recurrence and the occurrences that differ', async () => {
    const { data } = await read(series);
    expect(data.apptRecur).toMatchObject({
      recurrencePattern: {
        recurFrequency: 0x200b,
        patternType: 1,
        period: 2,
        patternTypeWeek: { dayOfWeekBits: 0b0010100 },
        endType: 0x2022,
        occurrenceCount: 6,
        firstDOW: 1,
        deletedInstanceDates: [minutes('2026-04-07T00:00Z'), minutes('2026-04-09T00:00Z')],
        modifiedInstanceDates: [minutes('2026-04-10T00:00Z')],
        startDate: minutes('2026-03-26T00:00Z'),
        endDate: minutes('2026-05-05T00:00Z'),
      },
      startTimeOffset: 9 * 60,
      endTimeOffset: 10 * 60 + 30,
      exceptionInfo: [
        {
          startDateTime: minutes('2026-04-10T14:00Z'),
          endDateTime: minutes('2026-04-10T15:00Z'),
        },
      ],
    });
  });

  it('stores its time zone with the rules', async () => {
    const { data } = await read(series);
    expect(data.timeZoneStruct).toMatchObject({
      bias: -60,
      daylightBias: -60,
      standardDate: { month: 10, dayOfWeek: 0, day: 5, hour: 3 },
      daylightDate: { month: 3, dayOfWeek: 0, day: 5, hour: 2 },
    });
    expect(data.apptTZDefRecur).toMatchObject({ keyName: 'W. Europe Standard Time' });
  });

  it('stores an occurrence that differs as an item of its own', async () => {
    const { data } = await read(series);
    expect(data.attachments?.[0]?.innerMsgContentFields).toMatchObject({ subject: 'verlegt 日' });
  });
});

/** Minutes since 1601. */
function minutes(date: string): number {
  return Date.parse(date) / 60_000 + 194_074_560;
}
