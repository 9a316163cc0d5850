import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import type { RepositoryOptions } from '../repository/open-repository.ts';
import { openRepository } from '../repository/open-repository.ts';
import { FaultStore } from '../testing/fault/fault-store.ts';
import { Random } from '../testing/random.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { PASSWORD, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { catchUp } from './catch-up.ts';
import { rebuild } from './rebuild.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };

/** A file that Ada's last run but one brought, and Bob's after it shares: the journal that knows where it is gets lost. */
async function bed(options: RepositoryOptions = {}) {
  const parts = await database.parts(options);
  const { repository, catalog, folder } = parts;
  const random = new Random(21);
  const [ada, bob] = [new WrittenObject('ada', 'drive'), new WrittenObject('bob', 'drive')];
  const put = (to: WrittenObject, name: string, bytes = random.bytes(9_000)) =>
    to.put(name, { kind: 'file', name, parentId: null, contents: { file: bytes } });
  const back = async (...objects: WrittenObject[]) => {
    const { signal } = new AbortController();
    const now = options.now === undefined ? {} : { now: options.now };
    const result = await backUp({ repository, catalog, source: new WrittenSource(...objects), signal, ...now }, JOB);
    expect(result.outcome).toBe('Success');
    return result.run;
  };
  put(ada, 'a');
  await back(ada);
  const shared = random.bytes(9_000);
  put(ada, 'b', shared);
  const lost = await back(ada);
  put(bob, 'b', shared);
  put(ada, 'c');
  await back(ada, bob);
  const other = await database.anotherCatalog(repository.id);
  await catchUp(repository, other);
  await rm(join(folder, 'journals', lost), { recursive: true });
  const expectWhole = async () => {
    await back(ada, bob);
    for (const written of [ada, bob]) {
      const key = repository.objectKey(written.object);
      const state = await restoredState(repository, catalog, key, await catalog.revisionOf(key));
      expect(state).toEqual(writtenState(written));
    }
    const whole = { journalFaults: [], packFaults: [], damagedItems: [], mismatch: null };
    expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject(whole);
    expect(await rebuild(repository, catalog)).toMatchObject({ lost: [] });
  };
  return { ...parts, other, expectWhole };
}

test.each([
  ['the new generation', /^generations\//],
  ['its lock', /^locks\//],
  ['what is to be read again', /^journals\//],
  ['what was accepted', /^losses\//],
])('a rebuild that ends before it has written %s accepts nothing, and the next one all of it', async (_, names) => {
  const { repository, catalog, store, other, expectWhole } = await bed();
  const failing = await openRepository(
    new FaultStore(store, [{ kind: 'fail', calls: ['create'], names }], 1),
    PASSWORD,
  );
  await expect(rebuild(failing, catalog, { acceptLoss: true })).rejects.toMatchObject({ code: 'store-unreachable' });
  expect((await repository.acceptedLosses()).isEmpty).toBe(true);
  await expect(rebuild(repository, other)).rejects.toMatchObject({ code: 'damaged' });
  await rebuild(repository, catalog, { acceptLoss: true });
  await expect(catchUp(repository, other)).rejects.toMatchObject({ code: 'damaged' });
  await expectWhole();
});

test('a rebuild that accepts a loss waits for a prune before it marks what is to be read again', async () => {
  const { repository, catalog, expectWhole } = await bed();
  const generation = await catalog.generation();
  const lock = await repository.lock('exclusive');
  const rebuilding = rebuild(repository, catalog, { acceptLoss: true });
  await expect.poll(() => catalog.generation(), { timeout: 30_000 }).not.toBe(generation);
  await lock.release();
  expect(await rebuilding).toMatchObject({ itemsToRead: 1 });
  await expectWhole();
});

test('what runs of a machine lacked whose clock was ahead is read again', async () => {
  const now = () => new Date(Date.now() + 365 * 86_400_000);
  const { repository, catalog, expectWhole } = await bed({ now });
  await rebuild(repository, catalog, { acceptLoss: true });
  const [point] = await catalog.listRestorePoints({ limit: 1, offset: 0 });
  expect(point?.outcome).toBe('Warning');
  await expectWhole();
});
