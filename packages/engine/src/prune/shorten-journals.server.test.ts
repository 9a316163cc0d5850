import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type BackupResult, backUp } from '../backup/backup.ts';
import { erase } from '../erase/erase.ts';
import { allRuns } from '../rebuild/all-runs.ts';
import { catchUp } from '../rebuild/catch-up.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import { openRepository } from '../repository/open-repository.ts';
import type { Repository } from '../repository/repository.ts';
import { openFolderStore } from '../store/folder/folder-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { AgingStore } from '../testing/aging-store.ts';
import { countingStore } from '../testing/counting-store.ts';
import { FaultStore } from '../testing/fault/fault-store.ts';
import { gathered } from '../testing/gathered.ts';
import { restoredState, type State, writtenState } from '../testing/restored-state.ts';
import { openTestCatalog } from '../testing/test-catalog.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { CHEAP, PASSWORD, type TestParts, testFolder, useDatabase } from '../testing/test-parts.ts';
import { WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { prune } from './prune.ts';
import { ageObjects, JOB, shortenLocked } from './prune-bed.fixture.ts';

const database = useDatabase();
const RUNS_A_SEGMENT = 4;
const DAY_HOURS = 30;

type Parts = Pick<TestParts, 'repository' | 'catalog'>;

/** A repository with backups, each of which changes one of two drives. */
async function bed(runs: number) {
  const parts = await database.parts();
  const drives = [new WrittenObject('ada', 'drive'), new WrittenObject('bob', 'drive')];
  const states: { result: BackupResult; states: State[] }[] = [];
  let number = 0;
  const back = async (by: Parts = parts) => {
    const written = drives[number % 2];
    written?.put(`file ${number % 5}`, {
      kind: 'file',
      name: `file ${number % 5}`,
      parentId: null,
      contents: { file: Buffer.from(`bytes ${number}`) },
    });
    number += 1;
    const source = new WrittenSource(...drives);
    const result = await backUp({ ...by, source, signal: new AbortController().signal }, JOB);
    states.push({ result, states: drives.map(writtenState) });
    return result;
  };
  for (let run = 0; run < runs; run += 1) await back();
  const expectWhole = async ({ repository, catalog }: Parts) => {
    for (const { result, states: expected } of states)
      for (const [at, { object }] of drives.entries()) {
        const key = repository.objectKey(object);
        const revision = new Map(result.objects).get(key) ?? 0;
        expect(await restoredState(repository, catalog, key, revision)).toEqual(expected[at]);
      }
  };
  return { parts, drives, back, expectWhole, folder: parts.folder };
}

/** Once with what is older than a day, and a day later: then journals are deleted. */
async function shorten(parts: Parts, folder: string, back: () => Promise<unknown>) {
  const done = [];
  for (const of of ['journals', 'segments']) {
    await ageObjects(folder, of, DAY_HOURS).catch(() => undefined);
    await back();
    await catchUp(parts.repository, parts.catalog);
    done.push(await shortenLocked(parts.repository, parts.catalog, { runsASegment: RUNS_A_SEGMENT }));
  }
  return done;
}

const namesIn = async (folder: string, of: string) =>
  (await readdir(join(folder, of), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
const opened = (store: ObjectStore) => openRepository(store, PASSWORD, { passwordCost: CHEAP });
const runIds = async (repository: Repository) => (await gathered(allRuns(repository))).map(({ run }) => run);

async function expectSound({ repository, catalog }: Parts) {
  const found = await verify(repository, catalog, { depth: 'full' });
  expect(found).toMatchObject({ journalFaults: [], packFaults: [], mismatch: null });
}

test('journals of ended runs become segments, and go a day later; every catalog comes to the same', {
  timeout: 120_000,
}, async () => {
  const { parts, back, expectWhole, folder } = await bed(10);
  const behind = { ...parts, catalog: await database.anotherCatalog(parts.repository.id) };
  await catchUp(behind.repository, behind.catalog);
  await back();
  const runs = await runIds(parts.repository);
  const [first, second] = await shorten(parts, folder, back);
  expect([first, second]).toMatchObject([
    { segments: 2, runs: 8, deleted: 0 },
    { segments: 0, runs: 0, deleted: 8 },
  ]);
  expect(await namesIn(folder, 'segments')).toHaveLength(2);
  expect(await readdir(join(folder, 'journals'))).toHaveLength(5);
  expect((await runIds(parts.repository)).slice(0, runs.length)).toEqual(runs);
  await expectSound(parts);
  await expectWhole(parts);
  const fingerprint = await parts.catalog.fingerprint();
  const fresh = { ...parts, catalog: await database.anotherCatalog(parts.repository.id) };
  for (const other of [behind, fresh]) {
    await catchUp(other.repository, other.catalog);
    expect(await other.catalog.fingerprint()).toEqual(fingerprint);
    expect((await other.catalog.segments()).size).toBe(2);
  }
  await rebuild(parts.repository, parts.catalog);
  expect(await parts.catalog.fingerprint()).toEqual(fingerprint);
  expect((await back(behind)).outcome).toBe('Success');
  await expectWhole(behind);
});

test('a run lists what is in no segment, and reads a segment once', { timeout: 120_000 }, async () => {
  const { parts, back, folder } = await bed(12);
  const { store, requests, takeRequests } = countingStore(parts.store);
  const counted = { ...parts, repository: await opened(store) };
  await shorten(parts, folder, back);
  await back(counted);
  takeRequests();
  await back(counted);
  expect([...requests].filter(([request]) => request.endsWith(' segments'))).toEqual([['list segments', 1]]);
  expect(requests.get('read journals') ?? 0).toBeLessThan(6);
});

test('killed at any request, a shortening loses nothing, and the next one ends it', { timeout: 600_000 }, async () => {
  const { url, drop } = await createTestDatabase();
  const others = await openTestCatalog(url);
  onTestFinished(async () => {
    await others.close();
    await drop();
  });
  const { parts, back, expectWhole, folder } = await bed(9);
  await ageObjects(folder, 'journals', DAY_HOURS);
  await back();
  await catchUp(parts.repository, parts.catalog);
  const fingerprint = await parts.catalog.fingerprint();
  let kills = 0;
  for (const isDeleting of [false, true])
    for (let at = 1, isKilled = true; isKilled; at += 1)
      for (const kind of ['die-before', 'die-after'] as const) {
        if (isDeleting) await ageObjects(folder, 'segments', DAY_HOURS);
        const dead = Promise.withResolvers<string>();
        const faults = [{ kind, calls: ['create', 'delete'], names: /^(segments|journals)\//, at }] as const;
        const copy = await testFolder();
        await cp(folder, copy, { recursive: true, preserveTimestamps: true });
        const store = new AgingStore(await openFolderStore(copy));
        const faulty = await opened(new FaultStore(store, faults, 1, () => dead.resolve('dead')));
        const work = shortenLocked(faulty, parts.catalog, { runsASegment: RUNS_A_SEGMENT }).then(() => 'ended');
        isKilled = (await Promise.race([work, dead.promise])) === 'dead';
        if (isKilled) kills += 1;
        const repository = await opened(store);
        // A catalog that never saw it, and the one that was used, find the same.
        const other = await others.repository(`${parts.repository.id} ${isDeleting} ${at} ${kind}`);
        for (const catalog of [other, parts.catalog]) {
          await catchUp(repository, catalog);
          expect(await catalog.fingerprint()).toEqual(fingerprint);
        }
        await shortenLocked(repository, other, { runsASegment: RUNS_A_SEGMENT });
        await catchUp(repository, other);
        expect(await other.fingerprint()).toEqual(fingerprint);
        // The next one begins where the first is whole.
        await catchUp(parts.repository, parts.catalog);
        if (!isKilled && !isDeleting && kind === 'die-after') {
          await shortenLocked(parts.repository, parts.catalog, { runsASegment: RUNS_A_SEGMENT });
          await catchUp(parts.repository, parts.catalog);
        }
      }
  expect(kills).toBeGreaterThan(30);
  await expectSound(parts);
  await expectWhole(parts);
});

test('a run that was closed, or that lives, keeps its journal', { timeout: 60_000 }, async () => {
  const { parts, back, folder } = await bed(4);
  const header = { kind: 'backup', job: 'job', jobName: 'Job', organizationId: 'contoso' } as const;
  const dead = await parts.repository.startRun(header, parts.catalog);
  await parts.catalog.apply(await dead.commit({}));
  await dead.abandon();
  for (let run = 0; run < 3; run += 1) await back();
  const living = await parts.repository.startRun(header, parts.catalog);
  await parts.catalog.apply(await living.commit({}));
  await shorten(parts, folder, back);
  const journals = await readdir(join(folder, 'journals'));
  expect(journals).toContain(dead.id);
  expect(journals).toContain(living.id);
  // The process that was thought dead meets what closed it.
  const zombie = await parts.repository.closeRun(dead.id, 1, living.id);
  expect(zombie.at(-1)?.closedBy).not.toBe(living.id);
  await living.abandon();
});

test('one changed bit in a segment is one lost commit at most, and a verify names it', {
  timeout: 120_000,
}, async () => {
  const { parts, back, folder } = await bed(10);
  await shorten(parts, folder, back);
  const [segment] = await namesIn(folder, 'segments');
  const path = join(segment?.parentPath ?? '', segment?.name ?? '');
  const bytes = await readFile(path);
  const flipped = async (at: number) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    await writeFile(path, changed);
    const repository = await opened(parts.store);
    return (await verify(repository, parts.catalog, { depth: 'full' })).journalFaults;
  };
  // In its first directory: the second one is used.
  for (const at of [0, 9, 30]) expect(await flipped(at)).toEqual([]);
  expect(await flipped(bytes.length - 100)).toEqual([]);
  expect(await flipped(1_000)).toMatchObject([{ fault: expect.stringMatching(/commit \d+ was changed or cut/) }]);
});

test('a segment that is lost is named, and can be accepted as lost', { timeout: 120_000 }, async () => {
  const { parts, back, folder } = await bed(10);
  await shorten(parts, folder, back);
  const [segment] = await namesIn(folder, 'segments');
  const path = join(segment?.parentPath ?? '', segment?.name ?? '');
  await writeFile(path, Buffer.from('no segment'));
  const repository = await opened(parts.store);
  const { journalFaults } = await verify(repository, parts.catalog, { depth: 'full' });
  expect(journalFaults.length).toBeGreaterThan(3);
  await expect(rebuild(repository, parts.catalog)).rejects.toMatchObject({ code: 'damaged' });
  expect((await rebuild(repository, parts.catalog, { acceptLoss: true })).lost.length).toBeGreaterThan(0);
  expect((await verify(repository, parts.catalog, { depth: 'full' })).journalFaults).toEqual([]);
  expect((await back({ repository, catalog: parts.catalog })).outcome).toBe('Success');
  const other = await database.anotherCatalog(repository.id);
  await catchUp(repository, other);
  expect(await other.fingerprint()).toEqual(await parts.catalog.fingerprint());
});

test('an older copy without its segments and journals is refused, one that still has the journals is not', {
  timeout: 120_000,
}, async () => {
  const { parts, back, folder } = await bed(9);
  await ageObjects(folder, 'journals', DAY_HOURS);
  await back();
  const early = await testFolder();
  await cp(folder, early, { recursive: true, preserveTimestamps: true });
  await catchUp(parts.repository, parts.catalog);
  await shortenLocked(parts.repository, parts.catalog, { runsASegment: RUNS_A_SEGMENT });
  await catchUp(parts.repository, parts.catalog);
  expect((await parts.catalog.segments()).size).toBe(2);
  const copy = await opened(await openFolderStore(early));
  await catchUp(copy, parts.catalog);
  expect((await parts.catalog.segments()).size).toBe(0);
  await catchUp(parts.repository, parts.catalog);
  await back();
  await expect(catchUp(copy, parts.catalog)).rejects.toMatchObject({ code: 'damaged' });
  await catchUp(parts.repository, parts.catalog);
});

const subjectOf = ({ repository }: Parts, written: WrittenObject | undefined) => ({
  type: 'object' as const,
  id: written === undefined ? '' : repository.objectKey(written.object),
});

async function textOf(repository: Repository): Promise<string> {
  const commits = [];
  for await (const { run, commits: count } of allRuns(repository, { isReading: true }))
    for (let sequence = 1; sequence <= count; sequence += 1) commits.push(await repository.findCommit(run, sequence));
  // Beside those of segments, which come first.
  for await (const { run, commits: count } of repository.listRuns())
    for (let sequence = 1; sequence <= count; sequence += 1)
      commits.push(await repository.findOwnCommit(run, sequence));
  return JSON.stringify(commits);
}

test('what is erased vanishes from segments too', { timeout: 120_000 }, async () => {
  const { parts, drives, back, folder } = await bed(10);
  await shorten(parts, folder, back);
  const { repository, catalog } = parts;
  await erase(repository, catalog, { subject: subjectOf(parts, drives[0]), reason: 'test' });
  const again = await opened(parts.store);
  expect(await textOf(again)).not.toMatch(/Object ada/);
  expect(await textOf(again)).toMatch(/Object bob/);
  expect((await namesIn(folder, 'segments')).map(({ name }) => name.slice(-5))).toEqual(['-0001', '-0001']);
  await expectSound({ repository: again, catalog });
  const fresh = await database.anotherCatalog(repository.id);
  await catchUp(again, fresh);
  expect(await fresh.fingerprint()).toEqual(await catalog.fingerprint());
});

test('an erasure that was killed anywhere in journals and segments is ended by the next prune', {
  timeout: 600_000,
}, async () => {
  const { url, drop } = await createTestDatabase();
  const others = await openTestCatalog(url);
  onTestFinished(async () => {
    await others.close();
    await drop();
  });
  const { parts, drives, back, folder } = await bed(6);
  await ageObjects(folder, 'journals', DAY_HOURS);
  await back();
  await catchUp(parts.repository, parts.catalog);
  await shortenLocked(parts.repository, parts.catalog, { runsASegment: RUNS_A_SEGMENT });
  // Beside its segment each journal is still there: both have to be written again.
  let [kills, ends] = [0, 0];
  for (let at = 1, isKilled = true; isKilled; at += 1) {
    const dead = Promise.withResolvers<string>();
    const copy = await testFolder();
    await cp(folder, copy, { recursive: true, preserveTimestamps: true });
    const store = new AgingStore(await openFolderStore(copy));
    const faults = [{ kind: 'die-after', calls: ['create', 'delete'], names: /^(segments|journals)\//, at }] as const;
    const faulty = await opened(new FaultStore(store, faults, 1, () => dead.resolve('dead')));
    const catalog = await others.repository(`${parts.repository.id} ${at}`);
    await catchUp(faulty, catalog);
    const work = erase(faulty, catalog, { subject: subjectOf(parts, drives[0]), reason: 'test' }).then(() => 'ended');
    isKilled = (await Promise.race([work, dead.promise])) === 'dead';
    await store.ageLocks();
    const repository = await opened(store);
    await catchUp(repository, catalog);
    const isErased = (await catalog.listErasures()).length > 0;
    // What still says it is not copied into another segment.
    if (await catalog.isErasureUnfinished())
      expect(await shortenLocked(repository, catalog, { runsASegment: 1 })).toMatchObject({
        segments: 0,
        deleted: 0,
      });
    await prune(repository, catalog, { keepDays: 365, runsASegment: RUNS_A_SEGMENT });
    if (isKilled) kills += 1;
    if (!isErased) continue;
    ends += 1;
    expect(await textOf(await opened(store))).not.toMatch(/Object ada/);
    const left = await Promise.all((await namesIn(copy, 'segments')).map(({ name }) => name.slice(-5)));
    expect(left).toEqual(['-0001']);
  }
  expect([kills > 15, ends > 10]).toEqual([true, true]);
});
