import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { erase } from '../erase/erase.ts';
import { prune } from '../prune/prune.ts';
import { openRepository } from '../repository/open-repository.ts';
import { countingStore } from '../testing/counting-store.ts';
import { gathered } from '../testing/gathered.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { PASSWORD, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { rebuild } from './rebuild.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };
const HUGE = '90000000';
/** Of runs that there never were, long ago and in the far future. */
const FOREIGN = ['019ab111-0000-7000-8000-000000000001', 'ffffffff-ffff-7fff-bfff-ffffffffffff'];
/** Far more than this work takes, and far less than there are numbers. */
const REQUESTS_MAX = 2_000;

/** A repository with two runs whose requests are counted, and a way to write what another program left there. */
async function counted() {
  const { folder, store, repository: first, catalog } = await database.parts();
  const { store: counting, requests } = countingStore(store);
  const repository = await openRepository(counting, PASSWORD);
  const ada = new WrittenObject('ada', 'drive');
  const put = (name: string) =>
    ada.put(name, { kind: 'file', name, parentId: null, contents: { file: Buffer.from(`bytes of ${name}`) } });
  const back = () =>
    backUp({ repository, catalog, source: new WrittenSource(ada), signal: new AbortController().signal }, JOB);
  for (const name of ['a', 'b']) {
    put(name);
    await back();
  }
  const write = async (name: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), 'not ours');
  };
  /** Requests that the work takes. */
  const within = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    requests.clear();
    const result = await work();
    const sum = [...requests.values()].reduce((all, some) => all + some, 0);
    expect(sum).toBeLessThan(REQUESTS_MAX);
    return result;
  };
  const [{ run } = { run: '' }] = await gathered(first.listRuns());
  return { folder, repository, catalog, ada, put, back, write, within, run };
}

test('a journal with a huge number is named, and takes no request for each number below it', async () => {
  const { repository, catalog, ada, put, back, write, within } = await counted();
  for (const run of FOREIGN) await write(`journals/${run}/${HUGE}`);
  const found = await within(() => verify(repository, catalog, { depth: 'full' }));
  expect(new Set(found.journalFaults.map(({ run }) => run))).toEqual(new Set(FOREIGN));
  expect(found.journalFaults.map(({ fault }) => fault)).toContain(
    'commits 1 to 89999999 are missing, although commit 90000000 is there',
  );
  await expect(within(back)).rejects.toMatchObject({ code: 'damaged' });
  await expect(within(() => rebuild(repository, catalog))).rejects.toMatchObject({ code: 'damaged' });
  const { lost } = await within(() => rebuild(repository, catalog, { acceptLoss: true }));
  expect(new Set(lost.map(({ run }) => run))).toEqual(new Set(FOREIGN));
  const settled = await within(() => verify(repository, catalog, { depth: 'full' }));
  expect(settled).toMatchObject({ journalFaults: [], packFaults: [], damagedItems: [], mismatch: null });
  put('c');
  const result = await within(back);
  expect(result.outcome).toBe('Success');
  const [[key, revision] = ['', 0]] = result.objects;
  expect(await restoredState(repository, catalog, key, revision)).toEqual(writtenState(ada));
  await within(() => prune(repository, catalog, { keepDays: 0 }));
  await catalog.clear();
  expect(await within(() => rebuild(repository, catalog))).toMatchObject({ lost: [] });
});

test.each([
  ['next', '00000003'],
  ['huge', HUGE],
])('what bears the %s number behind the end of a run stops nothing, and is not touched', async (_, number) => {
  const { folder, repository, catalog, ada, put, back, write, within, run } = await counted();
  const stray = `journals/${run}/${number}`;
  await write(stray);
  const whole = { journalFaults: [], packFaults: [], damagedItems: [], mismatch: null };
  expect(await within(() => verify(repository, catalog, { depth: 'full' }))).toMatchObject(whole);
  put('c');
  expect((await within(back)).outcome).toBe('Success');
  await within(() => prune(repository, catalog, { keepDays: 0 }));
  for (const isEmpty of [false, true]) {
    if (isEmpty) await catalog.clear();
    expect(await within(() => rebuild(repository, catalog))).toMatchObject({ lost: [] });
  }
  const [[key, revision] = ['', 0]] = (await within(back)).objects;
  expect(await restoredState(repository, catalog, key, revision)).toEqual(writtenState(ada));
  const request = { subject: { type: 'object', id: key }, reason: 'Request 17', by: 'Grace' } as const;
  expect(await within(() => erase(repository, catalog, request))).toMatchObject({ objects: [key] });
  expect(String(await readFile(join(folder, stray)))).toBe('not ours');
});
