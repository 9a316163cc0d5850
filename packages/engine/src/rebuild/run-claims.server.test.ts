import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type BackupResult, backUp } from '../backup/backup.ts';
import { ageObjects } from '../prune/prune-bed.fixture.ts';
import type { ObjectSection } from '../repository/commit.ts';
import { openRepository } from '../repository/open-repository.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { AgingStore } from '../testing/aging-store.ts';
import { countingStore } from '../testing/counting-store.ts';
import { FaultStore } from '../testing/fault/fault-store.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { openTestCatalog } from '../testing/test-catalog.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { CHEAP, PASSWORD, type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { catchUp } from './catch-up.ts';
import { ObjectOwnership } from './object-ownership.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };

function drive(id: string, ...names: string[]): WrittenObject {
  const written = new WrittenObject(id, 'drive');
  for (const name of names) put(written, name);
  return written;
}

const put = (written: WrittenObject, name: string) =>
  written.put(name, { kind: 'file', name, parentId: null, contents: { file: Buffer.from(`bytes of ${name}`) } });

function back(parts: Pick<TestParts, 'repository' | 'catalog'>, ...objects: WrittenObject[]): Promise<BackupResult> {
  return backUp({ ...parts, source: new WrittenSource(...objects), signal: new AbortController().signal }, JOB);
}

const opened = (store: ObjectStore) => openRepository(store, PASSWORD, { passwordCost: CHEAP });
const claimsIn = (folder: string) => readdir(join(folder, 'claims'));

async function expectWhole({ repository, catalog }: Pick<TestParts, 'repository' | 'catalog'>, written: WrittenObject) {
  const key = repository.objectKey(written.object);
  const revision = (await catalog.object(key))?.revision ?? 0;
  expect(await restoredState(repository, catalog, key, revision)).toEqual(writtenState(written));
}

/** A run of another machine that owns objects, as a backup does. */
async function begun(parts: Pick<TestParts, 'repository' | 'catalog'>) {
  const header = { kind: 'backup', job: 'job', jobName: 'Job', organizationId: 'contoso' } as const;
  const run = await parts.repository.startRun(header, parts.catalog);
  await catchUp(parts.repository, parts.catalog);
  await parts.catalog.apply(await run.commit({ follows: await parts.catalog.unfollowed() }));
  return { run, ownership: new ObjectOwnership(parts.repository, parts.catalog, run, () => undefined) };
}

function sectionOf({ object }: WrittenObject, key: string, revision: number): ObjectSection {
  const change = { type: 'cursor', scope: 'all', value: String(revision) } as const;
  return { ...object, key, revision, at: new Date(), changes: [change] };
}

test('a run of 400 objects claims them with hardly more requests than one of 40', { timeout: 120_000 }, async () => {
  const requestsOf = async (objects: number) => {
    const { store, catalog } = await database.parts();
    const { store: counted, takeRequests } = countingStore(store);
    const parts = { repository: await opened(counted), catalog };
    const drives = Array.from({ length: objects }, (_, at) => drive(`d${at}`, 'a'));
    expect((await back(parts, ...drives)).objects).toHaveLength(objects);
    takeRequests();
    for (const one of drives) put(one, 'b');
    expect((await back(parts, ...drives)).counts.itemsRead).toBe(objects);
    return takeRequests('claims', 'objects');
  };
  const [few, many] = [await requestsOf(40), await requestsOf(400)];
  expect(few).toBeLessThan(20);
  expect(many).toBeLessThan(30);
});

test('who claims an object that a run has given back and goes on follows what that run wrote', async () => {
  const one = await database.parts();
  const two = { ...one, catalog: await database.anotherCatalog(one.repository.id) };
  const [ada, bob] = [drive('ada'), drive('bob')];
  const [adaKey, bobKey] = [one.repository.objectKey(ada.object), one.repository.objectKey(bob.object)];
  const first = await begun(one);
  const second = await begun(two);
  const owned = await first.ownership.own(adaKey);
  await one.catalog.apply(await first.run.commit({ sections: [sectionOf(ada, adaKey, 1)] }));
  await expect(second.ownership.own(adaKey)).rejects.toMatchObject({ code: 'locked' });
  owned.release(1);
  await first.ownership.own(bobKey);
  expect(await second.ownership.own(adaKey)).toMatchObject({ lostRevision: null });
  expect(await two.catalog.revisionOf(adaKey)).toBe(1);
  await expect(second.ownership.own(bobKey)).rejects.toMatchObject({ code: 'locked' });
  for (const { run } of [first, second]) await run.abandon();
});

test('of all that a dead run claimed nothing is begun before what it wrote is read, even if another run closed it', async () => {
  const one = await database.parts();
  const store = new AgingStore(one.store);
  const machine = async () => ({
    repository: await opened(store),
    catalog: await database.anotherCatalog(one.repository.id),
  });
  const [dead, closing, later] = [await machine(), await machine(), await machine()];
  const [ada, bob] = [drive('ada'), drive('bob')];
  const [adaKey, bobKey] = [one.repository.objectKey(ada.object), one.repository.objectKey(bob.object)];
  const gone = await begun(dead);
  gone.ownership.claim([adaKey, bobKey]);
  await gone.ownership.own(adaKey);
  await store.ageLocks();
  // Both know of the dead run, and of each other; its last commit comes after they looked.
  const closer = await begun(closing);
  const waiting = await begun(later);
  await gone.run.commit({ sections: [sectionOf(ada, adaKey, 1)] });
  await closer.ownership.own(bobKey);
  expect(await waiting.ownership.own(adaKey)).toMatchObject({ lostRevision: null });
  expect(await later.catalog.revisionOf(adaKey)).toBe(1);
  for (const { run } of [closer, waiting]) await run.abandon();
});

test('a run that was killed at any request for its claims keeps no object from the next', {
  timeout: 240_000,
}, async () => {
  const { url, drop } = await createTestDatabase();
  const others = await openTestCatalog(url);
  onTestFinished(async () => {
    await others.close();
    await drop();
  });
  for (let at = 1, isKilled = true; isKilled; at += 1)
    for (const kind of ['die-before', 'die-after'] as const) {
      const parts = await database.parts();
      const store = new AgingStore(parts.store);
      const dead = Promise.withResolvers<string>();
      const faults = [{ kind, names: /^claims\//, at }] as const;
      const faulty = new FaultStore(store, faults, 1, () => dead.resolve('dead'));
      const drives = Array.from({ length: 20 }, (_, number) => drive(`d${number}`, 'a'));
      const run = back({ ...parts, repository: await opened(faulty) }, ...drives).then(() => 'ended');
      isKilled = (await Promise.race([run, dead.promise])) === 'dead';
      await store.ageLocks();
      const other = { repository: await opened(store), catalog: await others.repository(parts.repository.id) };
      for (const one of drives) put(one, 'b');
      expect(await back(other, ...drives)).toMatchObject({
        outcome: 'Success',
        findings: { failures: [], alerts: [] },
      });
      for (const one of drives.slice(0, 3)) await expectWhole(other, one);
      expect((await claimsIn(parts.folder)).filter((name) => !name.includes('-ended-'))).toEqual([]);
    }
});

test('commits that are lost before another run names them are reported once for each object, when it is read', async () => {
  const one = await database.parts();
  const two = { ...one, catalog: await database.anotherCatalog(one.repository.id) };
  const [ada, bob] = [drive('ada', 'a'), drive('bob', 'a')];
  await back(one, ada, bob);
  for (const written of [ada, bob]) put(written, 'b');
  const { run } = await back(one, ada, bob);
  await rm(join(one.folder, 'journals', run), { recursive: true });
  const codes = async (...objects: WrittenObject[]) =>
    (await back(two, ...objects)).findings.alerts.map(({ code }) => code);
  expect(await codes(ada)).toEqual(['lost-revision']);
  expect(await codes(ada)).toEqual([]);
  expect(await codes(ada, bob)).toEqual(['lost-revision']);
  expect(await codes(ada, bob)).toEqual([]);
  for (const written of [ada, bob]) await expectWhole(two, written);
});

test('how runs ended is deleted when others name them and it is hours old', async () => {
  const parts = await database.parts();
  const ada = drive('ada', 'a');
  for (let run = 0; run < 4; run += 1) await back(parts, ada);
  expect(await claimsIn(parts.folder)).toHaveLength(4);
  await ageObjects(parts.folder, 'claims', 3);
  const { run } = await back(parts, ada);
  expect((await claimsIn(parts.folder)).map((name) => name.slice(0, 36))).toEqual([run]);
});
