import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { prune } from '../prune/prune.ts';
import { ageObjects, JOB } from '../prune/prune-bed.fixture.ts';
import { openRepository } from '../repository/open-repository.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { CHEAP, PASSWORD, useDatabase } from '../testing/test-parts.ts';
import { WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { rebuild } from './rebuild.ts';

const database = useDatabase();

const RUN = '019ab111-0000-7000-8000-000000000001';
/** What synchronizers, viewers and people leave behind, under names that an object could have. */
const STRAYS = [
  'readme',
  'journals/readme',
  'journals/desktop-ini/00000001',
  `journals/${RUN}/copy-of-00000001`,
  `journals/${RUN}/1`,
  'packs/readme',
  'packs/ab/readme',
  `packs/ab/${'cd'.repeat(32)}`,
  `packs/ab/${'ab'.repeat(32)}-copy`,
  'locks/readme',
  'claims/readme',
  `claims/${RUN}-mine`,
  `claims/${RUN}-ended-soon-0001`,
  'generations/readme',
  'generations/zz',
  'keys/readme',
];

test('a folder full of strangers’ files stops nothing, and none of them is touched', { timeout: 60_000 }, async () => {
  const { folder, store, catalog, repository: first } = await database.parts();
  const ada = new WrittenObject('ada', 'drive');
  ada.put('a', { kind: 'file', name: 'a', parentId: null, contents: { file: Buffer.from('a') } });
  const key = first.objectKey(ada.object);
  for (const name of STRAYS) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), 'not ours');
  }
  for (const of of ['packs', 'journals', 'generations']) await ageObjects(folder, of, 100);
  const repository = await openRepository(store, PASSWORD, { passwordCost: CHEAP });
  const back = () =>
    backUp({ repository, catalog, source: new WrittenSource(ada), signal: new AbortController().signal }, JOB);
  expect((await back()).outcome).toBe('Success');
  ada.put('b', { kind: 'file', name: 'b', parentId: null, contents: { file: Buffer.from('b') } });
  expect(await back()).toMatchObject({ outcome: 'Success', counts: { itemsRead: 1 }, findings: { alerts: [] } });
  await prune(repository, catalog, { keepDays: 0 });
  await rebuild(repository, catalog);
  expect(await verify(repository, catalog, { depth: 'full' })).toMatchObject({
    journalFaults: [],
    packFaults: [],
    unreferencedPacks: 0,
  });
  expect((await back()).outcome).toBe('Success');
  expect(await restoredState(repository, catalog, key, (await catalog.object(key))?.revision ?? 0)).toEqual(
    writtenState(ada),
  );
  await repository.addPassword('the other one', 'other');
  for (const name of STRAYS) expect([name, String(await readFile(join(folder, name)))]).toEqual([name, 'not ours']);
});
