import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import { Random } from '../testing/random.ts';
import { useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { prune } from './prune.ts';

const database = useDatabase();
const DAY_MS = 86_400_000;

/** Two organizations whose jobs have one id: one was backed up on four days, the other goes on until the tenth. */
async function bed(days: { contoso?: number; fabrikam?: number }) {
  let day = 0;
  const now = () => new Date(Date.UTC(2026, 0, 1) + day * DAY_MS);
  const parts = await database.parts({ now });
  const { repository, catalog } = parts;
  const random = new Random(5);
  const points: { organization: string; day: number; run: string }[] = [];
  const mailbox = (organizationId: string) => {
    const written = new WrittenObject('ada');
    Object.assign(written.object, { organizationId });
    return written;
  };
  const objects = { contoso: mailbox('contoso'), fabrikam: mailbox('fabrikam') };
  const back = async (organization: 'contoso' | 'fabrikam') => {
    const written = objects[organization];
    written.put('note', { kind: 'message', name: 'Note', parentId: null, contents: { mime: random.bytes(2_000) } });
    const source = Object.assign(new WrittenSource(written), { organizationId: organization });
    const { [organization]: keepDays } = days;
    const job = {
      id: 'default',
      name: 'Default',
      selection: EVERYTHING,
      ...(keepDays === undefined ? {} : { keepDays }),
    };
    const { signal } = new AbortController();
    points.push({ organization, day, run: (await backUp({ ...parts, source, signal, now }, job)).run });
  };
  for (; day < 10; day += 1) {
    if (day < 4) await back('contoso');
    await back('fabrikam');
  }
  day = 9;
  const left = async (of: string) => {
    const there: number[] = [];
    for (const { organization, day: at, run } of points)
      if (organization === of && (await catalog.restorePoint(run)) !== null) there.push(at);
    return there;
  };
  return { repository, catalog, now, left };
}

test('jobs of two organizations with one id have a retention each', async () => {
  const { repository, catalog, now, left } = await bed({ contoso: 2, fabrikam: 5 });
  const { jobs } = await prune(repository, catalog, { now });
  expect(jobs.map(({ organizationId, job }) => `${organizationId}/${job}`)).toEqual([
    'contoso/default',
    'fabrikam/default',
  ]);
  expect(await left('contoso')).toEqual([2, 3]);
  expect(await left('fabrikam')).toEqual([5, 6, 7, 8, 9]);
  const fingerprint = await catalog.fingerprint();
  await rebuild(repository, catalog);
  expect(await catalog.fingerprint()).toEqual(fingerprint);
  expect(await prune(repository, catalog, { now })).toMatchObject({ restorePoints: 0, versions: 0 });
});

test('of two organizations one has days of its own, and the other none: its restore points stay', async () => {
  const { repository, catalog, now, left } = await bed({ fabrikam: 3 });
  await prune(repository, catalog, { now });
  expect(await left('contoso')).toEqual([0, 1, 2, 3]);
  expect(await left('fabrikam')).toEqual([7, 8, 9]);
});

test('days of a job that several organizations have are for the one that is named with it', async () => {
  const { repository, catalog, now, left } = await bed({});
  await expect(prune(repository, catalog, { now, keepDaysOf: new Map([['default', 2]]) })).rejects.toMatchObject({
    code: 'bad-request',
    message: expect.stringContaining('contoso/default, fabrikam/default'),
  });
  await prune(repository, catalog, { now, keepDaysOf: new Map([['fabrikam/default', 2]]) });
  expect(await left('contoso')).toEqual([0, 1, 2, 3]);
  expect(await left('fabrikam')).toEqual([8, 9]);
});
