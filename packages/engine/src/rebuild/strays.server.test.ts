import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { prune } from '../prune/prune.ts';
import { JOB } from '../prune/prune-bed.fixture.ts';
import { createRepository } from '../repository/open-repository.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { openStore } from '../store/open-store.ts';
import { startVersioningS3 } from '../store/s3/versioning-s3.fixture.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { CHEAP, PASSWORD, SMALL_CHUNKS, testStore, useDatabase } from '../testing/test-parts.ts';
import { WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { rebuild } from './rebuild.ts';

const database = useDatabase();

const RUN = '019ab111-0000-7000-8000-000000000001';
/** What synchronizers, viewers and people leave behind, under names that an object could have. */
const STRAYS = [
  'readme',
  'journals/readme',
  'journals/desktop-ini/00000001',
  `journals/${RUN}/copy-of-00000001`,
  `journals/${RUN}/1`,
  'packs/readme',
  'packs/ab/readme',
  `packs/ab/${'cd'.repeat(32)}`,
  `packs/ab/${'ab'.repeat(32)}-copy`,
  'locks/readme',
  'claims/readme',
  `claims/${RUN}-mine`,
  `claims/${RUN}-ended-soon-0001`,
  'generations/readme',
  'generations/zz',
  'keys/readme',
  'segments/readme',
  `segments/${RUN}-mine`,
  `segments/${RUN}-${RUN}-copy`,
  'losses/readme',
  `losses/${RUN}-copy`,
  'Thumbs.db',
  'journals/Read me.txt',
  'segments/.DS_Store',
  'packs/ab/Kopie von Grün.bin',
];

/** Those in the folders of a repository. */
const FOREIGN = STRAYS.filter((name) => name.includes('/'));

/** So old that a prune would delete a pack of that name that no journal names. */
const AGE_MS = 100 * 3_600_000;

/** A place for a repository into which others wrote long ago. */
interface Place {
  store: ObjectStore;
  put(name: string, text: string): Promise<void>;
  get(name: string): Promise<string>;
}

async function folder(): Promise<Place> {
  const { store, folder: root } = await testStore();
  return {
    store,
    async put(name, text) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
      const at = new Date(Date.now() - AGE_MS);
      await utimes(join(root, name), at, at);
    },
    get: async (name) => String(await readFile(join(root, name))),
  };
}

async function bucket(): Promise<Place> {
  const clock = { aheadMs: 0 };
  const { endpoint, stop } = await startVersioningS3(clock);
  onTestFinished(stop);
  const keys = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  const store = await openStore(`s3://bucket/contoso?endpoint=${endpoint}`, keys);
  const urlOf = (name: string) => `${endpoint}/bucket/contoso/${encodeURI(name)}`;
  return {
    store,
    async put(name, text) {
      clock.aheadMs = -AGE_MS;
      const { ok } = await fetch(urlOf(name), { method: 'PUT', body: text });
      clock.aheadMs = 0;
      expect(ok, name).toBe(true);
    },
    get: async (name) => (await fetch(urlOf(name))).text(),
  };
}

test.each([
  ['folder', folder],
  ['bucket', bucket],
])('a %s full of strangers’ files stops nothing, and none of them is touched', { timeout: 60_000 }, async (_, open) => {
  const { store, put, get } = await open();
  const repository = await createRepository(store, PASSWORD, { passwordCost: CHEAP, chunkSizes: SMALL_CHUNKS });
  const catalog = await database.catalog().repository(repository.id);
  const ada = new WrittenObject('ada', 'drive');
  ada.put('a', { kind: 'file', name: 'a', parentId: null, contents: { file: Buffer.from('a') } });
  const key = repository.objectKey(ada.object);
  for (const name of STRAYS) await put(name, 'not ours');
  const back = () =>
    backUp({ repository, catalog, source: new WrittenSource(ada), signal: new AbortController().signal }, JOB);
  expect((await back()).outcome).toBe('Success');
  ada.put('b', { kind: 'file', name: 'b', parentId: null, contents: { file: Buffer.from('b') } });
  expect(await back()).toMatchObject({ outcome: 'Success', counts: { itemsRead: 1 }, findings: { alerts: [] } });
  await prune(repository, catalog, { keepDays: 0 });
  await rebuild(repository, catalog);
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({
    journalFaults: [],
    packFaults: [],
    unreferencedPacks: 0,
    strangers: { count: FOREIGN.length, names: expect.arrayContaining(FOREIGN) },
  });
  expect((await back()).outcome).toBe('Success');
  expect(await restoredState(repository, catalog, key, (await catalog.object(key))?.revision ?? 0)).toEqual(
    writtenState(ada),
  );
  await repository.addPassword('the other one', 'other');
  for (const name of STRAYS) expect([name, await get(name)]).toEqual([name, 'not ours']);
});

test('what has the name of a segment and is none stops nothing, and a verify names it', async () => {
  const { store, repository, catalog } = await database.parts();
  const ada = new WrittenObject('ada', 'drive');
  ada.put('a', { kind: 'file', name: 'a', parentId: null, contents: { file: Buffer.from('a') } });
  const back = () =>
    backUp({ repository, catalog, source: new WrittenSource(ada), signal: new AbortController().signal }, JOB);
  await back();
  await store.create(`segments/${RUN}-${RUN}`, Buffer.from('not ours'));
  await store.create(`losses/${RUN}`, Buffer.from('not ours'));
  expect((await back()).outcome).toBe('Success');
  await prune(repository, catalog, { keepDays: 0 });
  const { journalFaults } = await verify(repository, catalog, { depth: 'full' });
  expect(journalFaults).toEqual([{ run: RUN, fault: expect.stringContaining(`the segment ${RUN}-${RUN}`) }]);
});
