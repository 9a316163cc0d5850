import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type BackupResult, backUp } from '../backup/backup.ts';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { Repository } from '../repository/repository.ts';
import { gathered } from '../testing/gathered.ts';
import { Random } from '../testing/random.ts';
import { restoredState, type State, writtenState } from '../testing/restored-state.ts';
import type { TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { type ShortenedJournals, type ShortenOptions, shortenJournals } from './shorten-journals.ts';

export const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };

/** A drive of ten files, of which each run replaces one; days apart. */
export async function pruneBed(database: ReturnType<typeof useDatabase>) {
  let day = 0;
  const now = () => new Date(Date.UTC(2026, 0, 1 + day));
  const parts = await database.parts({ now });
  const random = new Random(3);
  const written = new WrittenObject('ada', 'drive');
  const put = (id: string) =>
    written.put(id, { kind: 'file', name: id, parentId: null, contents: { file: random.bytes(20_000) } });
  for (let item = 0; item < 10; item += 1) put(`file ${item}`);
  const points: { result: BackupResult; state: State }[] = [];
  const back = async (source = new WrittenSource(written)) => {
    const result = await backUp({ ...parts, source, signal: new AbortController().signal, now }, JOB);
    points.push({ result, state: writtenState(written) });
    day += 1;
  };
  return { parts, written, points, put, back, now, dayOf: (at: number) => new Date(Date.UTC(2026, 0, 1 + at)) };
}

export async function expectWhole(
  { repository, catalog }: Pick<TestParts, 'repository' | 'catalog'>,
  { result, state }: { result: BackupResult; state: State },
) {
  const point = await catalog.restorePoint(result.run);
  expect(point?.objects).toEqual(result.objects);
  for (const [key, revision] of result.objects)
    expect(await restoredState(repository, catalog, key, revision)).toEqual(state);
}

export const packsOf = async ({ repository }: Pick<TestParts, 'repository'>) =>
  (await gathered(repository.listPacks())).map(({ name }) => name).sort();

export const packBytesOf = async ({ repository }: Pick<TestParts, 'repository'>) =>
  (await gathered(repository.listPacks())).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** Shortens under a lock of its own, as a prune does. */
export async function shortenLocked(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: ShortenOptions,
): Promise<ShortenedJournals> {
  const lock = await repository.lock('shared');
  try {
    return await shortenJournals(repository, catalog, lock, options);
  } finally {
    await lock.release();
  }
}

/** All objects below a folder of a store were written so many hours ago. */
export async function ageObjects(store: string, folder: string, hours: number): Promise<void> {
  const at = Date.now() / 1_000 - hours * 3_600;
  for (const entry of await readdir(join(store, folder), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), at, at);
}
