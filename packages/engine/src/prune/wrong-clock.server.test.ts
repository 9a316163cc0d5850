import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { openRepository } from '../repository/open-repository.ts';
import { gathered } from '../testing/gathered.ts';
import { SkewedStore } from '../testing/skewed-store.ts';
import { PASSWORD, useDatabase } from '../testing/test-parts.ts';
import { WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { prune } from './prune.ts';
import { JOB } from './prune-bed.fixture.ts';

const database = useDatabase();
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

/** A repository in a store whose clock differs from this machine's by so much. */
async function bed(aheadMs: number) {
  const parts = await database.parts();
  const repository = await openRepository(new SkewedStore(parts.store, aheadMs), PASSWORD);
  const ada = new WrittenObject('ada', 'drive');
  const source = new WrittenSource(ada);
  const back = () => backUp({ ...parts, repository, source, signal: new AbortController().signal }, JOB);
  const put = (text: string) =>
    ada.put('file', { kind: 'file', name: 'File', parentId: null, contents: { file: Buffer.from(text) } });
  put('one');
  return {
    ...parts,
    repository,
    key: repository.objectKey(ada.object),
    back,
    put,
    storeNow: () => Date.now() + aheadMs,
  };
}

const near = (at: Date | undefined, ms: number) => expect(Math.abs((at?.getTime() ?? 0) - ms)).toBeLessThan(60_000);

test.each([
  ['behind', YEAR_MS],
  ['ahead', -YEAR_MS],
])(
  'of a machine whose clock is a year %s every instant is the store’s, an alert says so, and nothing is pruned',
  async (_, aheadMs) => {
    const { repository, catalog, key, back, put, storeNow } = await bed(aheadMs);
    await back();
    put('two');
    const result = await back();
    expect(result).toMatchObject({ outcome: 'Success', findings: { alerts: [{ code: 'wrong-clock' }] } });
    near(result.finishedAt, storeNow());
    near((await catalog.restorePoint(result.run))?.run.startedAt, storeNow());
    // What the second run replaced ended then, by the store's clock.
    const around = new Date(storeNow());
    expect(await catalog.expirable(new Date(around.getTime() - DAY_MS))).toMatchObject({ versions: 0 });
    expect(await catalog.expirable(new Date(around.getTime() + DAY_MS))).toMatchObject({ versions: 1 });
    const before = await gathered(repository.listRuns());
    await expect(prune(repository, catalog, { keepDays: 0 })).rejects.toMatchObject({
      code: 'wrong-clock',
      message: expect.stringMatching(/365 days (behind|ahead)/),
    });
    expect(await gathered(repository.listRuns())).toEqual(before);
    expect((await gathered(catalog.walk(key, 1, null))).length).toBe(1);
    expect(await gathered(repository.listLocks())).toEqual([]);
  },
);

test('days are counted back from the newest restore point: what no backup has followed stays', async () => {
  const parts = await database.parts();
  const ada = new WrittenObject('ada', 'drive');
  let now = new Date(Date.now() - 100 * DAY_MS);
  const back = () =>
    backUp({ ...parts, source: new WrittenSource(ada), signal: new AbortController().signal, now: () => now }, JOB);
  for (const text of ['one', 'two', 'three']) {
    ada.put('file', { kind: 'file', name: 'File', parentId: null, contents: { file: Buffer.from(text) } });
    await back();
    now = new Date(now.getTime() + 10 * DAY_MS);
  }
  // For 80 days nothing was backed up. By today's clock all that was replaced would be older than 15 days.
  const { versions, before } = await prune(parts.repository, parts.catalog, { keepDays: 15 });
  expect(versions).toBe(0);
  near(before ?? undefined, Date.now() - 95 * DAY_MS);
  expect((await prune(parts.repository, parts.catalog, { keepDays: 5 })).versions).toBe(1);
});

test('a restore point that a wrong clock put into the future lets nothing go before its time', async () => {
  const parts = await database.parts();
  const ada = new WrittenObject('ada', 'drive');
  const at = (now: Date) =>
    backUp({ ...parts, source: new WrittenSource(ada), signal: new AbortController().signal, now: () => now }, JOB);
  for (const now of [new Date(), new Date(), new Date(Date.now() + 5 * YEAR_MS)]) {
    ada.put('file', { kind: 'file', name: 'File', parentId: null, contents: { file: Buffer.from(now.toISOString()) } });
    await at(now);
  }
  const { versions, before } = await prune(parts.repository, parts.catalog, { keepDays: 30 });
  expect(versions).toBe(0);
  near(before ?? undefined, Date.now() - 30 * DAY_MS);
});

test('a source whose answers differ from the clock of this machine is reported', async () => {
  const { repository, catalog } = await bed(0);
  const source = new WrittenSource(new WrittenObject('ada', 'drive'));
  const skewed = Object.assign(source, { skewMs: () => 20 * 60_000 });
  const result = await backUp({ repository, catalog, source: skewed, signal: new AbortController().signal }, JOB);
  expect(result.findings.alerts).toMatchObject([
    { code: 'wrong-clock', message: expect.stringMatching(/20 minutes ahead/) },
  ]);
});
