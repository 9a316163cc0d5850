import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OutlookMessage } from './outlook-item.ts';
import { PstWriter } from './pst-writer.ts';
import { isInstalled, output } from './testing/read-back.ts';
import { scratchFolder } from './testing/scratch-folder.ts';

const hasReadpst = await isInstalled('readpst', 'pst-utils');
const hasPff = (await isInstalled('pffexport', 'pff-tools')) && (await isInstalled('pffinfo', 'pff-tools'));

const FOLDERS = ['Posteingang Ä', 'Входящие', '收件箱', 'صندوق'];
const content = randomBytes(300_000);

function mail(number: number): OutlookMessage {
  return {
    kind: 'message',
    subject: `Nachricht ${number} ü`,
    from: { name: 'Ann', email: 'ann@example.com' },
    recipients: [{ kind: 'to', name: 'Bob', email: 'bob@example.com' }],
    sentAt: new Date('2026-03-04T05:06:07Z'),
    bodyText: `body of ${number} €`,
    attachments: [{ kind: 'file', name: 'Ä.bin', sizeBytes: content.length, content: () => [content] }],
  };
}

async function writeSample(path: string): Promise<void> {
  await using writer = await PstWriter.create(path, { displayName: 'Sample' });
  for (const name of FOLDERS) {
    const folder = writer.folder([name]);
    for (let number = 0; number < 5; number += 1) {
      await writer.add(folder, mail(number));
    }
  }
  await writer.finish();
}

/** All files below a folder, by their path in it. */
async function files(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe.runIf(hasReadpst)('readpst', () => {
  it('lists every folder and message of a PST and skips none', async () => {
    await using scratch = await scratchFolder();
    await writeSample(scratch.file('a.pst'));
    // In one process (`-j 0`): of several, two may choose the same name for a file, and a mail is lost.
    const said = await output('readpst', '-j', '0', '-D', '-e', '-o', scratch.path, scratch.file('a.pst'));
    for (const name of FOLDERS) {
      expect(said).toContain(`"${name}" - 5 items done, 0 items skipped.`);
    }
    const mails = (await files(scratch.path)).filter((path) => path.endsWith('.eml'));
    expect(mails).toHaveLength(FOLDERS.length * 5);
    const first = await readFile(join(scratch.path, 'Sample', FOLDERS[0] ?? '', '1.eml'), 'utf8');
    expect(first).toContain('From: Ann <ann@example.com>');
    expect(first).toContain('Date: Wed, 04 Mar 2026 05:06:07 +0000');
    expect(first).toContain('body of 0 €');
    expect(first.replace(/\s/g, '')).toContain(content.toString('base64'));
  });
});

describe.runIf(hasPff)('pffinfo and pffexport', () => {
  it('find a whole Unicode PST, and the same bytes in every attachment', async () => {
    await using scratch = await scratchFolder();
    await writeSample(scratch.file('a.pst'));
    const info = await output('pffinfo', scratch.file('a.pst'));
    expect(info).toMatch(/64-bit/);
    expect(info).not.toMatch(/corrupt|unable/i);
    const said = await output('pffexport', '-m', 'all', '-t', scratch.file('out'), scratch.file('a.pst'));
    expect(said).not.toMatch(/corrupt|unable/i);
    const attachments = (await files(scratch.file('out.export'))).filter((path) => path.endsWith('Ä.bin'));
    const hashes = await Promise.all(
      attachments.map(async (path) =>
        createHash('sha256')
          .update(await readFile(path))
          .digest('hex'),
      ),
    );
    expect(hashes).toEqual(new Array(20).fill(createHash('sha256').update(content).digest('hex')));
    expect(await readdir(scratch.file('out.orphans')).catch(() => [])).toEqual([]);
    expect(await readdir(scratch.file('out.recovered')).catch(() => [])).toEqual([]);
  });

  it.each(['permute', 'none'] as const)(
    'find messages inside messages with their attachments, with encoding %s',
    async (encoding) => {
      await using scratch = await scratchFolder();
      const inner: OutlookMessage = { ...mail(1), subject: 'innermost' };
      const middle: OutlookMessage = {
        kind: 'message',
        subject: 'middle',
        attachments: [{ kind: 'item', item: inner }],
      };
      await using writer = await PstWriter.create(scratch.file('a.pst'), { encoding });
      const attachments = [{ kind: 'item', item: middle } as const];
      await writer.add(writer.folder(['Inbox']), { kind: 'message', subject: 'outer', attachments });
      await writer.finish();
      await output('pffexport', '-q', '-t', scratch.file('out'), scratch.file('a.pst'));
      const found = await files(scratch.file('out.export'));
      const [text] = found.filter((path) => path.endsWith('Message.txt'));
      expect(await readFile(text ?? '', 'utf8')).toContain('body of 1 €');
      const [attachment] = found.filter((path) => path.endsWith('Ä.bin'));
      expect(attachment).toMatch(/Attachments.*Attachments.*Attachments/);
      expect(content.equals(await readFile(attachment ?? ''))).toBe(true);
    },
  );

  it('find all of 5,000 recipients', async () => {
    await using scratch = await scratchFolder();
    const recipients = Array.from({ length: 5_000 }, (_, index) => ({
      kind: (['to', 'cc', 'bcc'] as const)[index % 3] ?? 'to',
      name: `Person ${index} ü`,
      email: `person.${index}@example.com`,
    }));
    await using writer = await PstWriter.create(scratch.file('a.pst'));
    await writer.add(writer.folder(['Inbox']), { kind: 'message', subject: 'to all', recipients });
    await writer.finish();
    await output('pffexport', '-q', '-t', scratch.file('out'), scratch.file('a.pst'));
    const [list] = (await files(scratch.file('out.export'))).filter((path) => path.endsWith('Recipients.txt'));
    const lines = (await readFile(list ?? '', 'utf8')).split('\n').filter((line) => line.startsWith('Email address:'));
    expect(lines.map((line) => line.split('\t').at(-1))).toEqual(recipients.map((recipient) => recipient.email));
  });

  it('find categories by the name that Outlook uses', async () => {
    await using scratch = await scratchFolder();
    await using writer = await PstWriter.create(scratch.file('a.pst'));
    await writer.add(writer.folder(['Inbox']), { kind: 'message', subject: 'x', categories: ['Rot', '緑'] });
    await writer.finish();
    await output('pffexport', '-q', '-d', '-t', scratch.file('out'), scratch.file('a.pst'));
    const found = await files(scratch.file('out.export'));
    const [values] = found.filter((path) => path.endsWith('Message00001/ItemValues.txt'));
    const [, keywords = ''] = (await readFile(values ?? '', 'utf8')).split('Keywords');
    const dumped = [...keywords.matchAll(/^0x[0-9a-f]{8}: ((?:[0-9a-f]{2} +){1,16})/gm)].slice(0, 2);
    const bytes = Buffer.from(
      dumped
        .map(([, hex]) => hex)
        .join('')
        .replace(/\s/g, ''),
      'hex',
    );
    expect(bytes.readUInt32LE(0)).toBe(2);
    expect(bytes.subarray(bytes.readUInt32LE(4), bytes.readUInt32LE(8)).toString('utf16le')).toBe('Rot');
    expect(bytes.subarray(bytes.readUInt32LE(8)).toString('utf16le')).toBe('緑');
  });
});
