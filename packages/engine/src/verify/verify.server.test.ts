import { readFile, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { prune } from '../prune/prune.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import type { StoredPack } from '../repository/commit.ts';
import { openRepository } from '../repository/open-repository.ts';
import { openFolderStore } from '../store/folder/folder-store.ts';
import { gathered } from '../testing/gathered.ts';
import { Random } from '../testing/random.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { PASSWORD, type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from './verify.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };

/** Items of some chunks each, backed up in several runs so that they are in several packs. */
async function backedUp(): Promise<TestParts & { packs: StoredPack[] }> {
  const parts = await database.parts();
  const random = new Random(9);
  const written = new WrittenObject('ada', 'drive');
  const source = new WrittenSource(written);
  for (let run = 0; run < 4; run += 1) {
    for (let item = 0; item < 5; item += 1)
      written.put(`${run}-${item}`, {
        kind: 'file',
        name: `File ${run}-${item}`,
        parentId: null,
        contents: { file: random.bytes(9_000) },
      });
    await backUp({ ...parts, source, signal: new AbortController().signal }, JOB);
  }
  written.put('long', { kind: 'file', name: 'Long', parentId: null, contents: { file: random.bytes(1_600_000) } });
  await backUp({ ...parts, source, signal: new AbortController().signal }, JOB);
  return { ...parts, packs: await gathered(parts.catalog.listPacks()) };
}

/** Names of the items that do not come back, by reading all of them. */
async function unreadable({ repository, catalog }: TestParts): Promise<string[]> {
  const broken: string[] = [];
  for await (const { key, revision } of catalog.listObjects()) {
    for await (const { name, contents } of catalog.walk(key, revision, null)) {
      try {
        for (const content of contents) await gathered(repository.read(content, catalog));
      } catch {
        broken.push(name);
      }
    }
  }
  return broken.sort();
}

const pathOf = ({ folder }: TestParts, { name }: StoredPack) => join(folder, 'packs', name.slice(0, 2), name);

const TROUBLES: Record<string, (path: string) => Promise<void>> = {
  'a flipped bit': async (path) => {
    const bytes = await readFile(path);
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 4;
    await writeFile(path, bytes);
  },
  'a lost pack': unlink,
  'a pack that was cut short': (path) => truncate(path, 5_000),
};

for (const [name, spoil] of Object.entries(TROUBLES)) {
  test(`after ${name} a full verify names every item that does not come back, and no other`, async () => {
    const parts = await backedUp();
    for (const [at, pack] of parts.packs.entries()) {
      const path = pathOf(parts, pack);
      const before = await readFile(path);
      await spoil(path);
      const { repository } = { repository: parts.repository };
      const found = await verify(repository, parts.catalog, { depth: 'full' });
      const names = [...new Set(found.damagedItems.map(({ version }) => version.name))].sort();
      expect(names.length, `pack ${at}`).toBeGreaterThan(0);
      // By a repository that was opened again: a file that is open is read for a moment after it was deleted.
      const fresh = await openRepository(await openFolderStore(parts.folder), PASSWORD);
      expect(names).toEqual(await unreadable({ ...parts, repository: fresh }));
      await fresh.close();
      expect(found.packFaults).toMatchObject([{ pack: pack.name }]);
      await writeFile(path, before);
    }
    const clean = await verify(parts.repository, parts.catalog, { depth: 'full' });
    expect(clean).toMatchObject({ packFaults: [], damagedItems: [], journalFaults: [], unreferencedPacks: 0 });
  });
}

test('a quick verify finds lost and cut packs without reading the others', async () => {
  const parts = await backedUp();
  const [first, second] = parts.packs;
  if (first === undefined || second === undefined) throw new Error('There are too few packs.');
  await unlink(pathOf(parts, first));
  await truncate(pathOf(parts, second), 10);
  const found = await verify(parts.repository, parts.catalog, { depth: 'quick' });
  expect(found.packFaults.map(({ pack }) => pack).sort()).toEqual([first.name, second.name].sort());
  expect(found.packsRead).toBeLessThanOrEqual(3);
});

