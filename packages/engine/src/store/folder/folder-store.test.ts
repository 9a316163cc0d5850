import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ObjectStore } from '../object-store.ts';
import { testFolder } from '../test-folder.fixture.ts';
import { openFolderStore } from './folder-store.ts';

async function namesIn(store: ObjectStore): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list('')) names.push(name);
  return names;
}

const UNREACHABLE = {
  code: 'store-unreachable',
  isRetryable: true,
  message: expect.stringMatching(/check that its disk is mounted/),
};

async function expectUnreachable(store: ObjectStore): Promise<void> {
  await expect(store.read('packs/a')).rejects.toMatchObject(UNREACHABLE);
  await expect(store.readRange('packs/a', 0, 1)).rejects.toMatchObject(UNREACHABLE);
  await expect(namesIn(store)).rejects.toMatchObject(UNREACHABLE);
  await expect(store.create('packs/b', Buffer.from('x'))).rejects.toMatchObject(UNREACHABLE);
  await expect(store.delete('packs/a')).rejects.toMatchObject(UNREACHABLE);
}

test('removes what killed writers have left, when it is older than a day, and nothing that is being written', async () => {
  const root = await testFolder();
  const unfinished = join(root, '.unfinished');
  await mkdir(unfinished);
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await writeFile(join(unfinished, 'left'), 'x');
  await utimes(join(unfinished, 'left'), yesterday, yesterday);
  await writeFile(join(unfinished, 'under-way'), 'x');
  const store = await openFolderStore(root);
  expect(await readdir(unfinished)).toEqual(['under-way']);
  expect(await namesIn(store)).toEqual([]);
});

test('is not empty when its folder has gone, but unreachable, and does not create it again', async () => {
  const root = await testFolder();
  const store = await openFolderStore(join(root, 'store'));
  await store.create('packs/a', Buffer.from('x'));
  await rename(join(root, 'store'), join(root, 'elsewhere'));
  await expectUnreachable(store);
  expect(await readdir(root)).toEqual(['elsewhere']);
});

test('writes nothing into another folder in the place of its own, and continues when its own is back', async () => {
  const root = await testFolder();
  const folder = join(root, 'store');
  const store = await openFolderStore(folder);
  await store.create('packs/a', Buffer.from('x'));
  await rename(folder, join(root, 'elsewhere'));
  await mkdir(folder);
  await expectUnreachable(store);
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
  await rename(join(root, 'elsewhere'), folder);
  expect(await store.create('packs/b', Buffer.from('y'))).toBe(true);
  expect(await namesIn(store)).toEqual(['packs/a', 'packs/b']);
});

test('creates a folder again that was removed below it', async () => {
  const root = await testFolder();
  const store = await openFolderStore(root);
  await store.create('packs/aa/a', Buffer.from('x'));
  await rm(join(root, 'packs'), { recursive: true });
  expect(await store.create('packs/aa/b', Buffer.from('y'))).toBe(true);
  expect(await namesIn(store)).toEqual(['packs/aa/b']);
});

test('does not take other files for objects', async () => {
  const root = await testFolder();
  const store = await openFolderStore(root);
  await mkdir(join(root, 'lost+found'));
  for (const name of ['README.txt', '.DS_Store', 'lost+found/a', 'Thumbs']) await writeFile(join(root, name), 'x');
  await store.create('a', Buffer.from('x'));
  expect(await namesIn(store)).toEqual(['a']);
});

test('says that a file is no folder', async () => {
  const root = await testFolder();
  await writeFile(join(root, 'file'), 'x');
  await expect(openFolderStore(join(root, 'file'))).rejects.toMatchObject({ code: 'store-refused' });
  await expect(openFolderStore(join(root, 'file', 'below'))).rejects.toMatchObject({ code: 'store-refused' });
});

test('keeps objects from other accounts of the machine', async () => {
  const root = join(await testFolder(), 'store');
  const store = await openFolderStore(root);
  await store.create('packs/a', Buffer.from('x'));
  const modes = await Promise.all([root, join(root, 'packs'), join(root, 'packs/a')].map((path) => stat(path)));
  expect(modes.map(({ mode }) => mode & 0o077)).toEqual([0, 0, 0]);
});

test('refuses a name below that of an object, which a folder cannot hold, and leaves the object', async () => {
  const store = await openFolderStore(await testFolder());
  await store.create('a', Buffer.from('x'));
  await expect(store.create('a/b', Buffer.from('y'))).rejects.toMatchObject({ code: 'store-refused' });
  expect(await namesIn(store)).toEqual(['a']);
});
