import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type BackupResult, backUp } from '../backup/backup.ts';
import { openCatalog } from '../catalog/postgres/open-catalog.ts';
import { openRepository } from '../repository/open-repository.ts';
import type { Repository } from '../repository/repository.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { AgingStore } from '../testing/aging-store.ts';
import { gathered } from '../testing/gathered.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { PASSWORD, useDatabase } from '../testing/test-parts.ts';
import { lostItem, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { prune } from './prune.ts';
import { ageObjects, expectWhole, JOB, packBytesOf, packsOf, pruneBed } from './prune-bed.fixture.ts';

const database = useDatabase();
const bed = () => pruneBed(database);

/** What is left of the first packs is little. */
async function sparse() {
  const made = await bed();
  await made.back();
  for (let file = 1; file < 10; file += 1) made.put(`file ${file}`);
  await made.back();
  return made;
}

const isAnnounced = async (repository: Repository) =>
  (await gathered(repository.listLocks())).some(({ kind }) => kind === 'exclusive');

async function announced(repository: Repository): Promise<void> {
  while (!(await isAnnounced(repository))) await pause(10);
}

test('a prune that loses the race for its lock again and again copies once, and the repository grows by no more', async () => {
  const { parts, written, points, back, dayOf } = await sparse();
  const { repository, catalog } = parts;
  const sizes: number[] = [];
  const source = new WrittenSource(written);
  const { read } = source;
  source.read = async function* (request) {
    yield* read.call(source, request);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const pruning = prune(repository, catalog, { before: dayOf(20), now: () => dayOf(20), waitMs: 0 });
      await expect(pruning).rejects.toMatchObject({ code: 'locked' });
      sizes.push(await packBytesOf(parts));
    }
  };
  const before = await packBytesOf(parts);
  await back(source);
  expect(sizes[0]).toBeGreaterThan(before);
  expect(sizes).toEqual([sizes[0], sizes[0], sizes[0]]);
  const { bytesCopied } = await prune(repository, catalog, { before: dayOf(20), now: () => dayOf(20) });
  expect(bytesCopied).toBe(0);
  expect(await packBytesOf(parts)).toBeLessThan(before);
  const last = points.at(-1);
  if (last !== undefined) await expectWhole(parts, last);
});

test('a prune waits for the run that works, and runs that begin meanwhile wait for the prune', async () => {
  const { parts, written, back, now, dayOf } = await sparse();
  const { repository, catalog } = parts;
  const ends: string[] = [];
  const [eve, after] = [new WrittenObject('eve', 'drive'), [] as Promise<unknown>[]];
  eve.put('letter', { kind: 'file', name: 'Letter', parentId: null, contents: { file: Buffer.from('letter') } });
  const ended = (what: string) => () => void ends.push(what);
  const source = new WrittenSource(written);
  const { read } = source;
  source.read = async function* (request) {
    yield* read.call(source, request);
    after.push(prune(repository, catalog, { before: dayOf(20), now: () => dayOf(20) }).then(ended('prune')));
    await announced(repository);
    const later = { ...parts, source: new WrittenSource(eve), signal: new AbortController().signal, now };
    after.push(backUp(later, JOB).then(ended('later')));
    // It had the time to begin, had it not waited.
    await pause(300);
    ends.push('first');
  };
  await back(source);
  await Promise.all(after);
  expect(ends).toEqual(['first', 'prune', 'later']);
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({
    damagedItems: [],
    unreferencedPacks: 0,
  });
});

test('a run that waits for a prune ends at once when it is stopped', async () => {
  const { parts, written, now } = await sparse();
  const lock = await parts.repository.lock('exclusive');
  const stop = new AbortController();
  const reason = new Error('Stopped on request.');
  const waiting = backUp({ ...parts, source: new WrittenSource(written), signal: stop.signal, now }, JOB);
  setTimeout(() => stop.abort(reason), 50);
  await expect(waiting).rejects.toBe(reason);
  expect(await gathered(parts.repository.listLocks())).toHaveLength(1);
  await lock.release();
});

test('packs that no journal names stay for a day by the clock of the store, and go after it', async () => {
  const { parts, dayOf } = await sparse();
  const name = randomBytes(32).toString('hex');
  await mkdir(join(parts.folder, 'packs', name.slice(0, 2)), { recursive: true });
  await writeFile(join(parts.folder, 'packs', name.slice(0, 2), name), randomBytes(2_000));
  // By whatever clock: that of this program is years behind.
  const pruned = () => prune(parts.repository, parts.catalog, { before: dayOf(0), now: () => dayOf(20) });
  expect(await pruned()).toMatchObject({ packsDeleted: 0 });
  expect(await packsOf(parts)).toContain(name);
  await ageObjects(parts.folder, 'packs', 25);
  expect(await pruned()).toMatchObject({ packsDeleted: 1 });
  expect(await packsOf(parts)).not.toContain(name);
});

/** As a folder on the net is seen by a client that remembers what it listed, until it writes into it itself. */
class RememberingStore extends AgingStore {
  private remembered: { name: string; sizeBytes: number; createdAt: Date }[] | null = null;

