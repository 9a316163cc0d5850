import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files that the portal gave out, read by programs that know nothing of it: Python's libraries, and `readpst` of pst-utils. */

const OUTPUT_BYTES_MAX = 2 ** 28;

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Tests every checksum of an archive. */
const READ_ZIP = `
import sys, zipfile, json, hashlib
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps([[one.filename, hashlib.sha256(archive.read(one)).hexdigest()] for one in archive.infolist() if not one.is_dir()]))`;

/** Message ids of mails, their subjects and the SHA-256 of what is attached. */
const READ_MAILS = `
import sys, json, hashlib, email, email.header
def text(value):
    return '' if value is None else str(email.header.make_header(email.header.decode_header(str(value))))
def read(path):
    with open(path, 'rb') as file:
        mail = email.message_from_binary_file(file)
    attached = [hashlib.sha256(part.get_payload(decode=True) or b'').hexdigest() for part in mail.walk() if part.get_filename()]
    return {'id': text(mail['message-id']).strip(), 'subject': text(mail['subject']), 'attached': attached}
print(json.dumps([read(path) for path in sys.argv[1:]]))`;

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-files-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function python<T>(script: string, ...paths: string[]): T {
  return JSON.parse(execFileSync('python3', ['-c', script, ...paths], { maxBuffer: OUTPUT_BYTES_MAX }).toString());
}

/** Paths of the files in a ZIP with the SHA-256 of each. */
export function zipFiles(bytes: Uint8Array): Map<string, string> {
  return inFolder((folder) => {
    const path = join(folder, 'files.zip');
    writeFileSync(path, bytes);
    return new Map(python<[string, string][]>(READ_ZIP, path));
  });
}

const READ_TEXTS = `
import sys, zipfile, json
archive = zipfile.ZipFile(sys.argv[1])
print(json.dumps([[one.filename, archive.read(one).decode('utf-8', 'replace')] for one in archive.infolist()]))`;

/** The files in a ZIP as texts, by their paths. */
export function zipTexts(bytes: Uint8Array): Map<string, string> {
  return inFolder((folder) => {
    const path = join(folder, 'texts.zip');
    writeFileSync(path, bytes);
    return new Map(python<[string, string][]>(READ_TEXTS, path));
  });
}

export interface ReadMail {
  id: string;
  subject: string;
  attached: string[];
}

/** What mails say of themselves. */
export function readMails(mails: readonly Uint8Array[]): ReadMail[] {
  return inFolder((folder) => {
    const paths = mails.map((_, at) => join(folder, `${at}.eml`));
    for (const [at, bytes] of mails.entries()) writeFileSync(paths[at] ?? '', bytes);
    return python<ReadMail[]>(READ_MAILS, ...paths);
  });
}

/** All mails of a PST, deleted ones too, as `readpst` writes them. */
export function pstMails(bytes: Uint8Array): ReadMail[] {
  return inFolder((folder) => {
    const path = join(folder, 'mail.pst');
    writeFileSync(path, bytes);
    // In one process (`-j 0`): of several, two may choose the same name for a file, and a mail is lost.
    execFileSync('readpst', ['-j', '0', '-q', '-D', '-e', '-t', 'e', '-o', folder, path], {
      stdio: 'pipe',
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const mails = files.filter(({ name }) => name.endsWith('.eml')).map((one) => join(one.parentPath, one.name));
    return mails.length === 0 ? [] : python<ReadMail[]>(READ_MAILS, ...mails);
  });
}

export async function bytesOf(response: Response): Promise<Buffer> {
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`It was answered with ${response.status}: ${bytes.toString()}`);
  return bytes;
}
