import { expect, test } from 'vitest';
import { prune } from '../prune/prune.ts';
import { catchUp } from '../rebuild/catch-up.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import { createRepository } from '../repository/open-repository.ts';
import { indexWords } from '../search/index-words.ts';
import { lockingStore } from '../store/s3/locking-store.fixture.ts';
import { gathered } from '../testing/gathered.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { CHEAP, PASSWORD, SMALL_CHUNKS, type TestParts, useDatabase } from '../testing/test-parts.ts';
import { WrittenObject } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { erase, planErasure } from './erase.ts';
import { ERASED_NAMES, erasureBed, journalText } from './erasure-bed.fixture.ts';

const database = useDatabase();

const REQUEST = { subject: { type: 'user', id: 'ada@contoso.example' }, reason: 'Request 17', by: 'Grace' } as const;

test('a user is erased from all restore points: not browsed, restored, searched, nor rebuilt; the others stay whole', async () => {
  const made = await database.parts();
  const { repository, catalog, objects, results, keyOf } = await erasureBed(made);
  const bob = await restoredState(repository, catalog, keyOf(objects.bob), 3);
  const plan = await planErasure(repository, catalog, REQUEST.subject);
  expect(plan.objects.map(({ id }) => id).sort()).toEqual(['ada', 'drive-of-a']);
  const result = await erase(repository, catalog, REQUEST);
  expect(result).toMatchObject({ items: plan.items, bytes: plan.bytes, commitsLocked: 0, lockedUntil: null });
  expect(result.objects.sort()).toEqual([keyOf(objects.ada), keyOf(objects.adaFiles)].sort());
  const expectErased = async () => {
    for (const written of [objects.ada, objects.adaFiles]) {
      expect(await catalog.object(keyOf(written))).toBeNull();
      expect(await gathered(catalog.listObjects())).toMatchObject([{ id: 'bob' }]);
      expect((await catalog.findObjects({ limit: 10 })).rows).toMatchObject([{ id: 'bob' }]);
      expect((await catalog.usage()).objects).toBe(1);
      await expect(gathered(catalog.walk(keyOf(written), 2, null))).rejects.toMatchObject({ code: 'not-found' });
    }
    for (const { run } of results) {
      const point = await catalog.restorePoint(run);
      expect(point?.objects.map(([key]) => key)).toEqual([keyOf(objects.bob)]);
      expect(JSON.stringify(point?.findings)).not.toMatch(/ada/i);
      expect(point?.findings.lost.length).toBe(1);
    }
    expect((await catalog.search({ text: 'secret', limit: 50 })).hits).toMatchObject(
      (await gathered(catalog.walk(keyOf(objects.bob), 3, null))).flatMap(({ name }) =>
        name.startsWith('Secret') ? [{ object: { id: 'bob' } }] : [],
      ),
    );
    expect(await restoredState(repository, catalog, keyOf(objects.bob), 3)).toEqual(bob);
  };
  await expectErased();
  const text = await journalText(repository);
  expect(text).not.toMatch(ERASED_NAMES);
  expect(text).toMatch(/of bob/);
  const fingerprint = await catalog.fingerprint();
  await rebuild(repository, catalog);
  await indexWords(repository, catalog, {});
  expect(await catalog.fingerprint()).toEqual(fingerprint);
  await expectErased();
  expect(await catalog.listErasures()).toMatchObject([
    { by: 'Grace', reason: 'Request 17' },
    { by: 'Grace', reason: 'Request 17' },
  ]);
});

test('its chunks go at the next prune, also out of packs that others mostly use, and what others share stays', async () => {
  const { repository, catalog, objects, keyOf } = await erasureBed(await database.parts());
  const chunks = await chunksOf(catalog, keyOf(objects.ada));
  const shared = [
    ...(await chunksOf(catalog, keyOf(objects.bob))),
    ...(await chunksOf(catalog, keyOf(objects.adaFiles))),
  ];
  const own = chunks.filter((chunk) => !shared.includes(chunk));
  const bob = await restoredState(repository, catalog, keyOf(objects.bob), 3);
  await erase(repository, catalog, { ...REQUEST, subject: { type: 'object', id: keyOf(objects.ada) } });
  await prune(repository, catalog, { before: new Date(0) });
  expect([...(await catalog.locate(own)).keys()]).toEqual([]);
  expect((await catalog.locate(shared)).size).toBe(new Set(shared).size);
  expect(await restoredState(repository, catalog, keyOf(objects.bob), 3)).toEqual(bob);
  const packs = await gathered(repository.listPacks());
  expect(await prune(repository, catalog, { before: new Date(0) })).toMatchObject({ packsRetired: 0 });
  expect(await gathered(repository.listPacks())).toEqual(packs);
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({
    damagedItems: [],
    unreferencedPacks: 0,
  });
});

async function chunksOf(catalog: TestParts['catalog'], key: string): Promise<string[]> {
  const chunks = new Set<string>();
  for await (const { contents } of catalog.walk(key, 3, null, { showDeleted: true }))
    for (const content of contents)
      for (const segment of 'segments' in content ? content.segments : content.list)
        if (Array.isArray(segment)) chunks.add(segment[0]);
  return [...chunks];
}

