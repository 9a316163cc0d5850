import { expect, test, vi } from 'vitest';
import { backUp } from '../backup/backup.ts';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import { createRepository } from '../repository/open-repository.ts';
import type { Repository } from '../repository/repository.ts';
import { RESERVE_NAME } from '../repository/reserve.ts';
import { openFolderStore } from '../store/folder/folder-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { gathered } from '../testing/gathered.ts';
import { QuotaStore } from '../testing/quota-store.ts';
import { Random } from '../testing/random.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { CHEAP, PASSWORD, testStore, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { prune } from './prune.ts';

vi.setConfig({ testTimeout: 60_000 });
const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };
const FILE_BYTES = 500_000;

interface Bed {
  store: ObjectStore;
  repository: Repository;
  catalog: RepositoryCatalog;
  ada: WrittenObject;
  back(): Promise<void>;
  put(name: string): void;
}

async function bedIn(store: ObjectStore): Promise<Bed> {
  const repository = await createRepository(store, PASSWORD, { passwordCost: CHEAP });
  await repository.ensureReserve();
  const catalog = await database.catalog().repository(repository.id);
  const ada = new WrittenObject('ada', 'drive');
  const random = new Random(11);
  return {
    store,
    repository,
    catalog,
    ada,
    put(name) {
      const contents = { file: random.bytes(FILE_BYTES) };
      ada.put(name, { kind: 'file', name, parentId: null, contents });
    },
    async back() {
      const signal = new AbortController().signal;
      const result = await backUp({ repository, catalog, source: new WrittenSource(ada), signal }, JOB);
      expect(result.outcome).toBe('Success');
    },
  };
}

/** One pack of which nothing is needed any more, and one with a fifth of it left. */
async function backUpTwoPacks({ put, back }: Bed): Promise<void> {
  for (const name of ['a', 'b', 'c', 'd', 'e']) put(name);
  await back();
  for (const name of ['a', 'b', 'c', 'd']) put(name);
  await back();
  for (const name of ['a', 'b', 'c', 'd']) put(name);
  await back();
}

const bytesIn = async (store: ObjectStore, prefix: string) =>
  (await gathered(store.list(prefix))).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

async function expectWhole({ repository, catalog, ada }: Bed): Promise<void> {
  const key = repository.objectKey(ada.object);
  const revision = (await catalog.object(key))?.revision ?? 0;
  expect(await restoredState(repository, catalog, key, revision)).toEqual(writtenState(ada));
  const found = await verify(repository, catalog, { depth: 'full' });
  expect(found).toMatchObject({ packFaults: [], damagedItems: [], journalFaults: [] });
}

const hasReserve = async ({ store }: Bed) => (await gathered(store.list(RESERVE_NAME))).length === 1;

test('a prune frees a disk without a free byte, what needs copies included, and puts its reserve back', async (context) => {
  const disk = await smallDisk(context, '24m');
  const bed = await bedIn(await openFolderStore(disk.folder));
  await backUpTwoPacks(bed);
  await disk.fill();
  await expect(bed.store.create('locks/x', Buffer.from('x'))).rejects.toMatchObject({ code: 'store-full' });
  const before = await bytesIn(bed.store, 'packs/');
  const result = await prune(bed.repository, bed.catalog, { before: new Date() });
  expect(result.packsDeleted).toBe(2);
  expect(result.bytesCopied).toBeGreaterThan(FILE_BYTES);
  expect(await bytesIn(bed.store, 'packs/')).toBe(before - result.bytesFreed);
  expect(await hasReserve(bed)).toBe(true);
  await expectWhole(bed);
});

test('a prune frees a bucket whose quota is used up', async () => {
  const store = new QuotaStore((await testStore()).store, Number.POSITIVE_INFINITY);
  const bed = await bedIn(store);
  await backUpTwoPacks(bed);
  store.maxBytes = await bytesIn(store, '');
  const result = await prune(bed.repository, bed.catalog, { before: new Date() });
  expect(result).toMatchObject({ packsDeleted: 2, restorePoints: 2 });
  expect(await bytesIn(store, '')).toBeLessThanOrEqual(store.maxBytes);
  expect(await hasReserve(bed)).toBe(true);
  await expectWhole(bed);
});

test('what a full store has in one pack, and in another that is not there, stays where it is', async () => {
  const store = new QuotaStore((await testStore()).store, Number.POSITIVE_INFINITY);
  const bed = await bedIn(store);
  const { repository, catalog } = bed;
  bed.put('a');
  await bed.back();
  const packs = await gathered(catalog.listPacks());
  const header = { kind: 'prune', job: 'prune', jobName: 'Prune', organizationId: '' } as const;
  const run = await repository.startRun(header, catalog);
  await run.copyChunks(packs.flatMap(({ chunks }) => chunks.map(({ id }) => id)));
  await catalog.apply(await run.commit({}));
  await run.abandon();
  const copies = (await gathered(repository.listPacks())).filter(({ name }) =>
    packs.every((pack) => pack.name !== name),
  );
  expect(copies).toHaveLength(1);
  for (const { name } of copies) await repository.deletePack(name);
  store.maxBytes = await bytesIn(store, '');
  await prune(repository, catalog, { before: new Date() });
  await expectWhole(bed);
});

test('a prune that finds nothing to delete on a full store says so, and keeps everything', async () => {
  const store = new QuotaStore((await testStore()).store, Number.POSITIVE_INFINITY);
  const bed = await bedIn(store);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm']) bed.put(name);
  await bed.back();
  for (const name of ['h', 'i', 'j', 'k', 'l', 'm']) bed.ada.remove(name);
  bed.put('g');
  await bed.back();
  // Less than what one pack still has, which could only go by being copied.
  const reserveBytes = await bytesIn(store, RESERVE_NAME);
  store.maxBytes = (await bytesIn(store, '')) - reserveBytes + 1_000_000;
  await store.delete(RESERVE_NAME);
  await expect(prune(bed.repository, bed.catalog, { before: new Date() })).rejects.toMatchObject({
    code: 'store-full',
    message: expect.stringMatching(/copies of what is still needed.*Free some space/),
  });
  await expectWhole(bed);
});

test('a store that refuses to keep a reserve is pruned as before', async () => {
  const bed = await bedIn((await testStore()).store);
  await bed.store.delete(RESERVE_NAME);
  const create = bed.store.create.bind(bed.store);
  bed.store.create = async (name, bytes, options) => {
    if (name === RESERVE_NAME) throw new EngineError('store-refused', 'It may not be written.');
    return create(name, bytes, options);
  };
  await backUpTwoPacks(bed);
  expect(await prune(bed.repository, bed.catalog, { before: new Date() })).toMatchObject({ packsDeleted: 2 });
  await expectWhole(bed);
});
