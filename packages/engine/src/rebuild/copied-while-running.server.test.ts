import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { openRepository } from '../repository/open-repository.ts';
import { openFolderStore } from '../store/folder/folder-store.ts';
import { Random } from '../testing/random.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { PASSWORD, type TestParts, testFolder, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { rebuild } from './rebuild.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };
const FIRST = { recursive: true, preserveTimestamps: true };

type Stored = Pick<TestParts, 'repository' | 'catalog'>;

/** A drive of two backups, and a copy made while the second one ran: what was copied first lacks what came meanwhile. */
async function copied(first: 'packs' | 'journals') {
  const parts = await database.parts();
  const ada = new WrittenObject('ada', 'drive');
  const random = new Random(7);
  const put = (name: string, bytes = random.bytes(9_000)) =>
    ada.put(name, { kind: 'file', name, parentId: null, contents: { file: bytes } });
  const back = async ({ repository, catalog }: Stored) => {
    const source = new WrittenSource(ada);
    return backUp({ repository, catalog, source, signal: new AbortController().signal }, JOB);
  };
  put('a');
  await back(parts);
  const copy = await testFolder();
  await cp(join(parts.folder, first), join(copy, first), FIRST);
  const shared = random.bytes(9_000);
  put('b', shared);
  await back(parts);
  await cp(parts.folder, copy, { ...FIRST, filter: (source) => !source.startsWith(join(parts.folder, first)) });
  return { parts, ada, copy, back, put, shared };
}

const open = async (folder: string) => openRepository(await openFolderStore(folder), PASSWORD);

async function expectWhole({ repository, catalog }: Stored, ada: WrittenObject) {
  const key = repository.objectKey(ada.object);
  const revision = await catalog.revisionOf(key);
  expect(await restoredState(repository, catalog, key, revision)).toEqual(writtenState(ada));
  const { damagedItems, journalFaults } = await verify(repository, catalog, { depth: 'full' });
  expect(damagedItems.filter(({ version }) => version.lastRevision === null)).toEqual([]);
  return journalFaults;
}

const USES: [name: string, isRebuilt: boolean][] = [
  ['after a rebuild', true],
  ['by a catalog that knows nothing', false],
];

test.each(
  USES.flatMap(([name, isRebuilt]) => (['packs', 'journals'] as const).map((first) => ({ name, isRebuilt, first }))),
)(
  'a copy made while a backup ran, its $first first, goes on $name: the next backup is whole',
  async ({ isRebuilt, first }) => {
    const { parts, ada, copy, back, put, shared } = await copied(first);
    const stored = { repository: await open(copy), catalog: await database.anotherCatalog(parts.repository.id) };
    if (isRebuilt) await rebuild(stored.repository, stored.catalog);
    put('c', shared);
    expect((await back(stored)).outcome).toBe('Success');
    expect(await expectWhole(stored, ada)).toEqual([]);
  },
);

test.each(['packs', 'journals'] as const)(
  'in the place of the repository a copy made while a backup ran, its %s first, is refused, or the next backup is whole',
  async (first) => {
    const { parts, ada, copy, back, put, shared } = await copied(first);
    await rm(parts.folder, { recursive: true });
    await cp(copy, parts.folder, FIRST);
    const stored = { ...parts, repository: await open(parts.folder) };
    put('c', shared);
    const refused = await back(stored).then(
      () => false,
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'damaged' });
        return true;
      },
    );
    expect(refused).toBe(first === 'journals');
    if (refused) {
      await rebuild(stored.repository, stored.catalog, { acceptLoss: true });
      expect((await back(stored)).outcome).toBe('Success');
    }
    expect(await expectWhole(stored, ada)).toEqual([]);
  },
);
