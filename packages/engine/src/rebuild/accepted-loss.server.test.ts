import { chmod, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { gathered } from '../testing/gathered.ts';
import { Random } from '../testing/random.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { catchUp } from './catch-up.ts';
import { rebuild } from './rebuild.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };

afterEach(() => vi.useRealTimers());

const back = ({ repository, catalog }: TestParts, ...objects: WrittenObject[]) =>
  backUp({ repository, catalog, source: new WrittenSource(...objects), signal: new AbortController().signal }, JOB);

/** Five runs, each with one more item, and the paths of their commits. */
async function fiveRuns() {
  const parts = await database.parts();
  const random = new Random(21);
  const written = new WrittenObject('ada', 'drive');
  const put = (to: WrittenObject, name: string, bytes = random.bytes(9_000)) =>
    to.put(name, { kind: 'file', name, parentId: null, contents: { file: bytes } });
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    put(written, name);
    expect((await back(parts, written)).outcome).toBe('Success');
  }
  const runs = (await gathered(parts.repository.listRuns())).map(({ run }) => run);
  const pathOf = (run = '', sequence = '') => join(parts.folder, 'journals', run, sequence);
  return { parts, written, put, runs, pathOf };
}

type Bed = Awaited<ReturnType<typeof fiveRuns>>;

async function spoil(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[60] = (bytes[60] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

const LOSSES: [name: string, lose: (bed: Bed) => Promise<void>][] = [
  ['a commit in the middle', ({ runs, pathOf }) => unlink(pathOf(runs[1], '00000001'))],
  ['the last commit', ({ runs, pathOf }) => unlink(pathOf(runs[4], '00000002'))],
  ['a run', ({ runs, pathOf }) => rm(pathOf(runs[1]), { recursive: true })],
  ['what one commit says', ({ runs, pathOf }) => spoil(pathOf(runs[1], '00000002'))],
  ['what the end of the last run says', ({ runs, pathOf }) => spoil(pathOf(runs[4], '00000002'))],
];

test.each(LOSSES)('after the loss of %s was accepted nothing reports it again', async (_, lose) => {
  const bed = await fiveRuns();
  const { parts, written } = bed;
  const { repository, catalog } = parts;
  await lose(bed);
  expect((await verify(repository, catalog, { depth: 'full' })).journalFaults).not.toEqual([]);
  expect((await rebuild(repository, catalog, { acceptLoss: true })).lost).not.toEqual([]);
  const settled = await verify(repository, catalog, { depth: 'full' });
  expect(settled).toMatchObject({ journalFaults: [], packFaults: [], damagedItems: [], mismatch: null });
  expect(settled.accepted.commits).toBeGreaterThan(0);
  const before = await catalog.fingerprint();
  expect(await rebuild(repository, catalog)).toMatchObject({ lost: [] });
  expect(await catalog.fingerprint()).toEqual(before);
  await catalog.clear();
  await catchUp(repository, catalog);
  const result = await back(parts, written);
  expect(result.outcome).toBe('Success');
  const [[key, revision] = ['', 0]] = result.objects;
  expect(await restoredState(repository, catalog, key, revision)).toEqual(writtenState(written));
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({ journalFaults: [], damagedItems: [] });
});

test('a commit that was changed is named, with what to do, before anything is accepted', async () => {
  const { parts, runs, pathOf } = await fiveRuns();
  await spoil(pathOf(runs[1], '00000002'));
  const { journalFaults } = await verify(parts.repository, parts.catalog, { depth: 'full' });
  expect(journalFaults).toEqual([{ run: runs[1], fault: 'commit 2 was changed or cut after it was written' }]);
  await expect(rebuild(parts.repository, parts.catalog)).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringMatching(
      /commit 2 cannot be read, although it is there\. .*from a copy.*a rebuild that accepts the loss/,
    ),
  });
});

test('another loss is reported, also of a run of which something was accepted as lost', async () => {
  const { parts, runs, pathOf } = await fiveRuns();
  const { repository, catalog } = parts;
  await unlink(pathOf(runs[1], '00000001'));
  await rebuild(repository, catalog, { acceptLoss: true });
  await unlink(pathOf(runs[1], '00000002'));
  await unlink(pathOf(runs[2], '00000001'));
  const { journalFaults } = await verify(repository, catalog, { depth: 'quick' });
  expect(journalFaults.map(({ run }) => run)).toEqual(expect.arrayContaining([runs[1], runs[2]]));
  await expect(rebuild(repository, catalog)).rejects.toMatchObject({ code: 'damaged' });
});

