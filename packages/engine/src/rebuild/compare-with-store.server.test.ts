import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type BackupResult, backUp } from '../backup/backup.ts';
import { prune } from '../prune/prune.ts';
import { createRepository, openRepository } from '../repository/open-repository.ts';
import { openFolderStore } from '../store/folder/folder-store.ts';
import { openStore } from '../store/open-store.ts';
import { startVersioningS3 } from '../store/s3/versioning-s3.fixture.ts';
import { gathered } from '../testing/gathered.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { CHEAP, PASSWORD, SMALL_CHUNKS, type TestParts, testFolder, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { catchUpToRead } from './catch-up-to-read.ts';
import { rebuild } from './rebuild.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };
let bucket: Awaited<ReturnType<typeof startVersioningS3>>;

beforeAll(async () => {
  bucket = await startVersioningS3();
  return () => bucket.stop();
});

function back({ repository, catalog }: Pick<TestParts, 'repository' | 'catalog'>, ...objects: WrittenObject[]) {
  const signal = new AbortController().signal;
  return backUp({ repository, catalog, source: new WrittenSource(...objects), signal }, JOB);
}

function put(written: WrittenObject, ...names: string[]): void {
  for (const name of names)
    written.put(name, { kind: 'file', name, parentId: null, contents: { file: Buffer.from(`bytes of ${name}`) } });
}

/** A repository after its first backup, a copy of it made then, and what came after the copy. */
async function copied() {
  const parts = await database.parts();
  const ada = new WrittenObject('ada', 'drive');
  put(ada, 'a');
  await back(parts, ada);
  const copy = await testFolder();
  await cp(parts.folder, copy, { recursive: true });
  return { parts, ada, copy, openCopy: async () => openRepository(await openFolderStore(copy), PASSWORD) };
}

const refused = { code: 'damaged', message: expect.stringMatching(/accepts? the loss/) };

async function expectRestorable(
  parts: Pick<TestParts, 'repository' | 'catalog'>,
  result: BackupResult,
  ada: WrittenObject,
) {
  const [[key, revision] = ['', 0]] = result.objects;
  // Of another one, which remembers nothing of what it read.
  expect(await restoredState(parts.repository, parts.catalog, key, revision)).toEqual(writtenState(ada));
}

test("yesterday's copy put in the place of the repository is refused until a rebuild accepts the loss, and is whole after that", async () => {
  const { parts, ada, copy } = await copied();
  put(ada, 'b', 'c');
  await back(parts, ada);
  await rm(parts.folder, { recursive: true });
  await cp(copy, parts.folder, { recursive: true });
  const restored = { ...parts, repository: await openRepository(await openFolderStore(parts.folder), PASSWORD) };
  const { repository, catalog } = restored;
  await expect(back(restored, ada)).rejects.toMatchObject(refused);
  await expect(prune(repository, catalog, { before: new Date(Date.now() - 60_000) })).rejects.toMatchObject(refused);
  expect((await catchUpToRead(repository, catalog)).behind).toMatchObject(refused);
  expect(await gathered(repository.listRuns())).toHaveLength(1);
  await expect(rebuild(repository, catalog)).rejects.toMatchObject(refused);
  expect((await rebuild(repository, catalog, { acceptLoss: true })).lost).toHaveLength(1);
  const result = await back(restored, ada);
  expect(result).toMatchObject({ outcome: 'Success', counts: { itemsRead: 2 } });
  await expectRestorable(restored, result, ada);
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({ packFaults: [], journalFaults: [] });
});

test('a copy beside the original is refused once the original went on, and the original once the copy did', async () => {
  const { parts, ada, openCopy } = await copied();
  const copy = { ...parts, repository: await openCopy() };
  put(ada, 'b');
  await back(parts, ada);
  await expect(back(copy, ada)).rejects.toMatchObject(refused);
  await expect(verify(copy.repository, copy.catalog, { depth: 'quick' })).resolves.toMatchObject({ itemsToRead: 0 });
  expect(await gathered(copy.repository.listRuns())).toHaveLength(1);
  await back(parts, ada);
  await rebuild(copy.repository, copy.catalog, { acceptLoss: true });
  await back(copy, ada);
  await expect(back(parts, ada)).rejects.toMatchObject(refused);
});

test('a bucket that took over from another, and lacks what came last, is refused', async () => {
  const place = (name: string) =>
    openStore(`s3://bucket/${name}?endpoint=${bucket.endpoint}`, {
      AWS_ACCESS_KEY_ID: 't',
      AWS_SECRET_ACCESS_KEY: 't',
    });
  const repository = await createRepository(await place('first'), PASSWORD, {
    passwordCost: CHEAP,
    chunkSizes: SMALL_CHUNKS,
  });
  const parts = { repository, catalog: await database.catalog().repository(repository.id) };
  const ada = new WrittenObject('ada', 'drive');
  put(ada, 'a');
  await back(parts, ada);
  for (const [key, versions] of [...bucket.keys]) bucket.keys.set(key.replace('first/', 'second/'), versions);
  put(ada, 'b');
  await back(parts, ada);
  const replica = { ...parts, repository: await openRepository(await place('second'), PASSWORD) };
  await expect(back(replica, ada)).rejects.toMatchObject(refused);
  await rebuild(replica.repository, replica.catalog, { acceptLoss: true });
  await expectRestorable(replica, await back(replica, ada), ada);
});

const HEADER = { kind: 'backup', job: 'job', jobName: 'Job', organizationId: 'contoso' } as const;

test('an open run whose journal is gone is not closed: a journal with a gap is never written', async () => {
  const { parts, ada, copy, openCopy } = await copied();
  const open = await parts.repository.startRun(HEADER, parts.catalog);
  await parts.catalog.apply(await open.commit({}));
  await open.abandon();
  const repository = await openCopy();
  await expect(back({ ...parts, repository }, ada)).rejects.toMatchObject(refused);
  await expect(repository.closeRun(open.id, 1, 'another')).rejects.toMatchObject({ code: 'damaged' });
  expect(await gathered((await openFolderStore(copy)).list(`journals/${open.id}/`))).toEqual([]);
});

test('a catalog that heard of what another one accepted as lost is refused, although a journal of equal length took its place', async () => {
  const { parts, ada, openCopy } = await copied();
  const { repository, catalog } = parts;
  const open = await repository.startRun(HEADER, catalog);
  for (let commit = 0; commit < 2; commit += 1) await catalog.apply(await open.commit({}));
  await open.abandon();
  const copy = { ...parts, repository: await openCopy() };
  // The copy has the first commit alone, and is brought by a rebuild with another database to as many as the catalog knows.
  const source = await openFolderStore(parts.folder);
  const name = `journals/${open.id}/00000001`;
  await (await openFolderStore(join(copy.repository.description.replace('folder ', '')))).create(
    name,
    await source.read(name),
  );
  await copy.repository.closeRun(open.id, 1, 'another');
  await copy.repository.beginGeneration();
  await expect(back(copy, ada)).rejects.toMatchObject(refused);
  await rebuild(copy.repository, copy.catalog);
  expect((await back(copy, ada)).outcome).toBe('Success');
});

test('a list that is late does not make a journal lost that is there', async () => {
  const { parts, ada } = await copied();
  const { repository } = parts;
  const listRuns = async function* () {};
  const late = new Proxy(repository, {
    get: (whole, name) => {
      const found: unknown = name === 'listRuns' ? listRuns : Reflect.get(whole, name);
      return typeof found === 'function' ? found.bind(whole) : found;
    },
  });
  put(ada, 'b');
  expect((await back({ ...parts, repository: late }, ada)).outcome).toBe('Success');
});
