import { createHash, randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import type { PSTMessage } from 'pst-extractor';
import { describe, expect, it } from 'vitest';
import { AttachmentSizeError, ItemNotWrittenError } from './errors.ts';
import type { OutlookMessage } from './outlook-item.ts';
import { PstWriter } from './pst-writer.ts';
import { attachmentsOf, byPath, contentHash, folderAt, readFolders, topFolders } from './testing/read-back.ts';
import { scratchFolder } from './testing/scratch-folder.ts';

function mail(subject: string, more: Partial<OutlookMessage> = {}): OutlookMessage {
  return { kind: 'message', subject, sentAt: new Date('2026-03-04T05:06:07Z'), ...more };
}

async function writeMails(path: string, mails: readonly OutlookMessage[]): Promise<PSTMessage[]> {
  await using writer = await PstWriter.create(path);
  const inbox = writer.folder(['Inbox']);
  for (const one of mails) {
    await writer.add(inbox, one);
  }
  await writer.finish();
  return folderAt(path, 'Inbox').messages;
}

describe('a mailbox written as PST', () => {
  it('returns subject, sender, recipients, dates, bodies and flags as they were', async () => {
    await using scratch = await scratchFolder();
    const [message] = await writeMails(scratch.file('a.pst'), [
      mail('RE: Grüße 日本 😀', {
        from: { name: 'Änn Example', email: 'ann@example.com' },
        recipients: [
          { kind: 'to', name: 'Bob', email: 'bob@example.com' },
          { kind: 'cc', name: 'Κώστας', email: 'costas@example.com' },
          { kind: 'bcc', email: 'secret@example.com' },
        ],
        receivedAt: new Date('2026-03-04T05:06:09Z'),
        bodyText: `Zeile\r\n${'ab '.repeat(9_000)}`,
        bodyHtml: '<p>Zeile → 日本</p>',
        internetMessageId: '<1@example.com>',
        internetHeaders: 'Subject: x\r\nX-Own: 1\r\n',
        importance: 'high',
        isRead: true,
        answered: { how: 'replied' },
      }),
    ]);
    expect(message).toMatchObject({
      subject: 'RE: Grüße 日本 😀',
      senderName: 'Änn Example',
      senderEmailAddress: 'ann@example.com',
      displayTo: 'Bob',
      displayCC: 'Κώστας',
      displayBCC: 'secret@example.com',
      clientSubmitTime: new Date('2026-03-04T05:06:07Z'),
      messageDeliveryTime: new Date('2026-03-04T05:06:09Z'),
      body: `Zeile\r\n${'ab '.repeat(9_000)}`,
      internetMessageId: '<1@example.com>',
      transportMessageHeaders: 'Subject: x\r\nX-Own: 1\r\n',
      importance: 2,
      isRead: true,
      messageClass: 'IPM.Note',
      conversationTopic: 'Grüße 日本 😀',
      numberOfRecipients: 3,
    });
    expect(message?.bodyHTML).toContain('Zeile');
  });

  it('stores folder names of every script and any characters, at any depth', async () => {
    await using scratch = await scratchFolder();
    const names = [
      'Входящие',
      'Εισερχόμενα',
      'البريد الوارد',
      'דואר נכנס',
      'กล่องจดหมาย',
      '收件箱',
      '받은편지함',
      '📥👩‍👩‍👧',
      'e\u0301\u0323',
    ];
    const hostile = ['a/b\\c', '..', 'CON', ' leading', "'; DROP TABLE --", 'x'.repeat(300), 'tab\there'];
    await using writer = await PstWriter.create(scratch.file('a.pst'));
    for (const [index, name] of [...names, ...hostile].entries()) {
      await writer.add(writer.folder([name]), mail(`in ${index}`));
    }
    writer.folder(names);
    await writer.finish();
    const folders = byPath(readFolders(scratch.file('a.pst')));
    for (const [index, name] of [...names, ...hostile].entries()) {
      expect(folders.get(name)?.messages.map((message) => message.subject)).toEqual([`in ${index}`]);
    }
    expect(folders.has(names.join(' > '))).toBe(true);
  });

  it('gives each kind of folder the container class by which Outlook shows it', async () => {
    await using scratch = await scratchFolder();
    await using writer = await PstWriter.create(scratch.file('a.pst'));
    for (const kind of ['mail', 'calendar', 'contacts', 'tasks', 'notes'] as const) {
      writer.folder([kind], { kind });
    }
    await writer.finish();
    const classes = readFolders(scratch.file('a.pst')).map((folder) => [folder.name, folder.containerClass]);
    expect(Object.fromEntries(classes)).toEqual({
      'Deleted Items': 'IPF.Note',
      mail: 'IPF.Note',
      calendar: 'IPF.Appointment',
      contacts: 'IPF.Contact',
      tasks: 'IPF.Task',
      notes: 'IPF.StickyNote',
    });
  });

  it('returns attachments byte for byte, whatever their size', async () => {
    await using scratch = await scratchFolder();
    // around what fits into a heap, a block, an index block, and two of those
    const sizes = [0, 1, 3_579, 3_580, 3_581, 8_175, 8_176, 8_177, 100_000, 8_347_696, 8_347_697, 17_000_001];
    const contents = sizes.map((size) => randomBytes(size));
    const [message] = await writeMails(scratch.file('a.pst'), [
      mail('files', {
        attachments: contents.map((bytes, index) => ({
          kind: 'file',
          name: `файл-${index}.bin`,
          sizeBytes: bytes.length,
          content: () => [bytes.subarray(0, bytes.length >>> 1), bytes.subarray(bytes.length >>> 1)],
        })),
      }),
    ]);
    const attachments = message ? attachmentsOf(message) : [];
    expect(attachments.map((attachment) => attachment.longFilename)).toEqual(
      sizes.map((_, index) => `файл-${index}.bin`),
    );
    expect(attachments.slice(1).map(contentHash)).toEqual(
      contents.slice(1).map((bytes) => createHash('sha256').update(bytes).digest('hex')),
    );
  });

  it('stores 400 attachments of one message', async () => {
    await using scratch = await scratchFolder();
    const attachments = Array.from({ length: 400 }, (_, index) => ({
      kind: 'file' as const,
      name: `${index}.txt`,
      sizeBytes: 5_000,
      content: () => [Buffer.alloc(5_000, index % 256)],
    }));
    const [message] = await writeMails(scratch.file('a.pst'), [mail('many', { attachments })]);
    expect(message?.numberOfAttachments).toBe(400);
    const last = message?.getAttachment(399);
    const expected = createHash('sha256')
      .update(Buffer.alloc(5_000, 399 % 256))
      .digest('hex');
    expect([last?.longFilename, last && contentHash(last)]).toEqual(['399.txt', expected]);
  });

  it('counts the items of a folder and those not read', async () => {
    await using scratch = await scratchFolder();
    await writeMails(scratch.file('a.pst'), [mail('a', { isRead: true }), mail('b'), mail('c', { isRead: false })]);
    const [inbox] = topFolders(scratch.file('a.pst')).filter((folder) => folder.displayName === 'Inbox');
    expect([inbox?.contentCount, inbox?.unreadCount]).toEqual([3, 2]);
  });

  it('adds items of the deleted items folder to the one into which Outlook deletes', async () => {
    await using scratch = await scratchFolder();
    await using writer = await PstWriter.create(scratch.file('a.pst'), { deletedItemsName: 'Papierkorb' });
    await writer.add(writer.folder(['Papierkorb']), mail('gone'));
    await writer.finish();
    const folders = readFolders(scratch.file('a.pst'));
    expect(folders.map((folder) => [folder.name, folder.messages.length])).toEqual([['Papierkorb', 1]]);
  });

  it('accepts NULs, lone surrogates and control characters in texts', async () => {
    await using scratch = await scratchFolder();
    const [message] = await writeMails(scratch.file('a.pst'), [
      mail('a\0b\ud800c', { bodyText: 'x\0y\u0007', from: { email: '' } }),
    ]);
    expect([message?.subject, message?.body]).toEqual(['ab\ufffdc', 'xy\u0007']);
  });

  it('accepts items without subject, body, sender and date', async () => {
    await using scratch = await scratchFolder();
    const messages = await writeMails(scratch.file('a.pst'), [
      { kind: 'message' },
      { kind: 'message', bodyText: '', bodyHtml: '' },
    ]);
    expect(messages.map((message) => [message.subject, message.body, message.numberOfRecipients])).toEqual([
      ['', '', 0],
      ['', '', 0],
    ]);
  });

  it('writes the same with blocks that are not encoded', async () => {
    await using scratch = await scratchFolder();
    await using writer = await PstWriter.create(scratch.file('a.pst'), { encoding: 'none' });
    await writer.add(writer.folder(['Inbox']), mail('plain', { bodyText: 'x'.repeat(50_000) }));
    await writer.finish();
    expect(folderAt(scratch.file('a.pst'), 'Inbox').messages[0]?.body).toBe('x'.repeat(50_000));
  });
});

describe('a mailbox larger than a part may be', () => {
  it('is not written beside a part of an earlier mailbox, which would look like its own', async () => {
    await using scratch = await scratchFolder();
    await (await PstWriter.create(scratch.file('mailbox-2.pst'))).finish();
    await expect(PstWriter.create(scratch.file('mailbox.pst'))).rejects.toThrow(
      /mailbox-2\.pst is a part of an earlier/,
    );
    expect(await readdir(scratch.path)).toEqual(['mailbox-2.pst']);
  });

  it('continues in further files with the same folder paths, each within the limit', async () => {
    await using scratch = await scratchFolder();
    const partSizeBytes = 8 * 1024 * 1024;
    const content = randomBytes(400_000);
    await using writer = await PstWriter.create(scratch.file('mailbox.pst'), { partSizeBytes });
    const folder = writer.folder(['Projects', 'Größe']);
    for (let number = 0; number < 50; number += 1) {
      const file = { kind: 'file', name: 'a.bin', sizeBytes: content.length, content: () => [content] } as const;
      await writer.add(folder, mail(`mail ${number}`, { attachments: [file] }));
    }
    const parts = await writer.finish();
    expect(parts.map((part) => part.path)).toEqual(['', '-2', '-3'].map((end) => scratch.file(`mailbox${end}.pst`)));
    const subjects = parts.flatMap((part) =>
      folderAt(part.path, 'Projects', 'Größe').messages.map((message) => message.subject),
    );
    expect(subjects).toEqual(Array.from({ length: 50 }, (_, number) => `mail ${number}`));
    for (const part of parts) {
      expect(part.sizeBytes).toBeLessThanOrEqual(partSizeBytes);
      expect((await stat(part.path)).size).toBe(part.sizeBytes);
    }
  });
});

describe('when something goes wrong', () => {
  it('leaves no file before it is finished, nor after it is aborted', async () => {
    await using scratch = await scratchFolder();
    const writer = await PstWriter.create(scratch.file('a.pst'), { partSizeBytes: 1_500_000 });
    for (let number = 0; number < 3; number += 1) {
      await writer.add(writer.folder(['Inbox']), mail('x', { bodyText: 'x'.repeat(500_000) }));
    }
    expect((await readdir(scratch.path)).filter((name) => !name.endsWith('.partial'))).toEqual([]);
    await writer.abort();
    expect(await readdir(scratch.path)).toEqual([]);
  });

  it('omits an item whose source fails, reports which and why, and continues', async () => {
    await using scratch = await scratchFolder();
    await using writer = await PstWriter.create(scratch.file('a.pst'));
    const inbox = writer.folder(['Inbox']);
    const torn = {
      kind: 'file',
      name: 'torn.bin',
      sizeBytes: 1_000_000,
      content: function* () {
        yield randomBytes(600_000);
        throw new Error('the share is gone');
      },
    } as const;
    await writer.add(inbox, mail('before'));
    const failed = writer.add(inbox, mail('torn', { attachments: [torn] }));
    await expect(failed).rejects.toThrow(/"torn" in Inbox was not written: the share is gone/);
    await expect(failed).rejects.toBeInstanceOf(ItemNotWrittenError);
    await writer.add(inbox, mail('after'));
    await writer.finish();
    expect(folderAt(scratch.file('a.pst'), 'Inbox').messages.map((message) => message.subject)).toEqual([
      'before',
      'after',
    ]);
  });

  it.each([
    [9, 'has more'],
    [11, 'has only 10'],
  ])('rejects an attachment of 10 bytes that was announced with %i', async (sizeBytes, why) => {
    await using scratch = await scratchFolder();
    await using writer = await PstWriter.create(scratch.file('a.pst'));
    const file = { kind: 'file', name: 'a.bin', sizeBytes, content: () => [new Uint8Array(10)] } as const;
    const error = await writer
      .add(writer.folder(['Inbox']), mail('x', { attachments: [file] }))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining(why), cause: expect.any(AttachmentSizeError) });
  });

  it('rejects a second call while an item is being added, and every call after the end', async () => {
    await using scratch = await scratchFolder();
    await using writer = await PstWriter.create(scratch.file('a.pst'));
    const inbox = writer.folder(['Inbox']);
    const first = writer.add(inbox, mail('one'));
    await expect(writer.add(inbox, mail('two'))).rejects.toThrow('wait for add()');
    await first;
    await writer.finish();
    await expect(writer.add(inbox, mail('three'))).rejects.toThrow('finished or aborted');
  });
});
