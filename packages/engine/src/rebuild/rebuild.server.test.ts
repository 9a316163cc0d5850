import { rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { gathered } from '../testing/gathered.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, itemOf, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { catchUp } from './catch-up.ts';
import { rebuild } from './rebuild.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };
const file = { kind: 'file', name: 'File', parentId: null, contents: { file: Buffer.from('bytes') } } as const;

function back(parts: TestParts, ...objects: WrittenObject[]) {
  const signal = new AbortController().signal;
  return backUp({ ...parts, source: new WrittenSource(...objects), signal, objectsAtOnce: 1 }, JOB);
}

/** An earlier run that goes on with an object to which a later run, begun and ended in between, has brought a revision. */
async function overlapping(): Promise<TestParts> {
  const parts = await database.parts();
  const [first, second] = [new WrittenObject('first', 'drive'), new WrittenObject('second', 'drive')];
  first.script = [
    { type: 'item', item: itemOf('a', file), contents: [{ name: 'file', bytes: Buffer.from('one') }] },
    async () => {
      second.put('b', file);
      await back(parts, second);
      second.put('c', file);
    },
  ];
  await back(parts, first, second);
  expect((await parts.catalog.object(parts.repository.objectKey(second.object)))?.revision).toBe(2);
  return parts;
}

test('a rebuilt catalog equals the one that was lost, also where a run with an earlier name brought the later revision', async () => {
  const parts = await overlapping();
  const before = await parts.catalog.fingerprint();
  expect(await rebuild(parts.repository, parts.catalog)).toMatchObject({ runs: 2, restorePoints: 2 });
  expect(await parts.catalog.fingerprint()).toEqual(before);
});

test('a catalog that knows nothing, or a part, catches up with the journals and comes to the same', async () => {
  const parts = await overlapping();
  const before = await parts.catalog.fingerprint();
  await parts.catalog.clear();
  expect((await catchUp(parts.repository, parts.catalog)).commits).toBeGreaterThan(3);
  expect(await parts.catalog.fingerprint()).toEqual(before);
  expect((await catchUp(parts.repository, parts.catalog)).commits).toBe(0);
  await parts.catalog.clear();
  const stop = new AbortController();
  const cut = rebuild(parts.repository, parts.catalog, { signal: stop.signal, onProgress: () => stop.abort() });
  await expect(cut).rejects.toThrow();
  await catchUp(parts.repository, parts.catalog);
  expect(await parts.catalog.fingerprint()).toEqual(before);
});

/** Three runs, each with one more item, and what is removed from their journals. */
async function lossy() {
  const parts = await database.parts();
  const written = new WrittenObject('ada', 'drive');
  for (const id of ['a', 'b', 'c']) {
    written.put(id, { ...file, name: id, contents: { file: Buffer.from(id) } });
    await back(parts, written);
  }
  const runs = (await gathered(parts.repository.listRuns())).map(({ run }) => run);
  const pathOf = (run = '', sequence = '') => join(parts.folder, 'journals', run, sequence);
  return { parts, written, runs, pathOf };
}

type Lossy = Awaited<ReturnType<typeof lossy>>;

const LOSSES: [name: string, lose: (bed: Lossy) => Promise<void>][] = [
  ['the last commit', ({ runs, pathOf }) => unlink(pathOf(runs[2], '00000002'))],
  ['a commit in the middle', ({ runs, pathOf }) => unlink(pathOf(runs[1], '00000001'))],
  ['a run', ({ runs, pathOf }) => rm(pathOf(runs[1]), { recursive: true })],
  ['every journal', ({ pathOf }) => rm(pathOf(), { recursive: true })],
];

test.each(LOSSES)(
  'when %s is lost every verify says so, and the catalog that still knows it is not thrown away',
  async (_, lose) => {
    const bed = await lossy();
    const { parts, written } = bed;
    const { repository, catalog } = parts;
    await lose(bed);
    for (const depth of ['quick', 'full'] as const)
      expect((await verify(repository, catalog, { depth })).journalFaults.length).toBeGreaterThan(0);
    const before = await catalog.fingerprint();
    await expect(rebuild(repository, catalog)).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringMatching(/from a copy.*a rebuild that accepts the loss/),
    });
    expect(await catalog.fingerprint()).toEqual(before);
    const { lost } = await rebuild(repository, catalog, { acceptLoss: true });
    expect(lost.length).toBeGreaterThan(0);
    // What was lost is read again: its object has no cursors, or older ones.
    const result = await back(parts, written);
    expect(result.outcome).toBe('Success');
    const [[key, revision] = ['', 0]] = result.objects;
    expect(await restoredState(repository, catalog, key, revision)).toEqual(writtenState(written));
  },
);

test.each(LOSSES.slice(1, 3))(
  'also without any catalog the loss of %s is seen, by what the journals say of each other',
  async (_, lose) => {
    const bed = await lossy();
    const { repository, catalog } = bed.parts;
    await lose(bed);
    await catalog.clear();
    await expect(rebuild(repository, catalog)).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringMatching(/accepts the loss/),
    });
  },
);

test('the end of a run is missed by the run after it, although every revision is there', async () => {
  const { parts, runs, written, pathOf } = await lossy();
  await back(parts, written);
  const [, , , fourth] = (await gathered(parts.repository.listRuns())).map(({ run }) => run);
  await back(parts, written);
  await unlink(pathOf(fourth, '00000002'));
  await parts.catalog.clear();
  await expect(catchUp(parts.repository, parts.catalog)).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringContaining(fourth ?? 'none'),
  });
  expect(runs).not.toContain(fourth);
});

test('a rebuild that breaks off leaves the catalog as it was', async () => {
  const { parts } = await lossy();
  const before = await parts.catalog.fingerprint();
  const stop = new AbortController();
  const cut = rebuild(parts.repository, parts.catalog, { signal: stop.signal, onProgress: () => stop.abort() });
  await expect(cut).rejects.toThrow();
  expect(await parts.catalog.fingerprint()).toEqual(before);
  await rebuild(parts.repository, parts.catalog);
  expect(await parts.catalog.fingerprint()).toEqual(before);
});