test('restore points name the objects that lack what is lost; those before the loss and after the next backup do not', async () => {
  const { parts, written, runs, pathOf } = await fiveRuns();
  const { repository, catalog } = parts;
  await rm(pathOf(runs[2]), { recursive: true });
  await rebuild(repository, catalog, { acceptLoss: true });
  await back(parts, written);
  const listed = (await catalog.listRestorePoints({ limit: 10, offset: 0 })).toReversed();
  const points = await Promise.all(listed.map(async ({ run }) => catalog.restorePoint(run.id)));
  const key = repository.objectKey(written.object);
  expect(points.map((point) => point?.outcome)).toEqual(['Success', 'Success', 'Warning', 'Warning', 'Success']);
  expect(points.map((point) => point?.findings.objects?.[key])).toEqual([
    undefined,
    undefined,
    'incomplete',
    'incomplete',
    undefined,
  ]);
  expect(points[3]?.findings.failures).toEqual([
    {
      objectName: written.object.name,
      objectKey: key,
      message: expect.stringMatching(/lost journal.*missing in this restore point/),
    },
  ]);
});

test('what is lost before a revision of which the loss was accepted is another loss, and is read again', async () => {
  const { parts, written, runs, pathOf } = await fiveRuns();
  const { repository, catalog } = parts;
  await rm(pathOf(runs[3]), { recursive: true });
  await rebuild(repository, catalog, { acceptLoss: true });
  expect((await back(parts, written)).outcome).toBe('Success');
  await rm(pathOf(runs[2]), { recursive: true });
  await expect(rebuild(repository, catalog)).rejects.toMatchObject({ code: 'damaged' });
  expect((await rebuild(repository, catalog, { acceptLoss: true })).lost).not.toEqual([]);
  const [before] = await catalog.listRestorePoints({ limit: 1, offset: 0 });
  expect(before?.outcome).toBe('Warning');
  const result = await back(parts, written);
  expect(result.outcome).toBe('Success');
  const [[key, revision] = ['', 0]] = result.objects;
  expect(await restoredState(repository, catalog, key, revision)).toEqual(writtenState(written));
  expect(await rebuild(repository, catalog)).toMatchObject({ lost: [] });
});

test('an item of another object, whose bytes only a lost journal could find, is read again by the next backup', async () => {
  const { parts, written, put, pathOf } = await fiveRuns();
  const { repository, catalog } = parts;
  const bytes = new Random(22).bytes(9_000);
  put(written, 'first', bytes);
  await back(parts, written);
  const bob = new WrittenObject('bob', 'drive');
  put(bob, 'same', bytes);
  await back(parts, written, bob);
  const sixth = (await gathered(repository.listRuns()))[5]?.run;
  await rm(pathOf(sixth), { recursive: true });
  expect(await rebuild(repository, catalog, { acceptLoss: true })).toMatchObject({ itemsToRead: 1 });
  const result = await back(parts, written, bob);
  expect(result.outcome).toBe('Success');
  for (const one of [written, bob]) {
    const object = await catalog.object(repository.objectKey(one.object));
    expect(await restoredState(repository, catalog, object?.key ?? '', object?.revision ?? 0)).toEqual(
      writtenState(one),
    );
  }
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({ damagedItems: [], journalFaults: [] });
});

test('a pack of which no copy is left is accepted with the rest, and items that were deleted since raise no alarm', async () => {
  const { parts, written } = await fiveRuns();
  const { repository, catalog } = parts;
  written.remove('a');
  await back(parts, written);
  const [pack] = await gathered(catalog.listPacks());
  await unlink(join(parts.folder, 'packs', pack?.name.slice(0, 2) ?? '', pack?.name ?? ''));
  expect(await verify(repository, catalog, { depth: 'quick' })).toMatchObject({ damagedItems: { length: 1 } });
  await rebuild(repository, catalog, { acceptLoss: true });
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({
    packFaults: [],
    damagedItems: [],
    accepted: { packs: 1, itemVersions: 1 },
  });
});

test.each([
  ['ahead', 1],
  ['behind', -1],
])(
  'what a lost journal had is read again also where the runs after it came from a clock a year %s',
  async (_, sign) => {
    const parts = await database.parts();
    const { repository, catalog } = parts;
    const written = new WrittenObject('ada', 'drive');
    const put = (name: string) =>
      written.put(name, { kind: 'file', name, parentId: null, contents: { file: Buffer.from(name) } });
    put('a');
    await back(parts, written);
    put('b');
    const lost = await back(parts, written);
    put('c');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + sign * 365 * 86_400_000 });
    const later = await back(parts, written);
    vi.useRealTimers();
    await rm(join(parts.folder, 'journals', lost.run), { recursive: true });
    await rebuild(repository, catalog, { acceptLoss: true });
    const key = repository.objectKey(written.object);
    // Another machine reads what was accepted.
    await catalog.clear();
    await catchUp(repository, catalog);
    const point = await catalog.restorePoint(later.run);
    expect([point?.outcome, point?.findings.objects?.[key]]).toEqual(['Warning', 'incomplete']);
    const next = await back(parts, written);
    expect(next.outcome).toBe('Success');
    expect(await restoredState(repository, catalog, key, next.objects[0]?.[1] ?? 0)).toEqual(writtenState(written));
  },
);
/** Two packs, each with what one run brought of eight messages: those of the first run have no current version any more. */
async function twoPacks() {
  const parts = await database.parts();
  const random = new Random(6);
  const written = new WrittenObject('bob');
  const packs: string[] = [];
  for (let run = 0; run < 2; run += 1) {
    for (let item = 0; item < 8; item += 1)
      written.put(`m${item}`, {
        kind: 'message',
        name: 'M',
        parentId: null,
        contents: { mime: random.bytes(200_000) },
      });
    await back(parts, written);
    const stored = (await gathered(parts.repository.listPacks())).map(({ name }) => name);
    packs.push(...stored.filter((name) => !packs.includes(name)));
  }
  const pathOf = (at: number) => join(parts.folder, 'packs', packs[at]?.slice(0, 2) ?? '', packs[at] ?? '');
  const flip = async (at: number) => {
    await chmod(pathOf(at), 0o600);
    const bytes = await readFile(pathOf(at));
    bytes[200] = (bytes[200] ?? 0) ^ 1;
    await writeFile(pathOf(at), bytes);
  };
  return { parts, written, packs, pathOf, flip };
}

