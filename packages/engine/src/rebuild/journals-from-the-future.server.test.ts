import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { prune } from '../prune/prune.ts';
import { Random } from '../testing/random.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { rebuild } from './rebuild.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };
/** Of the year 2100. */
const RUN = '03bb2cc3-d800-7000-8000-000000000001';

const KEYED = Buffer.concat([Buffer.from('KWSEAL\x01\x00', 'latin1'), new Random(5).bytes(300)]);
const LATER = Buffer.concat([Buffer.from('KWSEAL\x02\x00', 'latin1'), new Random(5).bytes(300)]);

/** A repository with a backup, something that the next one would read, and another catalog that knows nothing. */
async function bed() {
  const parts = await database.parts();
  const ada = new WrittenObject('ada', 'drive');
  const put = (name: string) =>
    ada.put(name, { kind: 'file', name, parentId: null, contents: { file: Buffer.from(name) } });
  const back = ({ repository, catalog }: Pick<TestParts, 'repository' | 'catalog'>) =>
    backUp({ repository, catalog, source: new WrittenSource(ada), signal: new AbortController().signal }, JOB);
  put('a');
  const { objects } = await back(parts);
  const before = writtenState(ada);
  put('b');
  const other = { repository: parts.repository, catalog: await database.anotherCatalog(parts.repository.id) };
  const write = async (name: string, sequence: string, bytes: Buffer) => {
    await mkdir(join(parts.folder, 'journals', name), { recursive: true });
    await writeFile(join(parts.folder, 'journals', name, sequence), bytes);
  };
  return { parts, ada, back, objects, before, other, write };
}

/** Of a run that is still to come. */
const JOURNALS: [name: string, sequence: string][] = [
  ['of the year 2100', '00000001'],
  ['with a sequence far ahead', '00000900'],
];

test.each(JOURNALS)(
  'a journal %s stops what relies on it, is named, and can be accepted as lost',
  async (_, sequence) => {
    const { parts, ada, back, objects, before, other, write } = await bed();
    const { repository, catalog } = parts;
    await write(RUN, sequence, KEYED);
    const [key = '', revision = 0] = objects[0] ?? [];
    const { journalFaults } = await verify(repository, catalog, { depth: 'full' });
    expect(new Set(journalFaults.map((fault) => fault.run))).toEqual(new Set([RUN]));
    const refused = { code: 'damaged', message: expect.stringContaining(RUN) };
    for (const work of [
      () => rebuild(repository, catalog),
      () => back(other),
      () => prune(repository, other.catalog, { keepDays: 0 }),
    ])
      await expect(work()).rejects.toMatchObject(refused);
    expect(await restoredState(repository, catalog, key, revision)).toEqual(before);
    await rebuild(repository, catalog, { acceptLoss: true });
    const next = await back(parts);
    expect(next.outcome).toBe('Success');
    expect(await restoredState(repository, catalog, key, next.objects[0]?.[1] ?? 0)).toEqual(writtenState(ada));
    expect(await restoredState(repository, catalog, key, revision)).toEqual(before);
    expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({ journalFaults: [], damagedItems: [] });
  },
);

test('a journal of a later layout stops all work with the advice to use a later version, and what is known stays readable', async () => {
  const { parts, back, objects, before, other, write } = await bed();
  const { repository, catalog } = parts;
  await write(RUN, '00000001', LATER);
  const works = [
    () => back(parts),
    () => back(other),
    () => prune(repository, catalog, { keepDays: 0 }),
    () => rebuild(repository, catalog),
    () => rebuild(repository, catalog, { acceptLoss: true }),
    () => verify(repository, catalog, { depth: 'full' }),
  ];
  for (const work of works)
    await expect(work()).rejects.toMatchObject({
      code: 'newer-repository',
      message: expect.stringMatching(/newer version of Keepwatch: use that version/),
    });
  const [key = '', revision = 0] = objects[0] ?? [];
  expect(await restoredState(repository, catalog, key, revision)).toEqual(before);
});
