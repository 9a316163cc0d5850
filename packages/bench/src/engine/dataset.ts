import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a small company has: mail with attachments that are sent around, and files of which some do not shrink. */
export interface DatasetSize {
  mails: number;
  /** Of files that do not shrink, and as much again of text. */
  fileMegabytes: number;
}

/** About 1 GB: a first backup of less is over so soon that much of it is the start of a program. */
export const SMALL_COMPANY: DatasetSize = { mails: 24_000, fileMegabytes: 168 };
/** A mailbox of about 160 MB. */
export const MAILBOX: DatasetSize = { mails: 6_000, fileMegabytes: 0 };

const MAILS_A_FOLDER = 1_000;
const FILE_MEGABYTES = 6;
const WORDS = 4_000;
const MB = 1_000_000;

/** Writes the same bytes every time: `mail/<folder>/<n>.eml` and `files/<n>.bin` or `.txt`. @returns how many bytes */
export async function writeDataset(root: string, { mails, fileMegabytes }: DatasetSize): Promise<number> {
  let bytes = 0;
  const attachments = Array.from({ length: 40 }, (_, at) => randomBytes(`attachment ${at}`, 4_000 + at * 900));
  for (let mail = 0; mail < mails; mail += 1) {
    const folder = join(root, 'mail', String(Math.floor(mail / MAILS_A_FOLDER)));
    if (mail % MAILS_A_FOLDER === 0) await mkdir(folder, { recursive: true });
    const message = mailOf(mail, attachments);
    await writeFile(join(folder, `${mail}.eml`), message);
    bytes += message.length;
  }
  await mkdir(join(root, 'files'), { recursive: true });
  for (let at = 0; at * FILE_MEGABYTES < fileMegabytes; at += 1) {
    await writeFile(join(root, 'files', `${at}.bin`), randomBytes(`file ${at}`, FILE_MEGABYTES * MB));
    await writeFile(join(root, 'files', `${at}.txt`), textOf(`text ${at}`, FILE_MEGABYTES * MB));
    bytes += 2 * FILE_MEGABYTES * MB;
  }
  return bytes;
}

/** Text of 6 to 13 kB; half of the mails have one or two of the attachments that go around. 7 to 60 kB in all, most of them small. */
function mailOf(mail: number, attachments: readonly Buffer[]): Buffer {
  const head = `Message-ID: <${mail}@contoso.example>\r\nSubject: Mail ${mail}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n`;
  const body = textOf(`mail ${mail}`, 6_000 + ((mail * 7_919) % 7_000));
  const parts =
    mail % 2 === 0 ? [] : [attachments[(mail * 31) % 40], ...(mail % 6 === 1 ? [attachments[(mail * 17) % 13]] : [])];
  // Said to be attachments: what says nothing of itself is text, and would be the body of the mail.
  const encoded = parts.map(
    (part, at) =>
      `\r\n--b\r\nContent-Type: application/octet-stream; name="${at}.bin"\r\nContent-Disposition: attachment; filename="${at}.bin"\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines(part ?? Buffer.alloc(0))}`,
  );
  return Buffer.from(`${head}--b\r\n\r\n${body}${encoded.join('')}\r\n--b--\r\n`);
}

function lines(bytes: Buffer): string {
  return (bytes.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n');
}

const DICTIONARY = Array.from(
  { length: WORDS },
  (_, word) => `${(word * 2_654_435_761 + 7).toString(36).slice(-2 - (word % 7))} `,
);

/** Words of a made-up language, frequent ones more often: it shrinks about as much as prose. */
function textOf(seed: string, length: number): Buffer {
  const numbers = randomBytes(seed, length);
  let text = '';
  for (let at = 0; text.length < length; at += 2) {
    const share = ((numbers[at] ?? 0) * 256 + (numbers[at + 1] ?? 0)) / 65_536;
    text += DICTIONARY[Math.floor(share ** 3 * WORDS)];
  }
  return Buffer.from(text.slice(0, length));
}

/** Bytes that look random, the same for the same seed. */
function randomBytes(seed: string, length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update(seed).digest();
}
