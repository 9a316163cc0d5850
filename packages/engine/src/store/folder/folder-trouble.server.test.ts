import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { smallDisk } from '../../testing/small-disk.ts';
import { testFolder } from '../test-folder.fixture.ts';
import { openFolderStore } from './folder-store.ts';

const UNPRIVILEGED = 65_534;

test('says store-full on a full disk, leaves nothing half written, and takes smaller objects still', async (context) => {
  const { folder } = await smallDisk(context);
  const store = await openFolderStore(folder);
  await store.create('packs/a', Buffer.alloc(1_000_000, 1));
  const full = { code: 'store-full', isRetryable: false, message: expect.stringMatching(/free some space or prune/) };
  await expect(store.create('packs/b', Buffer.alloc(1_500_000, 2))).rejects.toMatchObject(full);
  await expect(store.read('packs/b')).rejects.toMatchObject({ code: 'not-found' });
  expect(await readdir(join(folder, '.unfinished'))).toEqual([]);
  expect(await store.create('packs/c', Buffer.alloc(500_000, 3))).toBe(true);
  await store.delete('packs/a');
  expect(await store.create('packs/b', Buffer.alloc(1_000_000, 2))).toBe(true);
  expect((await store.read('packs/b')).equals(Buffer.alloc(1_000_000, 2))).toBe(true);
});

test('writes nothing into the mount point of a disk that was unmounted', async (context) => {
  const { folder, unmount } = await smallDisk(context);
  const store = await openFolderStore(folder);
  await store.create('packs/a', Buffer.from('x'));
  await unmount();
  await expect(store.create('packs/b', Buffer.from('x'))).rejects.toMatchObject({ code: 'store-unreachable' });
  await expect(store.read('packs/a')).rejects.toMatchObject({ code: 'store-unreachable' });
  expect(await readdir(folder)).toEqual([]);
});

test('says store-refused on a disk that may only be read, and reads', async (context) => {
  const { folder, remount } = await smallDisk(context);
  await (await openFolderStore(folder)).create('a', Buffer.from('x'));
  await remount('ro');
  const store = await openFolderStore(folder);
  await expect(store.create('b', Buffer.from('y'))).rejects.toMatchObject({
    code: 'store-refused',
    isRetryable: false,
  });
  await expect(store.delete('a')).rejects.toMatchObject({ code: 'store-refused' });
  expect(String(await store.read('a'))).toBe('x');
});

test('says store-refused to an account without rights, and reads where it may', async () => {
  const folder = await testFolder();
  await (await openFolderStore(folder)).create('a', Buffer.from('x'));
  await chmod(join(folder, 'a'), 0o444);
  await chmod(folder, 0o555);
  await withoutPrivileges(async () => {
    const store = await openFolderStore(folder);
    await expect(store.create('b', Buffer.from('y'))).rejects.toMatchObject({ code: 'store-refused' });
    await expect(store.delete('a')).rejects.toMatchObject({ code: 'store-refused' });
    expect(String(await store.read('a'))).toBe('x');
    await expect(openFolderStore(join(folder, 'below'))).rejects.toMatchObject({ code: 'store-refused' });
  });
  await chmod(folder, 0o755);
});

/** Permissions do not bind root, which becomes another account for a moment. Every other account is bound as it is. */
async function withoutPrivileges(work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0 || process.seteuid === undefined) return work();
  process.seteuid(UNPRIVILEGED);
  try {
    await work();
  } finally {
    process.seteuid(0);
  }
}
