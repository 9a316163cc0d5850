import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { erase } from '../erase/erase.ts';
import { Random } from '../testing/random.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { rebuild } from './rebuild.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };

test('an erasure behind a lost revision keeps its own, and what is backed up after it stays', async () => {
  const parts = await database.parts();
  const { repository, catalog, folder } = parts;
  const random = new Random(6);
  const [ada, bob] = [new WrittenObject('ada'), new WrittenObject('bob')];
  const message = () =>
    ({ kind: 'message', name: 'A', parentId: null, contents: { mime: random.bytes(900) } }) as const;
  const back = () =>
    backUp({ ...parts, source: new WrittenSource(ada, bob), signal: new AbortController().signal }, JOB);
  let last = '';
  for (let run = 0; run < 5; run += 1) {
    for (const written of [ada, bob]) written.put('n', message());
    last = (await back()).run;
  }
  const key = repository.objectKey(ada.object);
  const request = { subject: { type: 'object', id: key }, reason: 'Request 17', by: 'Grace' } as const;
  await erase(repository, catalog, request);
  await rm(join(folder, 'journals', last), { recursive: true });
  expect((await rebuild(repository, catalog, { acceptLoss: true })).doubled).toEqual([]);
  expect(await catalog.revisionOf(key)).toBe(6);
  expect((await catalog.listErasures()).map(({ revision }) => revision)).toEqual([6]);
  ada.put('m', message());
  expect((await back()).objects).toContainEqual([key, 7]);
  expect(await rebuild(repository, catalog)).toMatchObject({ doubled: [], lost: [] });
  // Another erasure, of the other mailbox, reads all journals and takes out what is before one.
  await erase(repository, catalog, { ...request, subject: { type: 'object', id: repository.objectKey(bob.object) } });
  await rebuild(repository, catalog);
  expect(await restoredState(repository, catalog, key, 7)).toEqual(writtenState(ada));
});
