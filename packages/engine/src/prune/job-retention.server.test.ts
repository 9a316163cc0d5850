import { expect, test } from 'vitest';
import { type BackupResult, backUp } from '../backup/backup.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import { Random } from '../testing/random.ts';
import { restoredState, type State, writtenState } from '../testing/restored-state.ts';
import { useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { prune } from './prune.ts';

const database = useDatabase();
const DAY_MS = 86_400_000;

/** For how many days the restore points of a job stay, as each run says it; of some runs by their day. */
type Days = number | ((day: number) => number | null | undefined);

/** Two jobs over ten days: one of Ada and Eve with few days, one of Bob and Eve with many or as many as all others. */
async function bed(days: { short?: Days; long?: Days }) {
  let day = 0;
  const now = () => new Date(Date.UTC(2026, 0, 1) + day * DAY_MS);
  const parts = await database.parts({ now });
  const random = new Random(5);
  const objects = { ada: new WrittenObject('ada'), bob: new WrittenObject('bob'), eve: new WrittenObject('eve') };
  const points: { job: string; day: number; result: BackupResult; states: Map<string, State> }[] = [];
  const back = async (job: 'short' | 'long', ...written: WrittenObject[]) => {
    const { [job]: given } = days;
    const keepDays = typeof given === 'function' ? given(day) : given;
    const of = { id: job, name: job, selection: EVERYTHING, ...(keepDays === undefined ? {} : { keepDays }) };
    const { signal } = new AbortController();
    const result = await backUp({ ...parts, source: new WrittenSource(...written), signal, now }, of);
    expect(result.outcome).toBe('Success');
    const states = new Map(written.map((one) => [parts.repository.objectKey(one.object), writtenState(one)]));
    points.push({ job, day, result, states });
  };
  const change = () => {
    for (const written of Object.values(objects))
      written.put('note', { kind: 'message', name: 'Note', parentId: null, contents: { mime: random.bytes(9_000) } });
  };
  for (; day < 10; day += 1) {
    change();
    await back('short', objects.ada, objects.eve);
    change();
    await back('long', objects.bob, objects.eve);
  }
  day = 9;
  const { repository, catalog } = parts;
  const left = async () => {
    const there: string[] = [];
    for (const { job, day: of, result, states } of points) {
      const point = await catalog.restorePoint(result.run);
      if (point === null) continue;
      there.push(`${job} ${of}`);
      expect(point.objects.length).toBe(2);
      for (const [key, revision] of point.objects)
        expect(await restoredState(repository, catalog, key, revision)).toEqual(states.get(key));
    }
    return there;
  };
  const versions = async (of: WrittenObject) =>
    (await catalog.versionsOf(repository.objectKey(of.object), 'note')).length;
  return { ...parts, objects, left, versions, now };
}

const of = (job: string, ...days: number[]) => days.map((day) => `${job} ${day}`);

test('restore points of a job stay for its own days; an object of two jobs stays for the longer ones', async () => {
  const { repository, catalog, objects, left, versions, now } = await bed({ short: 2, long: 6 });
  await prune(repository, catalog, { now });
  const expected = [...of('short', 8, 9), ...of('long', 4, 5, 6, 7, 8, 9)].sort();
  expect((await left()).sort()).toEqual(expected);
  expect([await versions(objects.ada), await versions(objects.bob)]).toEqual([3, 7]);
  expect(await versions(objects.eve)).toBeGreaterThan(12);
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({
    damagedItems: [],
    unreferencedPacks: 0,
  });
  const fingerprint = await catalog.fingerprint();
  await rebuild(repository, catalog);
  expect(await catalog.fingerprint()).toEqual(fingerprint);
  expect((await left()).sort()).toEqual(expected);
  expect(await prune(repository, catalog, { now })).toMatchObject({ versions: 0, restorePoints: 0, packsRetired: 0 });
});

test('a job without days of its own stays as long as all others are asked to, and without that for ever', async () => {
  const { repository, catalog, left, now } = await bed({ short: 2 });
  await prune(repository, catalog, { now });
  expect((await left()).sort()).toEqual([...of('short', 8, 9), ...of('long', 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)].sort());
  await prune(repository, catalog, { keepDays: 5, now });
  expect((await left()).sort()).toEqual([...of('short', 8, 9), ...of('long', 5, 6, 7, 8, 9)].sort());
});

test('days that are asked for of a job take the place of those its runs say; without any at all nothing is pruned', async () => {
  const { repository, catalog, left, now } = await bed({});
  await expect(prune(repository, catalog, { now })).rejects.toMatchObject({ code: 'bad-request' });
  await prune(repository, catalog, { keepDaysOf: new Map([['long', 1]]), now });
  expect((await left()).sort()).toEqual([...of('short', 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), ...of('long', 9)].sort());
  await prune(repository, catalog, { keepDays: 3, keepDaysOf: new Map([['long', 8]]), now });
  expect((await left()).sort()).toEqual([...of('short', 7, 8, 9), ...of('long', 9)].sort());
  const fingerprint = await catalog.fingerprint();
  await rebuild(repository, catalog);
  expect(await catalog.fingerprint()).toEqual(fingerprint);
});

test('a name that no job has is refused, with those there are, and nothing goes', async () => {
  const { repository, catalog, left, now } = await bed({});
  const all = await left();
  for (const dryRun of [true, false])
    await expect(
      prune(repository, catalog, { keepDays: 2, keepDaysOf: new Map([['Long', 3_650]]), dryRun, now }),
    ).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringMatching(/No job 'Long' has restore points.*contoso\/long, contoso\/short/),
    });
  expect(await left()).toEqual(all);
});

test('a run that says nothing of days leaves those that the job has, until one ends them', async () => {
  const said = await bed({ short: (day) => (day < 2 ? 3 : undefined), long: (day) => (day === 0 ? 6 : undefined) });
  await prune(said.repository, said.catalog, { keepDays: 1, now: said.now });
  // The runs that said so are expired by now.
  await prune(said.repository, said.catalog, { keepDays: 1, now: said.now });
  expect((await said.left()).sort()).toEqual([...of('short', 7, 8, 9), ...of('long', 4, 5, 6, 7, 8, 9)].sort());
  const ended = await bed({ short: (day) => (day === 9 ? null : 3), long: 6 });
  await prune(ended.repository, ended.catalog, { now: ended.now });
  expect((await ended.left()).sort()).toEqual(
    [...of('short', 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), ...of('long', 4, 5, 6, 7, 8, 9)].sort(),
  );
});
