import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutlookMessage } from '../outlook-item.ts';
import { PstWriter } from '../pst-writer.ts';

/**
 * How fast a PST is written, against the same bytes written to a plain file: `node write-rate.ts [mails] [bytes each]`.
 * Prints megabytes a second of both and their ratio.
 */
const count = Number(process.argv[2] ?? 10_000);
const bytesEach = Number(process.argv[3] ?? 50_000);
const textBytes = Math.floor(bytesEach / 10);
const text = randomBytes(textBytes).toString('base64').slice(0, textBytes);
const content = randomBytes(bytesEach - textBytes);
const total = count * bytesEach;

async function plainFile(path: string): Promise<void> {
  const file = await open(path, 'w');
  const mail = Buffer.concat([Buffer.from(text), content]);
  const buffer = Buffer.alloc(mail.length * 40);
  for (let written = 0; written < count; written += 40) {
    const mails = Math.min(40, count - written);
    for (let index = 0; index < mails; index += 1) {
      mail.copy(buffer, index * mail.length);
    }
    await file.write(buffer, 0, mails * mail.length);
  }
  await file.sync();
  await file.close();
}

async function pstFile(path: string): Promise<void> {
  await using writer = await PstWriter.create(path);
  const inbox = writer.folder(['Inbox']);
  for (let number = 0; number < count; number += 1) {
    await writer.add(inbox, mail(number));
  }
  await writer.finish();
}

function mail(number: number): OutlookMessage {
  return {
    kind: 'message',
    subject: `Mail ${number}`,
    from: { name: 'Ann', email: 'ann@example.com' },
    recipients: [{ kind: 'to', name: 'Bob', email: 'bob@example.com' }],
    sentAt: new Date(Date.UTC(2026, 0, 1) + number * 60_000),
    bodyText: text,
    attachments: [{ kind: 'file', name: 'report.pdf', sizeBytes: content.length, content: () => [content] }],
  };
}

async function rate(write: (path: string) => Promise<void>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'write-rate-'));
  try {
    const started = performance.now();
    await write(join(folder, 'file'));
    return total / 1e6 / ((performance.now() - started) / 1000);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const plain = Math.max(await rate(plainFile), await rate(plainFile));
const pst = Math.max(await rate(pstFile), await rate(pstFile));
console.log(`plain file ${plain.toFixed(0)} MB/s, PST ${pst.toFixed(0)} MB/s, ratio ${(pst / plain).toFixed(2)}`);
