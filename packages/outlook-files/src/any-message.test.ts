import { createHash } from 'node:crypto';
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  date,
  nat,
  oneof,
  option,
  record,
  string,
} from 'fast-check';
import type { PSTMessage } from 'pst-extractor';
import { describe, expect, it } from 'vitest';
import type { OutlookMessage } from './outlook-item.ts';
import { PstWriter } from './pst-writer.ts';
import { attachmentsOf, contentHash, folderAt, readFolders } from './testing/read-back.ts';
import { scratchFolder } from './testing/scratch-folder.ts';

/** Letters of every script, in composed and surrogate forms. */
const name = string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
/** Any characters, control characters included. */
const anyText = string({ unit: 'binary', maxLength: 300 });
/** Texts around the size of a heap's allocation (3,580 bytes) and of a block (8,176), two bytes a character. */
const edgeText = constantFrom(1_789, 1_790, 1_791, 4_087, 4_088, 4_089, 8_177).map((length) => 'ж'.repeat(length));
const subject = oneof(
  anyText,
  name.map((rest) => `RE: ${rest}`),
  name.map((rest) => `Антв: ${rest}`),
  name.map((rest) => `\u0001${rest}`),
);
const moment = date({
  min: new Date('1601-01-02T00:00:00Z'),
  max: new Date('9999-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const file = record({
  name,
  sizeBytes: oneof(nat(20_000), constantFrom(1, 3_579, 3_580, 3_581, 8_175, 8_176, 8_177, 16_352, 16_353)),
  isInline: boolean(),
});

const message = record({
  subject,
  name,
  sentAt: moment,
  receivedAt: moment,
  bodyText: option(oneof(anyText, edgeText), { nil: undefined }),
  bodyHtml: option(name, { nil: undefined }),
  isRead: boolean(),
  importance: constantFrom('low', 'normal', 'high'),
  recipients: array(record({ kind: constantFrom('to', 'cc', 'bcc'), name }), { maxLength: 4 }),
  files: array(file, { maxLength: 3 }),
});
type AnyMessage = typeof message extends { generate(...args: never[]): { value: infer T } } ? T : never;

/** Bytes that differ from file to file and from place to place. */
function content(sizeBytes: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: sizeBytes }, (_, at) => (at * 31 + sizeBytes) % 251));
}

function outlookMessage({ name: sender, recipients, files, ...same }: AnyMessage): OutlookMessage {
  return {
    ...same,
    kind: 'message',
    from: { name: sender, email: 'from@example.com' },
    recipients: recipients.map((recipient, index) => ({ ...recipient, email: `${index}@example.com` })),
    attachments: files.map((each) => ({ ...each, kind: 'file', content: () => [content(each.sizeBytes)] })),
  };
}

/** A text as a file stores it: without NULs and lone surrogates. */
function asStored(text: string | undefined): string {
  return (text ?? '').replaceAll('\0', '').toWellFormed();
}

function expectSame(read: PSTMessage, written: AnyMessage): void {
  const shown = (kind: string) =>
    written.recipients.flatMap((recipient) => (recipient.kind === kind ? [asStored(recipient.name)] : [])).join('; ');
  expect({
    subject: read.subject,
    from: read.senderName,
    sentAt: read.clientSubmitTime,
    receivedAt: read.messageDeliveryTime,
    body: read.body,
    isRead: read.isRead,
    importance: read.importance,
    shown: [read.displayTo, read.displayCC, read.displayBCC],
    recipients: read.numberOfRecipients,
    hasAttachments: read.hasAttachments,
    files: attachmentsOf(read).map((each) => [each.longFilename, each.filesize, contentHash(each)]),
  }).toEqual({
    subject: asStored(written.subject),
    from: asStored(written.name),
    sentAt: written.sentAt,
    receivedAt: written.receivedAt,
    body: asStored(written.bodyText),
    isRead: written.isRead,
    importance: { low: 0, normal: 1, high: 2 }[written.importance],
    shown: [shown('to'), shown('cc'), shown('bcc')],
    recipients: written.recipients.length,
    hasAttachments: written.files.length > 0,
    files: written.files.map(({ name: fileName, sizeBytes }) => [
      asStored(fileName),
      sizeBytes,
      createHash('sha256').update(content(sizeBytes)).digest('hex'),
    ]),
  });
}