test('what a pack loses after something of it was accepted as lost is a fault', async () => {
  const { parts, packs, pathOf, flip } = await twoPacks();
  const { repository, catalog } = parts;
  await flip(0);
  const flipped = await verify(repository, catalog, { depth: 'full' });
  expect(flipped.packFaults).toHaveLength(1);
  // Those of one group of chunks.
  const first = flipped.damagedItems.length;
  expect([1, 2]).toContain(first);
  await rebuild(repository, catalog, { acceptLoss: true });
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({
    packFaults: [],
    damagedItems: [],
    accepted: { packs: 1, itemVersions: first },
  });
  await unlink(pathOf(0));
  const lost = {
    packFaults: [{ pack: packs[0] }],
    damagedItems: { length: 8 - first },
    accepted: { packs: 0, itemVersions: first },
  };
  expect(await verify(repository, catalog, { depth: 'quick' })).toMatchObject(lost);
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject(lost);
  await rebuild(repository, catalog, { acceptLoss: true });
  const settled = { packFaults: [], damagedItems: [], accepted: { packs: 1, itemVersions: 8 } };
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject(settled);
});

test('what was accepted as lost stays so beside a fault of another pack', async () => {
  const { parts, written, packs, flip } = await twoPacks();
  const { repository, catalog } = parts;
  await flip(0);
  const { length: first } = (await verify(repository, catalog, { depth: 'full' })).damagedItems;
  expect(first).toBeGreaterThan(0);
  await rebuild(repository, catalog, { acceptLoss: true });
  await flip(1);
  const found = await verify(repository, catalog, { depth: 'full' });
  expect(found).toMatchObject({ packFaults: [{ pack: packs[1] }], accepted: { packs: 1, itemVersions: first } });
  expect([1, 2]).toContain(found.damagedItems.length);
  for (const { version } of found.damagedItems) expect(version.lastRevision).toBeNull();
  expect(found.itemsToRead).toBe(found.damagedItems.length);
  await back(parts, written);
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({
    packFaults: [{ pack: packs[1] }],
    damagedItems: [],
  });
});

test('a chunk that was accepted as lost in one pack, and is lost in the next one that has it, is a fault', async () => {
  const { parts, written, packs, pathOf } = await twoPacks();
  const { repository, catalog } = parts;
  await unlink(pathOf(1));
  await verify(repository, catalog, { depth: 'full' });
  await rebuild(repository, catalog, { acceptLoss: true });
  await back(parts, written);
  const again = (await gathered(repository.listPacks())).find(({ name }) => !packs.includes(name))?.name ?? '';
  for (let item = 0; item < 8; item += 1) written.remove(`m${item}`);
  await back(parts, written);
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({ packFaults: [], damagedItems: [] });
  await unlink(join(parts.folder, 'packs', again.slice(0, 2), again));
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({
    packFaults: [{ pack: again }],
    damagedItems: { length: 8 },
  });
});

test('a catalog refuses a commit that lacks what was not accepted as lost, beside what was', async () => {
  const parts = await database.parts();
  const { repository, catalog } = parts;
  const random = new Random(7);
  const [ada, bob] = [new WrittenObject('ada'), new WrittenObject('bob')];
  const write = async (...objects: WrittenObject[]) => {
    for (const written of objects)
      written.put('n', { kind: 'message', name: 'N', parentId: null, contents: { mime: random.bytes(900) } });
    return (await back(parts, ...objects)).run;
  };
  await write(ada, bob);
  const ofAda = await write(ada);
  const ofBob = await write(bob);
  const last = await write(ada, bob);
  const lose = (run: string) => rm(join(parts.folder, 'journals', run), { recursive: true });
  await lose(ofAda);
  await rebuild(repository, catalog, { acceptLoss: true });
  await lose(ofBob);
  await catalog.clear();
  for (let attempt = 0; attempt < 2; attempt += 1)
    await expect(catchUp(repository, catalog), `attempt ${attempt}`).rejects.toMatchObject({ code: 'damaged' });
  expect(await catalog.restorePoint(last)).toBeNull();
  await rebuild(repository, catalog, { acceptLoss: true });
  expect(await catalog.restorePoint(last)).not.toBeNull();
});