test('a journal that was changed or lost is named, although the catalog still knows what it said', async () => {
  const parts = await backedUp();
  const [one, two] = await gathered(parts.repository.listRuns());
  if (one === undefined || two === undefined) throw new Error('There are too few runs.');
  const path = join(parts.folder, 'journals', one.run, '00000002');
  const bytes = await readFile(path);
  await writeFile(
    path,
    Buffer.concat([bytes.subarray(0, 60), Buffer.from([(bytes[60] ?? 0) ^ 1]), bytes.subarray(61)]),
  );
  await unlink(join(parts.folder, 'journals', two.run, '00000001'));
  const found = await verify(parts.repository, parts.catalog, { depth: 'full' });
  expect(found.journalFaults.map(({ run }) => run).sort()).toEqual([one.run, two.run]);
  expect(found.damagedItems).toEqual([]);
});

/** A mailbox of which one item stays and one is deleted, and the pack that had both is lost. */
async function lostPack() {
  const parts = await database.parts();
  const written = new WrittenObject('ada', 'drive');
  const put = (to: WrittenObject, id: string, bytes: Buffer) =>
    to.put(id, { kind: 'file', name: id, parentId: null, contents: { file: bytes } });
  const random = new Random(4);
  const [bytes, others] = [random.bytes(9_000), random.bytes(9_000)];
  put(written, 'stays', bytes);
  put(written, 'goes', others);
  const back = (...objects: WrittenObject[]) =>
    backUp({ ...parts, source: new WrittenSource(...objects), signal: new AbortController().signal }, JOB);
  await back(written);
  written.remove('goes');
  await back(written);
  const [pack] = await gathered(parts.catalog.listPacks());
  if (pack === undefined) throw new Error('There is no pack.');
  const path = pathOf(parts, pack);
  const stored = await readFile(path);
  await unlink(path);
  return { parts, written, put, back, bytes, pack, path, stored };
}

const stateAt = async ({ repository, catalog }: TestParts, { object }: WrittenObject) => {
  const key = repository.objectKey(object);
  return restoredState(repository, catalog, key, (await catalog.object(key))?.revision ?? 0);
};

test('the next backup stores again what a verify found lost, and asks its source for it; what the source no longer has stays named', async () => {
  const { parts, written, put, back, bytes } = await lostPack();
  const { repository, catalog } = parts;
  expect(await verify(repository, catalog, { depth: 'quick' })).toMatchObject({
    itemsToRead: 1,
    damagedItems: { length: 2 },
  });
  expect(await verify(repository, catalog, { depth: 'quick' })).toMatchObject({
    itemsToRead: 0,
    damagedItems: { length: 2 },
  });
  const bob = new WrittenObject('bob', 'drive');
  put(bob, 'copy', bytes);
  const result = await back(bob, written);
  expect(result).toMatchObject({ outcome: 'Success', counts: { itemsRead: 2 } });
  for (const whole of [bob, written]) expect(await stateAt(parts, whole)).toEqual(writtenState(whole));
  const after = await verify(repository, catalog, { depth: 'full' });
  expect(after.damagedItems.map(({ version }) => version.name)).toEqual(['goes']);
  expect((await back(bob, written)).counts).toMatchObject({ itemsRead: 0, itemsLost: 0 });
});

test('a rebuilt catalog knows what was found lost, and a prune keeps the one whole copy and the name of what has none', async () => {
  const { parts, written, back, pack } = await lostPack();
  const { repository, catalog } = parts;
  await verify(repository, catalog, { depth: 'quick' });
  const before = await catalog.fingerprint();
  await rebuild(repository, catalog);
  expect(await catalog.fingerprint()).toEqual(before);
  await back(written);
  await prune(repository, catalog, { before: new Date(0) });
  expect(await stateAt(parts, written)).toEqual(writtenState(written));
  const found = await verify(repository, catalog, { depth: 'full' });
  expect(found.packFaults).toMatchObject([{ pack: pack.name }]);
  expect(found.damagedItems.map(({ version }) => version.name)).toEqual(['goes']);
  // When the lost item is no longer needed, its pack is forgotten.
  await prune(repository, catalog, { before: new Date() });
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({ packFaults: [], damagedItems: [] });
  expect(await stateAt(parts, written)).toEqual(writtenState(written));
});

test('a pack that came back from a copy is counted on again', async () => {
  const { parts, path, stored, pack } = await lostPack();
  await verify(parts.repository, parts.catalog, { depth: 'quick' });
  const marked = await parts.catalog.damagedChunks();
  expect(marked.get(pack.name)?.length).toBe(pack.chunks.length);
  await writeFile(path, stored);
  expect(await verify(parts.repository, parts.catalog, { depth: 'quick' })).toMatchObject({ packFaults: [] });
  expect((await parts.catalog.damagedChunks()).size).toBe(0);
});
