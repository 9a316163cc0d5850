import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DRIVE, type GivenItem } from '../browse/testing/list-source.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { isInstalled } from '../testing/is-installed.ts';
import { unzipped } from './testing/unzipped.ts';
import { exportZip } from './zip-export.ts';

let stored: StoredBackup;
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(() => stored.close());

const { signal } = new AbortController();
const file = (id: string, name: string, bytes: string | Buffer, parentId: string | null = null): GivenItem => ({
  id,
  kind: 'file',
  name,
  parentId,
  contents: { properties: '{}', file: bytes },
});
const folder = (id: string, name: string, parentId: string | null = null): GivenItem => ({
  id,
  kind: 'folder',
  name,
  parentId,
  contents: { properties: '{}' },
});

async function exported(items: readonly GivenItem[], chosen: readonly string[] | null = null) {
  const scope = { ...(await stored.backUp(DRIVE, items)), items: chosen };
  const path = stored.file('drive.zip');
  const result = await exportZip(
    { ...stored, repository: stored.repository, catalog: stored.catalog, signal },
    scope,
    path,
  );
  return { path, result };
}

const hasPython = isInstalled('python3', 'python3');

describe('a drive as ZIP', () => {
  test('counts the names that it changed', async () => {
    const { result } = await exported([
      folder('a', 'con'),
      file('1', 'fine.txt', 'x'),
      file('2', 'what?.txt', 'x'),
      file('3', 'Fine.TXT', 'x'),
      file('4', 'e\u0301.txt', 'x'),
    ]);
    expect(result.renamed).toBe(3);
  });

  test.runIf(hasPython)('contains every folder, the empty ones too, and every file to the byte', async () => {
    const large = Buffer.alloc(9 * 1024 * 1024, 'large ');
    const { path, result } = await exported([
      folder('a', 'Ärger'),
      folder('b', 'Empty', 'a'),
      file('1', 'note.txt', 'short', 'a'),
      file('2', 'film.mp4', large),
      file('3', 'nothing.txt', ''),
    ]);
    const all = unzipped(path);
    expect([...all.keys()].sort()).toEqual(['film.mp4', 'nothing.txt', 'Ärger/', 'Ärger/Empty/', 'Ärger/note.txt']);
    expect(all.get('film.mp4')?.equals(large)).toBe(true);
    expect(result).toMatchObject({ items: 3, bytes: large.length + 5, missing: [], files: [path] });
  });

  test.runIf(hasPython)('leads nowhere out of its folder, whatever names a drive has', async () => {
    const names = [
      '../../etc/passwd',
      'a\0b',
      `${'x'.repeat(400)}.docx`,
      'CON',
      'nul.txt',
      'Same.txt',
      'same.TXT',
      '..',
      'C:\\x',
      'end. ',
    ];
    const { path } = await exported(names.map((name, at) => file(`f${at}`, name, name)));
    const all = [...unzipped(path).keys()];
    expect(all).toHaveLength(names.length);
    expect(new Set(all.map((name) => name.toLowerCase())).size).toBe(names.length);
    for (const name of all) expect(name).toMatch(/^[^/\\:\0]{1,255}$/);
    expect(all.filter((name) => /^(?:con|nul|\.\.)(?:\.|$)/i.test(name) || /[. ]$/.test(name))).toEqual([]);
    expect(all.find((name) => name.startsWith('xxx'))).toMatch(/\.docx$/);
  });

  test.runIf(hasPython)('goes on without a file that is damaged, and names it', async () => {
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * 2_654_435_761) >>> 13));
    const items = [file('1', 'whole.txt', 'whole'), file('2', 'torn.bin', bytes), file('3', 'zoo.txt', 'zoo')];
    const scope = { ...(await stored.backUp(DRIVE, items.slice(0, 1))), items: null };
    const later = await stored.backUp(DRIVE, items);
    await damageLargestPack(join(stored.folder, 'repository', 'packs'));
    const path = stored.file('drive.zip');
    const result = await exportZip(
      { repository: stored.repository, catalog: stored.catalog, signal },
      { ...scope, ...later },
      path,
    );
    expect(unzipped(path).has('torn.bin')).toBe(false);
    expect(unzipped(path).get('whole.txt')?.toString()).toBe('whole');
    expect(result.missing.map(({ name }) => name)).toContain('torn.bin');
    expect(result.items + result.missing.length).toBe(3);
  });

  test('reports what has no bytes by its nature, and does not call it missing', async () => {
    const { result } = await exported([
      {
        id: 'n',
        kind: 'file',
        name: 'Notes',
        details: { without: 'A OneNote notebook.' },
        contents: { properties: '{}' },
      },
    ]);
    expect(result).toMatchObject({ missing: [], without: [{ name: 'Notes', reason: 'A OneNote notebook.' }] });
  });

  test.runIf(hasPython)('contains what was chosen alone, a folder with all below it, each file once', async () => {
    const items = [
      folder('a', 'A'),
      file('1', 'in.txt', 'in', 'a'),
      file('2', 'out.txt', 'out'),
      file('3', 'also.txt', 'also'),
    ];
    const { path, result } = await exported(items, ['a', '1', '3']);
    expect([...unzipped(path).keys()].sort()).toEqual(['A/', 'A/in.txt', 'also.txt']);
    expect(result.items).toBe(2);
  });

  test('leaves nothing behind when it is stopped', async () => {
    const scope = { ...(await stored.backUp(DRIVE, [file('1', 'a.txt', 'a'), file('2', 'b.txt', 'b')])), items: null };
    const stopping = new AbortController();
    const path = stored.file('drive.zip');
    const parts = {
      repository: stored.repository,
      catalog: stored.catalog,
      signal: stopping.signal,
      onProgress: () => stopping.abort(new Error('stop')),
    };
    await expect(exportZip(parts, scope, path)).rejects.toThrow('stop');
    expect((await readdir(stored.folder)).filter((name) => name.includes('drive.zip'))).toEqual([]);
  });

  test('refuses a mailbox', async () => {
    const scope = { ...(await stored.backUp({ ...DRIVE, kind: 'mailbox' }, [])), items: null };
    await expect(
      exportZip({ repository: stored.repository, catalog: stored.catalog, signal }, scope, 'x'),
    ).rejects.toMatchObject({ code: 'bad-request' });
  });
});

async function damageLargestPack(folder: string): Promise<void> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const packs = await Promise.all(
    names.map(async (entry) => ({
      path: join(entry.parentPath, entry.name),
      bytes: await readFile(join(entry.parentPath, entry.name)),
    })),
  );
  const [largest] = packs.sort((one, two) => two.bytes.length - one.bytes.length);
  if (largest === undefined) throw new Error('There is no pack.');
  const middle = Math.floor(largest.bytes.length / 2);
  largest.bytes.writeUInt8(largest.bytes.readUInt8(middle) ^ 0xff, middle);
  await writeFile(largest.path, largest.bytes);
}
