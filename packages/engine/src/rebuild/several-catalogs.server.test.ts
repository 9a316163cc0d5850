import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type BackupResult, backUp } from '../backup/backup.ts';
import type { EngineEvent } from '../model/engine-event.ts';
import { NO_COUNTS } from '../model/outcome.ts';
import { prune } from '../prune/prune.ts';
import type { ObjectChange, ObjectSection, RunEnd } from '../repository/commit.ts';
import { openRepository } from '../repository/open-repository.ts';
import { AgingStore } from '../testing/aging-store.ts';
import { gathered } from '../testing/gathered.ts';
import { HidingStore } from '../testing/hiding-store.ts';
import { Random } from '../testing/random.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { openTestCatalog } from '../testing/test-catalog.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { PASSWORD, type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, itemOf, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { catchUpToRead } from './catch-up-to-read.ts';
import { rebuild } from './rebuild.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };

const file = (name: string) =>
  ({ kind: 'file', name, parentId: null, contents: { file: Buffer.from(`bytes of ${name}`) } }) as const;

/** One repository and two machines, each with a catalog of its own, as the command line has by default. */
async function machines(): Promise<{ one: TestParts; two: TestParts; store: AgingStore }> {
  const parts = await database.parts();
  const other = await createTestDatabase();
  const catalogs = await openTestCatalog(other.url);
  onTestFinished(async () => {
    await catalogs.close();
    await other.drop();
  });
  const store = new AgingStore(parts.store);
  const machine = async (catalog: TestParts['catalog']) => ({
    ...parts,
    catalog,
    repository: await openRepository(store, PASSWORD),
  });
  return {
    one: await machine(parts.catalog),
    two: await machine(await catalogs.repository(parts.repository.id)),
    store,
  };
}

const { signal } = new AbortController();

function back(parts: TestParts, ...objects: WrittenObject[]): Promise<BackupResult> {
  return backUp({ ...parts, source: new WrittenSource(...objects), signal }, JOB);
}

function filled(id: string, ...names: string[]): WrittenObject {
  const written = new WrittenObject(id, 'drive');
  for (const name of names) written.put(name, file(name));
  return written;
}

async function expectWhole({ repository, catalog }: TestParts, written: WrittenObject): Promise<void> {
  const key = repository.objectKey(written.object);
  const revision = (await catalog.object(key))?.revision ?? 0;
  expect(await restoredState(repository, catalog, key, revision)).toEqual(writtenState(written));
}

/** The same with a part of it instead of its own. */
const over = <T extends object>(whole: T, part: Partial<T>): T =>
  new Proxy(whole, {
    get: (_, name) => {
      const found: unknown = Reflect.get(name in part ? part : whole, name);
      return typeof found === 'function' ? found.bind(whole) : found;
    },
  });

test('of two machines that begin at the same moment one has the object, the other says so, and both go on afterwards', async () => {
  const { one, two } = await machines();
  const ada = filled('ada', 'a', 'b', 'c');
  const runs: Promise<BackupResult>[] = [];
  // Who has it keeps it until the other has come.
  ada.script = [
    { type: 'item', item: itemOf('a', file('a')), contents: [{ name: 'file', bytes: Buffer.from('bytes of a') }] },
    () => Promise.race(runs).then(() => undefined),
  ];
  runs.push(back(one, ada), back(two, ada));
  const ends = await Promise.all(runs);
  expect(ends.map(({ objects }) => objects.length).sort()).toEqual([0, 1]);
  expect(ends.flatMap(({ findings }) => findings.failures)).toMatchObject([{ objectName: 'Object ada' }]);
  for (const machine of [two, one]) {
    ada.put('d', file(machine === one ? 'later' : 'late'));
    expect((await back(machine, ada)).outcome).toBe('Success');
    await expectWhole(machine, ada);
  }
  await rebuild(one.repository, one.catalog);
  await expectWhole(one, ada);
});

test('a run that a list had left out is heard of after a later one: the next backup makes the catalog again, and each restore point is what it was', async () => {
  const { one, two, store } = await machines();
  const ada = filled('ada', 'a', 'b');
  await back(one, ada);
  await back(two, ada);
  ada.put('a', file('a, changed'));
  const [earlier, stateOfEarlier] = [await back(one, ada), writtenState(ada)];
  ada.put('a', file('a, changed again'));
  ada.put('c', file('c'));
  const forgetful = await openRepository(new HidingStore(store, earlier.run), PASSWORD);
  const [later, stateOfLater] = [await back({ ...two, repository: forgetful }, ada), writtenState(ada)];
  expect(later.objects).toEqual(earlier.objects);
  ada.put('d', file('d'));
  const last = await back(two, ada);
  expect(last.findings.alerts).toMatchObject([{ code: 'doubled-revision' }]);
  const key = two.repository.objectKey(ada.object);
  const stateAt = async (run: string) => {
    const { objects } = (await two.catalog.restorePoint(run)) ?? { objects: [] };
    return restoredState(two.repository, two.catalog, key, new Map(objects).get(key) ?? 0);
  };
  expect(await stateAt(earlier.run)).toEqual(stateOfEarlier);
  expect(await stateAt(later.run)).toEqual(stateOfLater);
  expect(await stateAt(last.run)).toEqual(writtenState(ada));
  expect(await two.catalog.isOutOfOrder()).toBe(false);
});

/** Machine two did not hear of a run of machine one before it made a later one itself; machine one knows both in their order. */
async function heardLate() {
  const bed = await machines();
  const { one, two, store } = bed;
  const ada = filled('ada', 'a', 'b');
  await back(one, ada);
  await back(two, ada);
  ada.put('a', file('a, changed'));
  const earlier = await back(one, ada);
  ada.put('a', file('a, changed again'));
  const hiding = new HidingStore(store, earlier.run);
  const forgetful = { ...two, repository: await openRepository(hiding, PASSWORD) };
  await back(forgetful, ada);
  return { ...bed, ada, forgetful, hiding };
}

test('a prune makes a catalog again that heard of a run too late: what it takes for replaced may be the newest', async () => {
  const { one, two, ada } = await heardLate();
  await back(one, ada);
  await prune(two.repository, two.catalog, { before: new Date() });
  expect(await two.catalog.isOutOfOrder()).toBe(false);
  await back(one, ada);
  await expectWhole(one, ada);
  await expectWhole(two, ada);
});

test('a prune that hears of such a run when it has decided already deletes nothing, and the next one does', async () => {
  const { one, two, ada, forgetful, hiding } = await heardLate();
  const options = { before: new Date(), onProgress: () => hiding.show() };
  await expect(prune(forgetful.repository, two.catalog, options)).rejects.toMatchObject({
    code: 'locked',
    isRetryable: true,
  });
  await prune(two.repository, two.catalog, { before: options.before });
  await back(one, ada);
  await expectWhole(one, ada);
});

test('a list that hides the run once more while the catalog is made again changes nothing: the run is known', async () => {
  const { one, two, ada, forgetful } = await heardLate();
  await catchUpToRead(two.repository, two.catalog);
  await back(forgetful, ada);
  await catchUpToRead(one.repository, one.catalog);
  expect(await two.catalog.fingerprint()).toEqual(await one.catalog.fingerprint());
});

test('a run of which a rebuild hears last of all, after a later one that backed up the same, has the next backup make the catalog again', async () => {
  const { two, ada, forgetful, hiding } = await heardLate();
  const successor = async () => {
    const next = await two.catalog.successor();
    const replace: typeof next.replace = (bringLast) =>
      next.replace(async () => {
        hiding.show();
        await bringLast();
      });
    return { ...next, replace };
  };
  await rebuild(forgetful.repository, over(two.catalog, { successor }));
  expect(await two.catalog.isOutOfOrder()).toBe(true);
  await back(two, ada);
  expect(await two.catalog.isOutOfOrder()).toBe(false);
  await expectWhole(two, ada);
});

test('of backups that begin together with a catalog that is out of order one makes it again, and the others wait', async () => {
  const { two, ada } = await heardLate();
  await catchUpToRead(two.repository, two.catalog);
  const bob = filled('bob', 'b');
  const waits: EngineEvent[] = [];
  const onEvent = (event: EngineEvent) => void (event.type === 'waiting' && waits.push(event));
  await Promise.all([1, 2].map(() => backUp({ ...two, source: new WrittenSource(ada, bob), signal, onEvent }, JOB)));
  expect(waits).toMatchObject([{ on: 'exchange', message: 'Another program is rebuilding this catalog.' }]);
  await expectWhole(two, ada);
  await expectWhole(two, bob);
});

test('a backup that makes its catalog again marks what is missing in its own run, also while a prune waits for it', async () => {
  const { one, two, ada, store } = await heardLate();
  await back(one, ada);
  await catchUpToRead(two.repository, two.catalog);
  const waiting = Promise.withResolvers<void>();
  let prunes: Promise<unknown> = Promise.resolve();
  const isOutOfOrder = async () => {
    const is = await two.catalog.isOutOfOrder();
    if (!is) return is;
    const [{ name } = { name: '' }] = await gathered(store.list('packs/'));
    await store.delete(name);
    const wait = { forMs: 20_000, onWait: () => waiting.resolve() };
    prunes = two.repository.lock('exclusive', wait).then((lock) => lock.release());
    prunes.catch(() => undefined);
    await waiting.promise;
    return is;
  };
  const beganMs = performance.now();
  const result = await back({ ...two, catalog: over(two.catalog, { isOutOfOrder }) }, ada);
  expect(result.findings.alerts).toMatchObject([{ code: 'missing-packs' }]);
  expect(performance.now() - beganMs).toBeLessThan(15_000);
  await prunes;
  await expectWhole(two, ada);
});

test('a restore with a catalog that is out of order says so, as it may show a state that was replaced', async () => {
  const { one, two, ada } = await heardLate();
  const last = await back(one, ada);
  const { behind } = await catchUpToRead(two.repository, two.catalog);
  expect(behind).toMatchObject({ code: 'damaged', message: expect.stringMatching(/Rebuild the catalog/) });
  await rebuild(two.repository, two.catalog);
  expect((await catchUpToRead(two.repository, two.catalog)).behind).toBeNull();
  const key = two.repository.objectKey(ada.object);
  const { objects } = (await two.catalog.restorePoint(last.run)) ?? { objects: [] };
  const revision = new Map(objects).get(key) ?? 0;
  expect(await restoredState(two.repository, two.catalog, key, revision)).toEqual(writtenState(ada));
});

test('a revision that came twice in the order of the runs leaves the catalog as it is, whatever later runs backed up beside it', async () => {
  const { one, two, store } = await machines();
  const [ada, bob] = [filled('ada', 'a'), filled('bob', 'b')];
  await back(one, ada, bob);
  await back(two, ada, bob);
  ada.put('a', file('a, changed'));
  const earlier = await back(one, ada);
  const without = async (parts: TestParts, run: string) => ({
    ...parts,
    repository: await openRepository(new HidingStore(store, run), PASSWORD),
  });
  ada.put('a', file('a, changed again'));
  const second = await back(await without(two, earlier.run), ada);
  expect(second.objects).toEqual(earlier.objects);
  bob.put('b', file('b, changed'));
  await back(await without(one, second.run), bob);
  expect((await catchUpToRead(one.repository, one.catalog)).doubled).toMatchObject([{ run: second.run }]);
  expect(await one.catalog.isOutOfOrder()).toBe(false);
  await back(one, bob);
  await expectWhole(one, bob);
});

test('a run that lives is not closed, whatever catalog other runs look into', async () => {
  const { one, two } = await machines();
  const [ada, bob] = [filled('ada'), filled('bob', 'b')];
  let meanwhile: BackupResult | undefined;
  ada.script = [
    { type: 'item', item: itemOf('a', file('a')), contents: [{ name: 'file', bytes: Buffer.from('one') }] },
    async () => {
      meanwhile = await back(two, ada, bob);
    },
  ];
  expect((await back(one, ada)).outcome).toBe('Success');
  expect(meanwhile?.objects.map(([key]) => key)).toEqual([two.repository.objectKey(bob.object)]);
  expect(meanwhile?.findings.failures).toMatchObject([{ objectName: 'Object ada' }]);
});

test('who gets an object that another machine had meanwhile goes on from what that one wrote', async () => {
  const { one, two } = await machines();
  const [ada, bob] = [filled('ada'), filled('bob', 'b')];
  ada.script = [() => back(two, bob).then(() => bob.put('c', file('c')))];
  const result = await backUp(
    { ...one, source: new WrittenSource(ada, bob), signal: new AbortController().signal, objectsAtOnce: 1 },
    JOB,
  );
  expect(new Map(result.objects).get(one.repository.objectKey(bob.object))).toBe(2);
  expect(result.counts.itemsRead).toBe(1);
  await expectWhole(one, bob);
});

test('what a dead run of another machine claimed is free when its lock is dead, and what it had committed stays', async () => {
  const { one, two, store } = await machines();
  const ada = filled('ada', 'a');
  const dead = await one.repository.startRun(
    { kind: 'backup', job: 'job', jobName: 'Job', organizationId: 'contoso' },
    one.catalog,
  );
  await dead.commit({});
  const key = one.repository.objectKey(ada.object);
  await dead.claims.claim([key], dead.lastSequence);
  await dead.commit({ sections: [sectionOf(ada, key, 1, [{ type: 'put', item: emptyItem('old') }])] });
  expect((await back(two, ada)).findings.failures).toMatchObject([{ objectName: 'Object ada' }]);
  await store.ageLocks();
  expect((await back(two, ada)).objects).toEqual([[key, 2]]);
  await expect(dead.commit({})).rejects.toMatchObject({ code: 'run-closed' });
  expect(await gathered(two.catalog.walk(key, 1, null))).toMatchObject([{ id: 'old' }]);
});

test('the run that owns the object next notices that the newest commits are missing, although no journal names them', async () => {
  const { one, two } = await machines();
  const ada = filled('ada', 'a');
  await back(one, ada);
  ada.put('b', file('b'));
  const { run } = await back(one, ada);
  await rm(join(one.folder, 'journals', run), { recursive: true });
  const result = await back(two, ada);
  expect(result.findings.alerts).toMatchObject([{ code: 'lost-revision' }]);
  await expectWhole(two, ada);
  expect((await back(two, ada)).findings.alerts).toEqual([]);
});

const emptyItem = (id: string) => ({ ...itemOf(id, { ...file(id), contents: {} }), contents: [] });

function sectionOf({ object }: WrittenObject, key: string, revision: number, changes: ObjectChange[]): ObjectSection {
  return { ...object, key, revision, at: new Date(), changes };
}

/** What was possible before runs claimed objects in the store: two runs that both bring revision 1. */
async function doubled({ repository, catalog }: TestParts, ada: WrittenObject): Promise<string[]> {
  const key = repository.objectKey(ada.object);
  const runs: string[] = [];
  for (const id of ['first', 'second']) {
    const header = { kind: 'backup', job: 'job', jobName: 'Job', organizationId: 'contoso' } as const;
    const run = await repository.startRun(header, catalog);
    await run.commit({});
    const findings = { failures: [], lost: [], skipped: [], alerts: [] };
    const end: RunEnd = {
      outcome: 'Success',
      finishedAt: new Date(),
      counts: NO_COUNTS,
      objects: [[key, 1]],
      findings,
    };
    const changes: ObjectChange[] = [
      { type: 'put', item: emptyItem(id) },
      { type: 'cursor', scope: 'all', value: '9' },
    ];
    await run.end({ sections: [sectionOf(ada, key, 1, changes)], end: () => end });
    runs.push(run.id);
  }
  return runs;
}

test('a revision that exists twice costs no restore point: both are stored and named, and the object is read again', async () => {
  const { one, two } = await machines();
  const ada = filled('ada', 'a');
  const [first = '', second = ''] = await doubled(one, ada);
  const key = one.repository.objectKey(ada.object);
  const found = { object: key, run: second, revision: 1, storedAs: 2 };
  expect((await rebuild(one.repository, one.catalog)).doubled).toMatchObject([found]);
  const idsOf = async (run: string) => {
    const [[, revision] = ['', 0]] = (await one.catalog.restorePoint(run))?.objects ?? [];
    return (await gathered(one.catalog.walk(key, revision, null))).map(({ id }) => id).sort();
  };
  expect([await idsOf(first), await idsOf(second)]).toEqual([['first'], ['first', 'second']]);
  // The other machine meets it when it follows the journals, and says so.
  const result = await back(two, ada);
  expect(result).toMatchObject({ objects: [[key, 3]], findings: { alerts: [{ code: 'doubled-revision' }] } });
  await expectWhole(two, ada);
  expect((await back(one, ada)).outcome).toBe('Success');
  await rebuild(two.repository, two.catalog);
  expect(await two.catalog.fingerprint()).toEqual(await one.catalog.fingerprint());
});

test('what a prune through one catalog has put elsewhere is found through another, also in a store that takes no writes', async () => {
  const { one, two, store } = await machines();
  const [ada, random] = [new WrittenObject('ada', 'drive'), new Random(5)];
  const put = (id: string) => ada.put(id, { ...file(id), contents: { file: random.bytes(20_000) } });
  const names = Array.from({ length: 10 }, (_, at) => `file ${at}`);
  names.forEach(put);
  await back(one, ada);
  await catchUpToRead(two.repository, two.catalog);
  names.slice(1).forEach(put);
  await back(one, ada);
  expect((await prune(one.repository, one.catalog, { before: new Date() })).packsDeleted).toBeGreaterThan(0);
  const reader = { ...two, repository: await openRepository(new UnwritableStore(store), PASSWORD) };
  const key = reader.repository.objectKey(ada.object);
  await expect(restoredState(reader.repository, reader.catalog, key, 1)).rejects.toThrow();
  const { doubled, behind } = await catchUpToRead(reader.repository, reader.catalog);
  expect([doubled, behind]).toEqual([[], null]);
  await expectWhole(reader, ada);
  expect(await two.catalog.fingerprint()).toEqual(await one.catalog.fingerprint());
});

test('a run that ends while the journals are listed does not count as one that lost its end, which the next run knows', async () => {
  const { one, two } = await machines();
  const header = { kind: 'backup', job: 'job', jobName: 'Job', organizationId: 'contoso' } as const;
  const first = await one.repository.startRun(header, one.catalog);
  await one.catalog.apply(await first.commit({}));
  await catchUpToRead(two.repository, two.catalog);
  const ada = filled('ada', 'a');
  const { repository } = two;
  const listRuns = async function* () {
    if ((await one.catalog.openRuns()).size > 0) {
      await one.catalog.apply(await first.commit({}));
      await first.abandon();
      await back(one, ada);
    }
    yield* repository.listRuns();
  };
  expect((await catchUpToRead(over(repository, { listRuns }), two.catalog)).behind).toBeNull();
  await expectWhole(two, ada);
  expect(await two.catalog.fingerprint()).toEqual(await one.catalog.fingerprint());
});

test('commits that another program applies to the same catalog meanwhile do not count as lost', async () => {
  const { one, two } = await machines();
  const ada = filled('ada', 'a');
  await back(one, ada);
  ada.put('b', file('b'));
  const { run: last } = await back(one, ada);
  const { repository, catalog } = two;
  let isFirst = true;
  // The list came to the second run alone when it was made, and the other program brings both as soon as this one has asked for the first.
  const listRuns = async function* () {
    for await (const one of repository.listRuns()) if (!isFirst || one.run === last) yield one;
  };
  const revisionOf = async (key: string) => {
    const found = await catalog.revisionOf(key);
    if (isFirst) await catchUpToRead(repository, catalog);
    isFirst = false;
    return found;
  };
  expect((await catchUpToRead(over(repository, { listRuns }), over(catalog, { revisionOf }))).behind).toBeNull();
  await expectWhole(two, ada);
  expect(await two.catalog.fingerprint()).toEqual(await one.catalog.fingerprint());
});

test('where journals are lost what the catalog knows is read all the same, and what is lost is said', async () => {
  const { one, two } = await machines();
  const ada = filled('ada', 'a');
  await back(one, ada);
  await catchUpToRead(two.repository, two.catalog);
  ada.put('b', file('b'));
  const { run } = await back(one, ada);
  ada.put('c', file('c'));
  await back(one, ada);
  await rm(join(one.folder, 'journals', run), { recursive: true });
  const { behind } = await catchUpToRead(two.repository, two.catalog);
  expect(behind).toMatchObject({ code: 'damaged', message: expect.stringMatching(/from a copy/) });
  const key = two.repository.objectKey(ada.object);
  expect([...(await restoredState(two.repository, two.catalog, key, 1)).keys()]).toEqual(['a']);
});

/** As the keys of a bucket that may only be read show it. */
class UnwritableStore extends AgingStore {
  override create = () => Promise.reject(new Error('Nothing may be written here.'));
  override delete = () => Promise.reject(new Error('Nothing may be deleted here.'));
}
