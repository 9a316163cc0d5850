import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { canListOpenFiles, openFilesIn } from '../../testing/open-files-in.ts';
import { testFolder } from '../test-folder.fixture.ts';
import { openFolderStore } from './folder-store.ts';
import { OpenFiles } from './open-files.ts';

afterEach(() => void vi.useRealTimers());

async function filesIn(folder: string, count: number): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, at) => join(folder, `file-${at}`));
  await Promise.all(paths.map((path) => writeFile(path, 'bytes')));
  return paths;
}

const size = async (_: unknown, sizeBytes: number) => sizeBytes;

test.runIf(canListOpenFiles)('a file stays open between two reads, of many the ones that were read last', async () => {
  const folder = await testFolder();
  const files = new OpenFiles();
  for (const path of await filesIn(folder, 50)) {
    expect(await files.with(path, size)).toBe(5);
    expect(await files.with(path, size)).toBe(5);
  }
  await expect.poll(() => openFilesIn(folder)).toBe(32);
  await files.close();
  expect(await openFilesIn(folder)).toBe(0);
});

test.runIf(canListOpenFiles)('all are closed a while after the last read', async () => {
  const folder = await testFolder();
  const [path = ''] = await filesIn(folder, 1);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const files = new OpenFiles();
  await files.with(path, size);
  expect(await openFilesIn(folder)).toBe(1);
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  await expect.poll(() => openFilesIn(folder)).toBe(0);
});

test.runIf(canListOpenFiles)('a file that is read by many at once is closed by the last of them', async () => {
  const folder = await testFolder();
  const [path = ''] = await filesIn(folder, 1);
  const files = new OpenFiles();
  const { promise: go, resolve } = Promise.withResolvers<void>();
  const reads = Array.from({ length: 8 }, () =>
    files.with(path, async (file) => {
      await go;
      return (await file.stat()).size;
    }),
  );
  await files.drop(path);
  resolve();
  expect(await Promise.all(reads)).toEqual(Array.from({ length: 8 }, () => 5));
  expect(await openFilesIn(folder)).toBe(0);
});

test('a failed opening is attempted again', async () => {
  const folder = await testFolder();
  const files = new OpenFiles();
  const path = join(folder, 'late');
  await expect(files.with(path, size)).rejects.toMatchObject({ code: 'ENOENT' });
  await writeFile(path, 'bytes');
  expect(await files.with(path, size)).toBe(5);
  await files.close();
});

test('an object that is deleted by another program is gone soon, although it is being read', async () => {
  const root = await testFolder();
  const store = await openFolderStore(root);
  await store.create('packs/a', Buffer.from('bytes'));
  expect((await store.readRange('packs/a', 1, 2)).toString()).toBe('yt');
  await rm(join(root, 'packs', 'a'));
  const again = () => store.readRange('packs/a', 1, 2).catch((error: unknown) => error);
  await expect.poll(again).toMatchObject({ code: 'not-found' });
  await store.create('packs/a', Buffer.from('other'));
  expect((await store.readRange('packs/a', 1, 2)).toString()).toBe('th');
  await store.close();
});

test('an object that another program deletes and brings back from a copy is read at once', async () => {
  const folder = await testFolder();
  const [path = ''] = await filesIn(folder, 1);
  const now = vi.spyOn(performance, 'now');
  const files = new OpenFiles();
  expect(await files.with(path, size)).toBe(5);
  await rm(path);
  await writeFile(path, 'bytes');
  now.mockReturnValue(performance.now() + 2_000);
  expect(await files.with(path, size)).toBe(5);
  now.mockRestore();
  await files.close();
});

test('an object that was only looked for is gone at once when another program deletes it', async () => {
  const root = await testFolder();
  const store = await openFolderStore(root);
  await store.create('packs/a', Buffer.from('bytes'));
  expect(await store.readRange('packs/a', 0, 0)).toHaveLength(0);
  await expect(store.readRange('packs/a', 6, 0)).rejects.toMatchObject({ code: 'damaged' });
  await rm(join(root, 'packs', 'a'));
  for (const length of [0, 2])
    await expect(store.readRange('packs/a', 0, length)).rejects.toMatchObject({ code: 'not-found' });
  await store.close();
});
