import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
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
import { exportLists } from './list-export.ts';
import { exportMessageArchive } from './message-archive.ts';
import { exportPlanZip } from './plan-export.ts';
import { unzipped } from './testing/unzipped.ts';
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
    expect(zip).toMatchObject({ items: 3, renamed: 1, withoutCount: 0, without: [] });
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

test('two preparations of the same choice have one tag, and those of others have another', async () => {
  const scope = { ...(await stored.backUp(DRIVE, ITEMS)), items: null };
  const { etag } = await zipDownload(parts(), scope);
  expect((await zipDownload(parts(), scope)).etag).toBe(etag);
  expect((await zipDownload(parts(), { ...scope, items: ['1'] })).etag).not.toBe(etag);
  const changed = ITEMS.map((item) =>
    item.id === '3' ? { ...item, contents: { properties: '{}', file: 'that' } } : item,
  );
  const later = { ...(await stored.backUp(DRIVE, changed)), items: null };
  expect((await zipDownload(parts(), later)).etag).not.toBe(etag);
});

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

const TEAM = { ...MAILBOX, kind: 'team', id: 'team', name: 'Finance', address: null } as const;
const SITE = { ...MAILBOX, kind: 'site', id: 'site', name: 'Intranet', address: null } as const;
const PLANNER = { ...MAILBOX, kind: 'planner', id: 'group', name: 'Finance', address: null } as const;
/** Two plans have one name in other letters, which is one name to many systems. */
const COUNTS = {
  team: { items: 600, without: [], renamed: 0 },
  site: { items: 2_500, without: [], renamed: 0 },
  planner: { items: 302, without: [], renamed: 1 },
};
const properties = (value: object) => ({ properties: JSON.stringify(value) });

function posts(count: number): GivenItem[] {
  const at = (post: number) => new Date(Date.UTC(2026, 9, 1) + post * 60_000);
  const image = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(2_000, 7)]);
  return Array.from({ length: count }, (_, post): GivenItem[] => {
    const content = `<p>Post ${post}</p><img src="https://graph.microsoft.com/v1.0/teams/1/channels/2/messages/3/hostedContents/p/$value">`;
    const body = (text: string) =>
      properties({ createdDateTime: at(post).toISOString(), body: { contentType: 'html', content: text } });
    const id = `general/messages/${post}`;
    const details = { from: 'Ada', sentAt: at(post).toISOString(), createdAt: at(post).toISOString() };
    const reply = {
      id: `${id}/replies/r${post}`,
      kind: 'reply',
      name: 'r',
      parentId: 'general',
      details,
      modifiedAt: at(post),
    } as const;
    return [
      {
        id,
        kind: 'post',
        name: id,
        parentId: 'general',
        details,
        modifiedAt: at(post),
        contents: { ...body(content), 'hosted/p': image },
      },
      { ...reply, contents: { ...body(`Reply ${post}`), 'hosted/p': image } },
    ];
  }).flat();
}

function plan(id: string, name: string, tasks: number): GivenItem[] {
  const bucket = `${id}/buckets/1`;
  return [
    { id, kind: 'plan', name, parentId: null, contents: properties({ title: name }) },
    { id: bucket, kind: 'plan-bucket', name: 'To do', parentId: id, contents: properties({ name: 'To do' }) },
    ...Array.from({ length: tasks }, (_, task): GivenItem => {
      const title = `Ärger ${task}`;
      const contents = properties({ title, percentComplete: 50, details: { description: `=1+${task}` } });
      return { id: `${id}/tasks/${task}`, kind: 'plan-task', name: title, parentId: bucket, contents };
    }),
  ];
}

function list(rows: number): GivenItem[] {
  const columns = ['Title', 'Amount'].map(
    (name): GivenItem => ({
      id: `l/columns/${name}`,
      kind: 'list-column',
      name,
      parentId: 'l',
      contents: properties({ name, displayName: name, text: {} }),
    }),
  );
  const items = Array.from(
    { length: rows },
    (_, row): GivenItem => ({
      id: `l/items/${row}`,
      kind: 'list-item',
      name: `Row ${row}`,
      parentId: 'l',
      contents: properties({
        id: String(row),
        fields: { id: String(row), Title: `Ärger ${row}`, Amount: `=1+${row}` },
      }),
    }),
  );
  return [
    {
      id: 'l',
      kind: 'list',
      name: 'Inventory',
      parentId: null,
      contents: properties({ columns: [{ name: 'Title' }, { name: 'Amount' }] }),
    },
    ...columns,
    ...items,
  ];
}

for (const [what, object, items, exportWhole] of [
  [
    'the posts of a team',
    TEAM,
    [{ id: 'general', kind: 'channel', name: 'General', parentId: null, contents: properties({}) }, ...posts(300)],
    exportMessageArchive,
  ],
  ['the lists of a site', SITE, list(2_500), exportLists],
  ['the plans of a group', PLANNER, [...plan('p', 'Launch', 300), ...plan('q', 'launch', 2)], exportPlanZip],
] as const) {
  test.runIf(hasUnzip)(
    `${what} have a length before the first byte, and the same files as an export, without a file on the way`,
    async () => {
      const scope = { ...(await stored.backUp(object, items)), items: null };
      const zip = await zipDownload(parts(), scope);
      const before = await readdir(stored.folder);
      const bytes = Buffer.concat(await gathered(zip.open()));
      expect(await readdir(stored.folder)).toEqual(before);
      expect(bytes.length).toBe(zip.sizeBytes);
      expect(zip).toMatchObject(COUNTS[object.kind]);
      for (const from of [1, 5_000, bytes.length - 1])
        expect(digest(Buffer.concat(await gathered(zip.open(from))))).toBe(digest(bytes.subarray(from)));
      const [path, exported] = [stored.file('download.zip'), stored.file('export.zip')];
      await writeFile(path, bytes);
      expect((await promisify(execFile)('unzip', ['-tqq', path])).stdout).toBe('');
      await exportWhole(parts(), scope, exported);
      expect(unzipped(path)).toEqual(unzipped(exported));
    },
  );
}

test('an item that cannot be read is named before the first byte, and the others are there', async () => {
  const given = [
    { id: 'general', kind: 'channel', name: 'General', parentId: null, contents: properties({}) } as const,
    ...posts(3),
  ];
  const scope = {
    ...(await stored.backUp(TEAM, [...given, { ...posts(4)[6], contents: { properties: 'no JSON' } } as GivenItem])),
    items: null,
  };
  const zip = await zipDownload(parts(), scope);
  expect(zip.without).toEqual([
    expect.objectContaining({ id: 'general/messages/3', reason: expect.stringContaining('JSON') }),
  ]);
  expect(Buffer.concat(await gathered(zip.open())).length).toBe(zip.sizeBytes);
});

test('what is no channel is refused before the first byte', async () => {
  const scope = await stored.backUp(TEAM, [
    { id: 'general', kind: 'channel', name: 'General', parentId: null, contents: properties({}) },
  ]);
  await expect(zipDownload(parts(), { ...scope, items: ['other'] })).rejects.toMatchObject({ code: 'bad-request' });
});
