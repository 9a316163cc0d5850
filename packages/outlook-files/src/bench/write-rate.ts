import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutlookMessage } from '../outlook-item.ts';
import { PstWriter } from '../pst-writer.ts';

/**
 * How fast a PST is written, against the same bytes written to a plain file: `node write-rate.ts [mails] [bytes each]`.
 * Prints megabytes a second of both and their ratio, and the processor time of a mail, which says more on a busy machine.
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

interface Rate {
  megabytesPerSecond: number;
  microsecondsEach: number;
}

async function rate(write: (path: string) => Promise<void>): Promise<Rate> {
  const folder = await mkdtemp(join(tmpdir(), 'write-rate-'));
  try {
    const [started, before] = [performance.now(), process.cpuUsage()];
    await write(join(folder, 'file'));
    const { user, system } = process.cpuUsage(before);
    const seconds = (performance.now() - started) / 1000;
    return { megabytesPerSecond: total / 1e6 / seconds, microsecondsEach: (user + system) / count };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The better of two runs. */
async function best(write: (path: string) => Promise<void>): Promise<Rate> {
  const [one, other] = [await rate(write), await rate(write)];
  return {
    megabytesPerSecond: Math.max(one.megabytesPerSecond, other.megabytesPerSecond),
    microsecondsEach: Math.min(one.microsecondsEach, other.microsecondsEach),
  };
}

const plain = await best(plainFile);
const pst = await best(pstFile);
const shown = ({ megabytesPerSecond, microsecondsEach }: Rate) =>
  `${megabytesPerSecond.toFixed(0)} MB/s at ${microsecondsEach.toFixed(0)} us of processor each`;
const ratio = pst.megabytesPerSecond / plain.megabytesPerSecond;
console.log(`plain file ${shown(plain)}, PST ${shown(pst)}, ratio ${ratio.toFixed(2)}`);