describe('any message', () => {
  it('comes back equal through an independent reader, from a file without findings', async () => {
    const mailbox = record({ encoding: constantFrom('permute', 'none'), messages: array(message, { maxLength: 6 }) });
    await assert(
      asyncProperty(mailbox, async ({ encoding, messages }) => {
        await using scratch = await scratchFolder();
        await using writer = await PstWriter.create(scratch.file('a.pst'), { encoding });
        const inbox = writer.folder(['Inbox']);
        for (const each of messages) {
          await writer.add(inbox, outlookMessage(each));
        }
        await writer.finish();
        const read = folderAt(scratch.file('a.pst'), 'Inbox').messages;
        expect(read).toHaveLength(messages.length);
        messages.forEach((each, index) => {
          const found = read[index];
          expect(found).toBeDefined();
          if (found) {
            expectSame(found, each);
          }
        });
      }),
      { numRuns: 60 },
    );
  });
});

describe('dates at the edges', () => {
  it.each([
    ['before there are file times', '1500-01-01T00:00:00.000Z', '1601-01-01T00:00:00.000Z'],
    ['before 1970', '1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
    ['beyond 32 bits of seconds', '2106-02-07T06:28:16.001Z', '2106-02-07T06:28:16.001Z'],
    ['the last of four digits', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['beyond the last file time', '+275760-09-13T00:00:00.000Z', '+030827-12-31T23:59:59.999Z'],
  ])('%s', async (_, written, expected) => {
    await using scratch = await scratchFolder();
    await using writer = await PstWriter.create(scratch.file('a.pst'));
    await writer.add(writer.folder(['Inbox']), { kind: 'message', subject: 'x', sentAt: new Date(written) });
    await writer.finish();
    const [read] = folderAt(scratch.file('a.pst'), 'Inbox').messages;
    expect(read?.clientSubmitTime?.toISOString()).toBe(expected);
  });

  it('omits an invalid date, unless every item must have it', async () => {
    await using scratch = await scratchFolder();
    await using writer = await PstWriter.create(scratch.file('a.pst'));
    await writer.add(writer.folder(['Inbox']), { kind: 'message', subject: 'x', sentAt: new Date(Number.NaN) });
    await writer.finish();
    expect(folderAt(scratch.file('a.pst'), 'Inbox').messages[0]?.clientSubmitTime).toBeNull();
  });
});

describe('folders of any number', () => {
  it.each([0, 1, 446, 447, 448, 895])(
    'hold %i items, around the limits of a row index and its pages',
    async (count) => {
      await using scratch = await scratchFolder();
      await using writer = await PstWriter.create(scratch.file('a.pst'));
      const inbox = writer.folder(['Inbox']);
      for (let number = 0; number < count; number += 1) {
        await writer.add(inbox, { kind: 'message', subject: `Mail ${number}` });
      }
      await writer.finish();
      const { messages } = folderAt(scratch.file('a.pst'), 'Inbox');
      expect(messages.map((each) => each.subject)).toEqual(
        Array.from({ length: count }, (_, number) => `Mail ${number}`),
      );
    },
  );

  it('are read back side by side and in each other, 2,000 of them', async () => {
    await using scratch = await scratchFolder();
    await using writer = await PstWriter.create(scratch.file('a.pst'));
    for (let number = 0; number < 2_000; number += 1) {
      writer.folder([`Top ${number % 1_000}`, ...(number < 1_000 ? [] : [`Below ${number}`])]);
    }
    await writer.add(writer.folder(['Top 999', 'Below 1999']), { kind: 'message', subject: 'last' });
    await writer.finish();
    const top = readFolders(scratch.file('a.pst')).filter((folder) => folder.name.startsWith('Top'));
    expect([top.length, top.flatMap((folder) => folder.folders).length]).toEqual([1_000, 1_000]);
    const last = top.find(({ name }) => name === 'Top 999')?.folders[0];
    expect([last?.name, last?.messages[0]?.subject]).toEqual(['Below 1999', 'last']);
  });
});

describe('an attachment', () => {
  it('marks its item as one with attachments, also as a picture in the text', async () => {
    await using scratch = await scratchFolder();
    await using writer = await PstWriter.create(scratch.file('a.pst'));
    const picture = { kind: 'file', name: 'a.png', sizeBytes: 3, content: () => [Buffer.from('abc')] } as const;
    await writer.add(writer.folder(['Inbox']), {
      kind: 'message',
      subject: 'picture',
      bodyHtml: '<img src="cid:1">',
      attachments: [{ ...picture, isInline: true, contentId: '1' }],
    });
    await writer.finish();
    const [read] = folderAt(scratch.file('a.pst'), 'Inbox').messages;
    expect([read?.hasAttachments, read?.numberOfAttachments]).toEqual([true, 1]);
  });
});