test('an object that is backed up again begins with nothing after an erasure, here and in every other catalog', async () => {
  const parts = await database.parts();
  const { repository, catalog, objects, write, back, results, keyOf } = await erasureBed(parts);
  await erase(repository, catalog, REQUEST);
  write(7);
  await back();
  const last = results.at(-1);
  const revision = last?.objects.find(([key]) => key === keyOf(objects.ada))?.[1] ?? 0;
  const state = new Map([...writtenState(objects.ada)].filter(([id]) => id !== 'hidden'));
  expect(await restoredState(repository, catalog, keyOf(objects.ada), revision)).toEqual(state);
  const fingerprint = await catalog.fingerprint();
  await rebuild(repository, catalog);
  expect(await catalog.fingerprint()).toEqual(fingerprint);
  await erase(repository, catalog, REQUEST);
  expect(await journalText(repository)).not.toMatch(ERASED_NAMES);
  await rebuild(repository, catalog);
  expect(await catalog.object(keyOf(objects.ada))).toBeNull();
});

test('an object that became empty is in the restore point after its erasure', async () => {
  const { repository, catalog, objects, back, results, keyOf } = await erasureBed(await database.parts());
  await erase(repository, catalog, { ...REQUEST, subject: { type: 'object', id: keyOf(objects.ada) } });
  for (const id of [...objects.ada.items.keys()]) objects.ada.remove(id);
  await back();
  const point = await catalog.restorePoint(results.at(-1)?.run ?? '');
  expect(point?.objects.map(([key]) => key).sort()).toEqual(Object.values(objects).map(keyOf).sort());
});

test('an organization is erased; a second erasure finds nothing', async () => {
  const { repository, catalog } = await erasureBed(await database.parts());
  const request = { ...REQUEST, subject: { type: 'organization', id: 'contoso' } } as const;
  expect((await erase(repository, catalog, request)).objects.length).toBe(3);
  expect(await gathered(catalog.listObjects())).toEqual([]);
  expect(await catalog.listRestorePoints({ limit: 5, offset: 0 })).toEqual([]);
  await expect(erase(repository, catalog, request)).rejects.toMatchObject({ code: 'not-found' });
});

test('an erasure that was cut short after it was decided is finished by the next prune', async () => {
  const { repository, catalog } = await erasureBed(await database.parts());
  const killed = new AbortController();
  const onProgress = () => killed.abort(new Error('killed'));
  await expect(erase(repository, catalog, { ...REQUEST, signal: killed.signal, onProgress })).rejects.toThrow('killed');
  expect(await journalText(repository)).toMatch(/of ada/);
  expect(await catalog.isErasureUnfinished()).toBe(true);
  await prune(repository, catalog, { before: new Date(0) });
  expect(await journalText(repository)).not.toMatch(ERASED_NAMES);
  expect(await catalog.isErasureUnfinished()).toBe(false);
});

test('another catalog that follows the journals erases it as well, whatever it knew', async () => {
  const { repository, catalog, objects, keyOf } = await erasureBed(await database.parts());
  const other = await database.anotherCatalog(repository.id);
  await catchUp(repository, other);
  expect(await other.object(keyOf(objects.ada))).not.toBeNull();
  await erase(repository, catalog, REQUEST);
  await catchUp(repository, other);
  expect(await other.object(keyOf(objects.ada))).toBeNull();
  expect(await other.fingerprint()).toEqual(await catalog.fingerprint());
});

/** In a bucket that locks what is written for 30 days. */
async function lockedBed() {
  const { clock, store } = await lockingStore();
  const repository = await createRepository(store, PASSWORD, { passwordCost: CHEAP, chunkSizes: SMALL_CHUNKS });
  const catalog = await database.catalog().repository(repository.id);
  return { clock, store, ...(await erasureBed({ repository, catalog })) };
}

test('what is locked is reported with its day, and goes after it', async () => {
  const { clock, repository, catalog, back } = await lockedBed();
  const result = await erase(repository, catalog, REQUEST);
  const days = ((result.lockedUntil?.getTime() ?? 0) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  expect(result.commitsLocked).toBeGreaterThan(2);
  expect(result.packsLocked).toBe(result.packs);
  const fingerprint = await catalog.fingerprint();
  await rebuild(repository, catalog);
  expect(await catalog.fingerprint()).toEqual(fingerprint);
  const text = await journalText(repository);
  // What was replaced is locked no longer than it was.
  clock.aheadMs = 16 * 86_400_000;
  await back();
  clock.aheadMs = 31 * 86_400_000;
  expect(await repository.deleteReplacedCommits()).toMatchObject({ deleted: result.commitsLocked, locked: 0 });
  expect(text).toMatch(/of ada/);
  expect((await journalText(repository)).split('of ada').length).toBeLessThan(text.split('of ada').length);
});

test('what is locked is written again once, whatever is erased later', async () => {
  const { store, repository, catalog, back, keyOf } = await lockedBed();
  await erase(repository, catalog, REQUEST);
  const formsOf = async () => (await gathered(store.list('journals/'))).filter(({ name }) => /-\d{4}$/.test(name));
  const forms = await formsOf();
  const cleo = new WrittenObject('cleo');
  cleo.put('a', { kind: 'message', name: 'A', parentId: null, contents: { mime: Buffer.from('A') } });
  await back(cleo);
  const result = await erase(repository, catalog, { ...REQUEST, subject: { type: 'object', id: keyOf(cleo) } });
  expect(result.commitsRewritten).toBeGreaterThan(0);
  expect((await formsOf()).length).toBe(forms.length + result.commitsRewritten);
  expect((await formsOf()).filter(({ name }) => !name.endsWith('-0001'))).toEqual([]);
});
