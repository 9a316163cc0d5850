import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DRIVE, type GivenItem, MAILBOX } from '../browse/testing/list-source.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { gathered } from '../testing/gathered.ts';
import { isInstalled } from '../testing/is-installed.ts';
import { listen } from '../testing/listen.ts';
import { zipDownload } from './zip-download.ts';

let stored: StoredBackup;
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(() => stored.close());

const hasUnzip = isInstalled('unzip', 'unzip');
const { signal } = new AbortController();
const parts = () => ({ repository: stored.repository, catalog: stored.catalog, signal });
const LARGE = Buffer.alloc(3_000_000, 'large ');
const ITEMS: GivenItem[] = [
  { id: 'a', kind: 'folder', name: 'Ärger', parentId: null, contents: { properties: '{}' } },
  { id: 'b', kind: 'folder', name: 'empty', parentId: 'a', contents: { properties: '{}' } },
  { id: '1', kind: 'file', name: 'large.bin', parentId: 'a', contents: { properties: '{}', file: LARGE } },
  { id: '2', kind: 'file', name: 'none.txt', parentId: null, contents: { properties: '{}', file: '' } },
  { id: '3', kind: 'file', name: 'what?.txt', parentId: null, contents: { properties: '{}', file: 'what' } },
];

test.runIf(hasUnzip)(
  'a client learns the length before the first byte, and goes on after a break at any byte',
  async () => {
    const zip = await zipDownload(parts(), { ...(await stored.backUp(DRIVE, ITEMS)), items: null });
    expect(zip).toMatchObject({ items: 3, renamed: 1, without: [] });
    const url = await listen((incoming, outgoing) => {
      const from = Number(/bytes=(\d+)-/.exec(incoming.headers.range ?? '')?.[1] ?? 0);
      outgoing.writeHead(from === 0 ? 200 : 206, { 'content-length': zip.sizeBytes - from });
      Readable.from(zip.open(from), { objectMode: false }).pipe(outgoing);
    });
    const whole = await downloaded(url, 0);
    expect(whole.announced).toBe(whole.bytes.length);
    const path = stored.file('download.zip');
    await writeFile(path, whole.bytes);
    expect((await promisify(execFile)('unzip', ['-tqq', path])).stdout).toBe('');
    const large = await promisify(execFile)('unzip', ['-p', path, '*large.bin'], {
      encoding: 'buffer',
      maxBuffer: 1e8,
    });
    expect(digest(large.stdout)).toBe(digest(LARGE));
    for (const from of [1, 40, 70_000, whole.bytes.length - 23, whole.bytes.length - 1]) {
      const rest = await downloaded(url, from);
      expect(digest(Buffer.concat([whole.bytes.subarray(0, from), rest.bytes]))).toBe(digest(whole.bytes));
    }
  },
);

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function downloaded(url: string, from: number): Promise<{ announced: number; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    request(url, from === 0 ? {} : { headers: { range: `bytes=${from}-` } }, async (incoming) => {
      resolve({ announced: Number(incoming.headers['content-length']), bytes: await buffer(incoming) });
    })
      .on('error', reject)
      .end();
  });
}

test('messages are there as EML, and what has no bytes of its own is named before the first byte', async () => {
  const mime = 'Subject: Hi\r\n\r\nHello\r\n';
  const scope = await stored.backUp(MAILBOX, [
    { id: 'i', kind: 'mail-folder', name: 'Inbox', parentId: null, contents: { properties: '{}' } },
    { id: 'm', kind: 'message', name: 'Hi', parentId: 'i', contents: { properties: '{}', mime } },
    { id: 'c', kind: 'contact', name: 'Bob', parentId: null, contents: { properties: '{}' } },
  ]);
  const zip = await zipDownload(parts(), { ...scope, items: null });
  expect(zip.without).toEqual([expect.objectContaining({ id: 'c', reason: expect.stringContaining('contact') })]);
  const bytes = Buffer.concat(await gathered(zip.open()));
  expect(bytes.length).toBe(zip.sizeBytes);
  expect(bytes.includes('Inbox/Hi.eml')).toBe(true);
  expect(bytes.includes(mime)).toBe(true);
});