  constructor(store: ObjectStore) {
    super(store);
    const { list, create } = this;
    this.list = (prefix) => (prefix === 'journals/' ? this.remember(list) : list(prefix));
    this.create = (name, bytes, options) => {
      if (name.startsWith('journals/')) this.remembered = null;
      return create(name, bytes, options);
    };
  }

  private async *remember(list: ObjectStore['list']) {
    this.remembered ??= await gathered(list('journals/'));
    yield* this.remembered;
  }
}

test('a backup of another machine that the list of journals does not show yet is seen before anything is deleted', async () => {
  const { parts, written, now, dayOf } = await bed();
  const other = await createTestDatabase();
  const catalogs = await openCatalog(other.url);
  onTestFinished(async () => {
    await catalogs.close();
    await other.drop();
  });
  const far = { ...parts, catalog: await catalogs.repository(parts.repository.id) };
  const backUpFar = (...objects: WrittenObject[]) =>
    backUp({ ...far, source: new WrittenSource(...objects), signal: new AbortController().signal, now }, JOB);
  await backUpFar(written);
  const old = new Map(written.items);
  for (const id of old.keys()) written.remove(id);
  await backUpFar(written);
  const bob = new WrittenObject('bob', 'drive');
  for (const [id, item] of old) bob.put(id, item);
  let result: BackupResult | undefined;
  const store = new RememberingStore(parts.store);
  const list = store.list;
  // Between the plan, which lists the journals, and the lock.
  store.list = async function* (prefix) {
    if (prefix === 'packs/' && result === undefined) result = await backUpFar(bob);
    yield* list(prefix);
  };
  const repository = await openRepository(store, PASSWORD);
  await prune(repository, parts.catalog, { before: dayOf(20), now: () => dayOf(20) });
  const [[key, revision] = ['', 0]] = result?.objects ?? [];
  const fresh = await openRepository(parts.store, PASSWORD);
  expect(await restoredState(fresh, far.catalog, key, revision)).toEqual(writtenState(bob));
  expect(await verify(fresh, far.catalog, { depth: 'full' })).toMatchObject({ damagedItems: [], packFaults: [] });
});

test('what another run ended while a long one worked stays, although the long one ended only after the plan was made', async () => {
  const { parts, written, points, put, now, dayOf } = await bed();
  const { repository, catalog } = parts;
  let clock = dayOf(0);
  const at = (source: WrittenSource, job = JOB) =>
    backUp({ ...parts, source, signal: new AbortController().signal, now: () => clock, objectsAtOnce: 1 }, job);
  const bob = new WrittenObject('bob', 'drive');
  let pruning: Promise<unknown> = Promise.resolve();
  const shown = writtenState(written);
  bob.script = [
    async () => {
      // Object ada was read and given back by now; another job changes it on the fifth day.
      clock = dayOf(5);
      put('file 1');
      await at(new WrittenSource(written), { ...JOB, id: 'other' });
      clock = dayOf(10);
      pruning = prune(repository, catalog, { before: dayOf(7), now: () => dayOf(20) });
      await announced(repository);
    },
  ];
  // So much that what came before is committed, and given back.
  const wait = new WrittenObject('carl', 'drive');
  const lost = lostItem('x', { kind: 'file', name: 'X', parentId: null, contents: {} });
  wait.script = Array.from({ length: 5_001 }, (_, id) => ({ type: 'lost', item: { ...lost, id: `x ${id}` } }));
  const result = await at(new WrittenSource(written, wait, bob));
  await pruning;
  expect(points).toEqual([]);
  expect(now()).toEqual(dayOf(0));
  const key = repository.objectKey(written.object);
  const revision = new Map(result.objects).get(key) ?? 0;
  expect(await restoredState(repository, catalog, key, revision)).toEqual(shown);
});

/** Counts deletions of packs that are under way at once, and asks for locks meanwhile. */
class WatchedStore extends AgingStore {
  most = 0;
  locked = 0;

  constructor(store: ObjectStore) {
    super(store);
    let atOnce = 0;
    const { delete: remove, list } = this;
    this.delete = async (name) => {
      if (!name.startsWith('packs/')) return remove(name);
      atOnce += 1;
      this.most = Math.max(this.most, atOnce);
      this.locked += (await gathered(list('locks/'))).length;
      await remove(name);
      atOnce -= 1;
    };
  }
}

test('packs are deleted many at once, and other runs do not wait for it', async () => {
  const { parts, put, back, dayOf } = await bed();
  for (let run = 0; run < 8; run += 1) {
    await back();
    put(`file ${run % 3}`);
  }
  const store = new WatchedStore(parts.store);
  const repository = await openRepository(store, PASSWORD);
  const { packsDeleted } = await prune(repository, parts.catalog, { before: dayOf(20), now: () => dayOf(20) });
  expect(packsDeleted).toBeGreaterThan(3);
  expect(store.most).toBeGreaterThan(3);
  expect(store.locked).toBe(0);
});
