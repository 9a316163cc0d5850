import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { prune } from '../prune/prune.ts';
import { ageObjects } from '../prune/prune-bed.fixture.ts';
import { openRepository } from '../repository/open-repository.ts';
import { openFolderStore } from '../store/folder/folder-store.ts';
import { gathered } from '../testing/gathered.ts';
import { Random } from '../testing/random.ts';
import { restoredState, type State, writtenState } from '../testing/restored-state.ts';
import { PASSWORD, type TestParts, testFolder, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { rebuild } from './rebuild.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };

type Stored = Pick<TestParts, 'repository' | 'catalog'>;

/**
 * Four runs of a drive, of which the third, that had a file which the fourth removed, is lost; a rebuild accepts that, and the next backup reads
 * all again.
 */
async function withoutThird() {
  const parts = await database.parts();
  const random = new Random(31);
  const ada = new WrittenObject('ada', 'drive');
  const put = (name: string, bytes = random.bytes(9_000)) =>
    ada.put(name, { kind: 'file', name, parentId: null, contents: { file: bytes } });
  const states = new Map<string, State>();
  const back = async (stored: Stored = parts) => {
    const source = new WrittenSource(ada);
    const result = await backUp({ ...stored, source, signal: new AbortController().signal }, JOB);
    states.set(result.run, writtenState(ada));
    return result;
  };
  const gone = random.bytes(9_000);
  put('a');
  await back();
  put('b');
  await back();
  put('c');
  put('gone', gone);
  const third = (await back()).run;
  const packs = await gathered(parts.repository.listPacks());
  ada.remove('gone');
  put('b');
  await back();
  const copy = await testFolder();
  const journal = join(parts.folder, 'journals', third);
  await cp(journal, copy, { recursive: true });
  await rm(journal, { recursive: true });
  await rebuild(parts.repository, parts.catalog, { acceptLoss: true });
  expect((await back()).outcome).toBe('Success');
  const bringBack = () => cp(copy, journal, { recursive: true });
  /** A day later: what no journal names is deleted. */
  const pruned = async () => {
    await ageObjects(parts.folder, 'packs', 30);
    return prune(parts.repository, parts.catalog, { before: new Date(0) });
  };
  return { parts, ada, put, back, gone, third, states, bringBack, pruned, packs };
}

/** By a repository that was opened again, which has no file open. */
async function expectWhole(
  { folder, catalog }: TestParts,
  states: ReadonlyMap<string, State>,
  but: readonly string[] = [],
) {
  const repository = await openRepository(await openFolderStore(folder), PASSWORD);
  const points = await catalog.listRestorePoints({ limit: 100, offset: 0 });
  expect(new Set(points.map(({ run }) => run.id))).toEqual(new Set(states.keys()));
  for (const { run } of points.filter(({ run }) => !but.includes(run.id)))
    for (const [key, revision] of (await catalog.restorePoint(run.id))?.objects ?? [])
      expect(await restoredState(repository, catalog, key, revision), run.id).toEqual(states.get(run.id));
  await repository.close();
}

const RETURNED = { code: 'damaged', message: expect.stringMatching(/accepted as lost.*again\. Rebuild the catalog/) };

test('a journal that was accepted as lost and comes back is in its place after a rebuild, and until then nothing is written', async () => {
  const { parts, back, states, bringBack, pruned } = await withoutThird();
  const { repository, catalog } = parts;
  await bringBack();
  await expect(back()).rejects.toMatchObject(RETURNED);
  await expect(pruned()).rejects.toMatchObject(RETURNED);
  expect((await verify(repository, catalog, { depth: 'full' })).mismatch).toMatch(/Rebuild the catalog/);
  expect(await rebuild(repository, catalog)).toMatchObject({ doubled: [], lost: [], missingPacks: 0, itemsToRead: 0 });
  await pruned();
  const result = await back();
  expect(result).toMatchObject({ outcome: 'Success', findings: { alerts: [] } });
  await expectWhole(parts, states);
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({
    packFaults: [],
    damagedItems: [],
    journalFaults: [],
    mismatch: null,
  });
});

test('where a prune deleted its packs meanwhile they are reported, and nothing new counts on them', async () => {
  const { parts, put, back, gone, states, bringBack, pruned } = await withoutThird();
  const { repository, catalog } = parts;
  expect(await pruned()).toMatchObject({ packsDeleted: 1 });
  await bringBack();
  await expect(back()).rejects.toMatchObject(RETURNED);
  expect(await rebuild(repository, catalog)).toMatchObject({ doubled: [], lost: [], missingPacks: 1 });
  put('again', gone);
  expect((await back()).outcome).toBe('Success');
  const found = await verify(repository, catalog, { depth: 'full' });
  // All that was in it is stored again by now.
  expect(found).toMatchObject({ packFaults: { length: 1 }, damagedItems: [], journalFaults: [] });
  await pruned();
  await expectWhole(parts, states);
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({ packFaults: [], damagedItems: [] });
});

test('a machine that never knew of the loss reads a journal that came back in its place, and counts on none of its packs that are gone', async () => {
  const { parts, put, back, gone, third, states, bringBack, pruned } = await withoutThird();
  await pruned();
  await bringBack();
  const other = { ...parts, catalog: await database.anotherCatalog(parts.repository.id) };
  put('again', gone);
  const result = await back(other);
  expect(result).toMatchObject({ outcome: 'Success', findings: { alerts: [{ code: 'missing-packs' }] } });
  await expectWhole(other, states, [third]);
  const { damagedItems } = await verify(other.repository, other.catalog, { depth: 'full' });
  expect(damagedItems.filter(({ version }) => version.lastRevision === null)).toEqual([]);
});
