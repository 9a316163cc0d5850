import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { gathered } from '../testing/gathered.ts';
import { type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, itemOf, WrittenObject, WrittenSource } from '../testing/written-source.ts';
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

test('a catalog that is made anew is the one that was lost, also where a run with an earlier name brought the later revision', async () => {
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

test('a commit that is missing is named, never guessed over', async () => {
  const parts = await database.parts();
  const written = new WrittenObject('ada', 'drive');
  for (const id of ['a', 'b']) {
    written.put(id, file);
    await back(parts, written);
  }
  const [one, two] = await gathered(parts.repository.listRuns());
  await unlink(join(parts.folder, 'journals', one?.run ?? '', '00000002'));
  const lost = rebuild(parts.repository, parts.catalog);
  await expect(lost).rejects.toMatchObject({ code: 'damaged', message: expect.stringContaining(two?.run ?? '') });
  await unlink(join(parts.folder, 'journals', two?.run ?? '', '00000001'));
  await expect(rebuild(parts.repository, parts.catalog)).rejects.toMatchObject({
    message: expect.stringMatching(/^Commit 1 of run .* is missing/),
  });
});
