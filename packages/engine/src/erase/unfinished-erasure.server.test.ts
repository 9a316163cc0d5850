import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { EngineError } from '../model/engine-error.ts';
import { prune } from '../prune/prune.ts';
import { createRepository, openRepository } from '../repository/open-repository.ts';
import type { Repository } from '../repository/repository.ts';
import { RESERVE_NAME } from '../repository/reserve.ts';
import { gathered } from '../testing/gathered.ts';
import { QuotaStore } from '../testing/quota-store.ts';
import { Random } from '../testing/random.ts';
import { SlowStore } from '../testing/slow-store.ts';
import { CHEAP, PASSWORD, SMALL_CHUNKS, testStore, useDatabase } from '../testing/test-parts.ts';
import { WrittenSource } from '../testing/written-source.ts';
import { erase, planErasure } from './erase.ts';
import { ERASED_NAMES, erasureBed, JOB, journalText } from './erasure-bed.fixture.ts';

const database = useDatabase();
const OPTIONS = { passwordCost: CHEAP, chunkSizes: SMALL_CHUNKS };
const REQUEST = { subject: { type: 'user', id: 'ada@contoso.example' }, reason: 'Request 17', by: 'Grace' } as const;

const partsIn = async (repository: Repository) => ({
  repository,
  catalog: await database.catalog().repository(repository.id),
});

/** Stops an erasure when it has decided, and reads the first journal. */
async function eraseHalf(parts: Awaited<ReturnType<typeof partsIn>>): Promise<void> {
  const stopped = new AbortController();
  const onProgress = () => stopped.abort(new Error('stopped'));
  const erasing = erase(parts.repository, parts.catalog, { ...REQUEST, signal: stopped.signal, onProgress });
  await expect(erasing).rejects.toThrow('stopped');
  expect(await parts.catalog.isErasureUnfinished()).toBe(true);
}

test('a full store is freed before journals are read, and the erasure is finished in the room that this made', async () => {
  const store = new QuotaStore((await testStore()).store, Number.POSITIVE_INFINITY);
  const parts = await partsIn(await createRepository(store, PASSWORD, OPTIONS));
  await parts.repository.ensureReserve();
  await erasureBed(parts);
  await eraseHalf(parts);
  store.maxBytes = (await gathered(store.list(''))).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const pruned = await prune(parts.repository, parts.catalog, { before: new Date() });
  expect(pruned.packsDeleted).toBeGreaterThan(0);
  expect(pruned.erasureLeft).toBeNull();
  expect(await gathered(store.list(RESERVE_NAME))).toHaveLength(1);
  expect(await journalText(parts.repository)).not.toMatch(ERASED_NAMES);
});

test('an erasure that cannot be finished is said, and the prune is done', async () => {
  const { store } = await testStore();
  const parts = await partsIn(await createRepository(store, PASSWORD, OPTIONS));
  await erasureBed(parts);
  await eraseHalf(parts);
  const startWithoutRoom: Repository['startRun'] = async (...given) => {
    const run = await parts.repository.startRun(...given);
    run.replaceCommit = () => Promise.reject(new EngineError('store-full', 'There is no room.'));
    return run;
  };
  const repository = new Proxy(parts.repository, {
    get(of, name) {
      if (name === 'startRun') return startWithoutRoom;
      const member: unknown = Reflect.get(of, name, of);
      return typeof member === 'function' ? member.bind(of) : member;
    },
  });
  const pruned = await prune(repository, parts.catalog, { before: new Date() });
  expect(pruned.packsDeleted).toBeGreaterThan(0);
  expect(pruned.erasureLeft).toMatch(/no room.*next prune/i);
});

test('nothing is counted or read of versions while others must wait', async () => {
  const parts = await partsIn(await createRepository((await testStore()).store, PASSWORD, OPTIONS));
  await erasureBed(parts);
  let isExclusive = false;
  const asked: string[] = [];
  const watch = <Thing extends object>(thing: Thing): Thing =>
    new Proxy(thing, {
      get(of, name) {
        const member: unknown = Reflect.get(of, name, of);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => {
          if (isExclusive) asked.push(String(name));
          return member.apply(of, given);
        };
      },
    });
  const repository = watch(parts.repository);
  const lock = parts.repository.lock.bind(parts.repository);
  repository.lock = async (kind, wait) => {
    const held = await lock(kind, wait);
    isExclusive = kind === 'exclusive';
    const release = held.release.bind(held);
    held.release = () => {
      isExclusive = false;
      return release();
    };
    return held;
  };
  await erase(repository, watch(parts.catalog), REQUEST);
  expect(asked).toContain('apply');
  for (const name of ['countVersions', 'segmentsOf', 'locate', 'findCommit']) expect(asked).not.toContain(name);
});

test('what was backed up between the count and the lock is counted as well', async () => {
  const parts = await partsIn(await createRepository((await testStore()).store, PASSWORD, OPTIONS));
  const { objects, write, back } = await erasureBed(parts);
  const before = await planErasure(parts.repository, parts.catalog, REQUEST.subject);
  const lock = parts.repository.lock.bind(parts.repository);
  parts.repository.lock = async (kind, wait) => {
    parts.repository.lock = lock;
    write(9);
    await back(objects.ada);
    return lock(kind, wait);
  };
  const result = await erase(parts.repository, parts.catalog, REQUEST);
  expect(result.items).toBeGreaterThan(before.items);
  expect((await parts.catalog.listErasures()).reduce((sum, { items }) => sum + items, 0)).toBe(result.items);
});

const ROUNDS_MAX = 3;

test.each(['journals', 'packs'])(
  'an erasure ends within a second while the store does not answer: %s',
  async (folder) => {
    const timesMs: number[] = [];
    // Whatever else the machine does can only make it end later.
    while (timesMs.length < ROUNDS_MAX && !timesMs.some((ms) => ms < 1_000)) timesMs.push(await msToStop(folder));
    expect(Math.min(...timesMs)).toBeLessThan(1_000);
  },
);

/** How long an erasure goes on after it was stopped, when the store then answers no read of a folder for long. */
async function msToStop(folder: string): Promise<number> {
  const { store } = await testStore();
  const slow = new SlowStore(store);
  await createRepository(store, PASSWORD, OPTIONS);
  const parts = await partsIn(await openRepository(slow, PASSWORD, OPTIONS));
  const { objects } = await erasureBed(parts);
  const contents = { file: new Random(13).bytes(3_000_000) };
  objects.ada.put('long', { kind: 'file', name: 'Long', parentId: null, contents });
  const signal = new AbortController().signal;
  await backUp({ ...parts, source: new WrittenSource(objects.ada), signal }, JOB);
  const stopping = new AbortController();
  let [isDecided, stoppedMs] = [false, 0];
  slow.readMs = 1;
  slow.onRead = (name) => {
    if (!name.startsWith(folder) || (folder === 'journals' && !isDecided) || stoppedMs > 0) return;
    slow.readMs = 20_000;
    stoppedMs = performance.now();
    stopping.abort(new Error('stopped'));
  };
  const onProgress = () => {
    isDecided = true;
  };
  const erasing = erase(parts.repository, parts.catalog, { ...REQUEST, signal: stopping.signal, onProgress });
  await expect(erasing).rejects.toThrow('stopped');
  expect(stoppedMs).toBeGreaterThan(0);
  return performance.now() - stoppedMs;
}
