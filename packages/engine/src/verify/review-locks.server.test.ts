import { expect, onTestFinished, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { prune } from '../prune/prune.ts';
import { JOB, shortenLocked } from '../prune/prune-bed.fixture.ts';
import { catchUp } from '../rebuild/catch-up.ts';
import { createRepository } from '../repository/open-repository.ts';
import { openStore } from '../store/open-store.ts';
import { startVersioningS3 } from '../store/s3/versioning-s3.fixture.ts';
import { Random } from '../testing/random.ts';
import { CHEAP, PASSWORD, SMALL_CHUNKS, useDatabase } from '../testing/test-parts.ts';
import { WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from './verify.ts';

const database = useDatabase();
const DAY_MS = 86_400_000;
const LASTING = /^(?:keepwatch-repository|keys\/|packs\/|journals\/|segments\/)/;

async function bed(place = '&lock-days=30') {
  const clock = { aheadMs: 0 };
  const bucket = await startVersioningS3(clock);
  onTestFinished(() => bucket.stop());
  const keys = { AWS_ACCESS_KEY_ID: 't', AWS_SECRET_ACCESS_KEY: 't' };
  const store = await openStore(`s3://bucket?endpoint=${bucket.endpoint}${place}`, keys);
  onTestFinished(() => store.close());
  const repository = await createRepository(store, PASSWORD, { passwordCost: CHEAP, chunkSizes: SMALL_CHUNKS });
  const parts = { repository, catalog: await database.catalog().repository(repository.id) };
  const ada = new WrittenObject('ada', 'drive');
  const random = new Random(9);
  const back = async (name: string) => {
    ada.put(name, { kind: 'file', name, parentId: null, contents: { file: random.bytes(9_000) } });
    return backUp({ ...parts, source: new WrittenSource(ada), signal: new AbortController().signal }, JOB);
  };
  /** For how many days from now each lasting object is locked, by the clock of the server. */
  const daysLeft = (prefix = '') =>
    new Map(
      [...bucket.keys].flatMap(([key, [version]]) => {
        if (!LASTING.test(key) || !key.startsWith(prefix)) return [];
        const until = Date.parse(version?.retainUntil ?? '') - Date.now() - clock.aheadMs;
        return [[key, Math.round(until / DAY_MS)] as const];
      }),
    );
  return { ...parts, ada, bucket, back, daysLeft, passDays: (days: number) => (clock.aheadMs += days * DAY_MS) };
}

test('what is in use is locked again once a day, when half of its days are over', async () => {
  const { back, daysLeft, passDays } = await bed();
  await back('one');
  const first = [...daysLeft('packs/').keys()];
  passDays(10);
  await back('two');
  expect(first.map((name) => daysLeft().get(name))).toEqual(first.map(() => 20));
  passDays(6);
  await back('three');
  for (const name of ['keepwatch-repository', ...first]) expect([name, daysLeft().get(name)]).toEqual([name, 30]);
  expect([...daysLeft('journals/').values()].filter((days) => days < 15)).toEqual([]);
  expect([...daysLeft('keys/').values()]).toEqual([30]);
  // The second run's are as they were: half of their time is still to come.
  expect([...daysLeft('packs/').values()].sort()).toEqual([24, 30, 30]);
});

test('a verify reports how much is not locked, and nothing of it where no locks are configured', async () => {
  const { repository, catalog, back, passDays } = await bed();
  await back('one');
  expect(await verify(repository, catalog, { depth: 'quick' })).toMatchObject({ locks: { unlocked: 0 } });
  passDays(31);
  const { locks } = await verify(repository, catalog, { depth: 'quick' });
  expect(locks?.unlocked).toBeGreaterThan(4);
  await back('two');
  expect(await verify(repository, catalog, { depth: 'quick' })).toMatchObject({ locks: { unlocked: 0 } });
  const free = await bed('');
  await free.back('one');
  expect(await verify(free.repository, free.catalog, { depth: 'quick' })).toMatchObject({ locks: null });
});

test('a pack that was retired and is still locked is locked no longer than it was', async () => {
  const { repository, catalog, ada, back, daysLeft, passDays } = await bed();
  await back('one');
  const [pack = ''] = daysLeft('packs/').keys();
  ada.remove('one');
  await back('two');
  await prune(repository, catalog, { before: new Date() });
  passDays(16);
  await back('three');
  expect(daysLeft().get(pack)).toBe(14);
});

test('a segment is locked in the place of its journals, which are deleted when their locks have ended', async () => {
  const { repository, catalog, back, daysLeft, passDays } = await bed();
  const shorten = async () => {
    await catchUp(repository, catalog);
    return shortenLocked(repository, catalog, { runsASegment: 3 });
  };
  for (const name of ['one', 'two', 'three']) await back(name);
  const journals = [...daysLeft('journals/').keys()];
  passDays(2);
  await back('four');
  expect(await shorten()).toMatchObject({ segments: 1, runs: 3, locked: 0 });
  await catchUp(repository, catalog);
  passDays(16);
  await back('five');
  expect([...daysLeft('segments/').values()]).toEqual([30]);
  expect(journals.map((name) => daysLeft('journals/').get(name))).toEqual(journals.map(() => 12));
  expect(await shorten()).toMatchObject({ deleted: 0, locked: 3, lockedUntil: expect.any(Date) });
  passDays(13);
  expect(await shorten()).toMatchObject({ deleted: 3, locked: 0 });
  expect(journals.filter((name) => daysLeft('journals/').has(name))).toEqual([]);
  expect((await verify(repository, catalog, { depth: 'full' })).journalFaults).toEqual([]);
});
