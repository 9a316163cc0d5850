import { afterEach, expect, test, vi } from 'vitest';
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

afterEach(() => vi.useRealTimers());

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

test.each([
  [300_000, false],
  [-300_000, false],
  [301_000, true],
  [-301_000, true],
])('a source whose clock differs by %i ms is reported: %s', async (skewMs, isReported) => {
  const { repository, catalog } = await bed(0);
  const source = Object.assign(new WrittenSource(new WrittenObject('ada', 'drive')), { skewMs: () => skewMs });
  const result = await backUp({ repository, catalog, source, signal: new AbortController().signal }, JOB);
  expect(result.findings.alerts.map(({ code }) => code)).toEqual(isReported ? ['wrong-clock'] : []);
  near(result.finishedAt, Date.now() - (isReported ? skewMs : 0));
});

/** A repository in a folder of this machine, whose clock, and so the folder's, is ahead of Microsoft's until it is set. */
async function localFolder(aheadMs: number) {
  const parts = await database.parts();
  const ada = new WrittenObject('ada', 'drive');
  const clock = { aheadMs };
  const source = Object.assign(new WrittenSource(ada), { skewMs: () => clock.aheadMs });
  const open = () => openRepository(new SkewedStore(parts.store, clock.aheadMs), PASSWORD);
  const back = async (text: string) => {
    ada.put('file', { kind: 'file', name: 'File', parentId: null, contents: { file: Buffer.from(text) } });
    // A clock that a test sets does not go on, and no two runs end at one instant.
    if (vi.isFakeTimers()) vi.setSystemTime(Date.now() + 1);
    return backUp({ ...parts, repository: await open(), source, signal: new AbortController().signal }, JOB);
  };
  const setClock = (to: number) => {
    clock.aheadMs = to;
    vi.useRealTimers();
    if (to !== 0) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + to });
  };
  setClock(aheadMs);
  return { ...parts, open, back, setClock };
}

test.each([
  ['a year ahead', YEAR_MS],
  ['a year behind', -YEAR_MS],
  ['20 minutes ahead', 20 * 60_000],
])(
  'of a folder on a machine whose clock is %s of Microsoft’s nothing is pruned until the clock is set, and instants are Microsoft’s',
  async (_, aheadMs) => {
    const { catalog, open, back, setClock } = await localFolder(aheadMs);
    const realMs = () => Date.now() - aheadMs;
    await back('one');
    const { run, finishedAt, findings } = await back('two');
    expect(findings.alerts).toMatchObject([{ code: 'wrong-clock', message: expect.stringContaining('the source') }]);
    near(finishedAt, realMs());
    near((await catalog.restorePoint(run))?.run.startedAt, realMs());
    const repository = await open();
    const before = await gathered(repository.listRuns());
    // As if time had passed since, by the wrong clock.
    if (aheadMs > 0) setClock(aheadMs + DAY_MS);
    for (const order of [{ keepDays: 0 }, { before: new Date('2020-01-01') }])
      await expect(prune(repository, catalog, order)).rejects.toMatchObject({ code: 'wrong-clock' });
    expect(await gathered(repository.listRuns())).toEqual(before);
    setClock(0);
    expect((await prune(await open(), catalog, { keepDays: 30 })).versions).toBe(0);
    expect((await prune(await open(), catalog, { keepDays: 0 })).versions).toBe(1);
  },
);

test('a backup by a clock that is right again lets a prune work, however short ago the wrong one was', async () => {
  const { catalog, open, back, setClock } = await localFolder(10 * 60_000);
  await back('one');
  setClock(DAY_MS);
  await expect(prune(await open(), catalog, { keepDays: 0 })).rejects.toMatchObject({ code: 'wrong-clock' });
  setClock(0);
  await back('two');
  expect((await prune(await open(), catalog, { keepDays: 0 })).versions).toBe(1);
});

test('what no clock but this machine’s could say is bounded by the newest restore point', async () => {
  const { repository, catalog, back } = await bed(0);
  expect((await prune(repository, catalog, { keepDays: 30 })).before).toEqual(new Date(0));
  const { finishedAt } = await back();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + YEAR_MS });
  const later = new Date(finishedAt.getTime() + YEAR_MS / 2);
  expect((await prune(repository, catalog, { before: later, dryRun: true })).before).toEqual(
    new Date(finishedAt.getTime() + 1),
  );
});
