import { readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folder, json, MAILBOX } from '../browse/testing/list-source.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { EngineError } from '../model/engine-error.ts';
import { openRepository } from '../repository/open-repository.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { openStore } from '../store/open-store.ts';
import { verify } from './verify.ts';

let stored: StoredBackup;
beforeEach(async () => {
  stored = await StoredBackup.create();
  await stored.backUp(MAILBOX, [
    folder('inbox', 'mail-folder', 'Inbox'),
    {
      id: 'm',
      kind: 'message',
      name: 'Mail',
      parentId: 'inbox',
      contents: { ...json({ subject: 'Mail' }), mime: 'Hello' },
    },
  ]);
});
afterEach(() => stored.close());

/** The store of a disk that may only be read. */
async function readOnlyStore(): Promise<ObjectStore> {
  const store = await openStore(join(stored.folder, 'repository'), {});
  const refuse = async () => {
    throw new EngineError('store-refused', 'The file system is read-only.');
  };
  return Object.assign(Object.create(store), { create: refuse, delete: refuse });
}

async function packs(): Promise<string[]> {
  const root = join(stored.folder, 'repository', 'packs');
  const names = await readdir(root, { recursive: true });
  const paths = names.map((name) => join(root, name));
  const facts = await Promise.all(paths.map((path) => stat(path)));
  return paths.filter((_, at) => facts[at]?.isFile());
}

test('verifies a copy that may only be read without a lock, and finds what is damaged there', async () => {
  const repository = await openRepository(await readOnlyStore(), 'correct horse');
  await expect(verify(repository, stored.catalog, { depth: 'full' })).rejects.toMatchObject({ code: 'store-refused' });
  const whole = await verify(repository, stored.catalog, { depth: 'full', noLock: true });
  expect(whole).toMatchObject({ packFaults: [], journalFaults: [], damagedItems: [] });
  expect(whole.packsRead).toBeGreaterThan(0);
  const [pack = ''] = await packs();
  await truncate(pack, 40);
  const cut = await verify(repository, stored.catalog, { depth: 'full', noLock: true });
  expect(cut.packFaults).toHaveLength(1);
  expect(cut.damagedItems.length).toBeGreaterThan(0);
  // The catalog is that of the repository, in which nothing is damaged.
  expect(await stored.catalog.damagedChunks()).toEqual(new Map());
});
