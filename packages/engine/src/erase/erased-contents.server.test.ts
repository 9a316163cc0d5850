import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import type { StoredContent } from '../model/items.ts';
import { prune } from '../prune/prune.ts';
import { openRepository } from '../repository/open-repository.ts';
import { openFolderStore } from '../store/folder/folder-store.ts';
import { Random } from '../testing/random.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { PASSWORD, type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { erase } from './erase.ts';

const database = useDatabase();
const DAY_MS = 86_400_000;
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };
const message = (mime: Buffer) => ({ kind: 'message', name: 'Note', parentId: null, contents: { mime } }) as const;

/**
 * Ada's note beside much more of Bob's in one pack; she replaces it, and retention takes the first one out of the catalog.
 * @param bytes of her note; with many it has a list of its segments
 */
async function expiredNote(bytes: number) {
  let day = 0;
  const now = () => new Date(Date.UTC(2026, 0, 1) + day * DAY_MS);
  const parts = await database.parts({ now });
  const random = new Random(6);
  const [ada, bob] = [new WrittenObject('ada'), new WrittenObject('bob')];
  ada.put('note', message(random.bytes(bytes)));
  for (let item = 0; item < 8; item += 1) bob.put(`bob ${item}`, message(random.bytes(Math.max(9_000, bytes))));
  const back = async () => {
    const signal = new AbortController().signal;
    await backUp({ ...parts, source: new WrittenSource(ada, bob), signal, now }, JOB);
  };
  await back();
  const key = parts.repository.objectKey(ada.object);
  const [version] = await parts.catalog.versionsOf(key, 'note');
  const contents = version?.contents ?? [];
  const chunks = await chunksOf(parts, contents);
  for (day = 20; day <= 40; day += 20) {
    ada.put('note', message(random.bytes(9_000)));
    await back();
  }
  await prune(parts.repository, parts.catalog, { now, keepDays: 5 });
  expect((await parts.catalog.versionsOf(key, 'note')).length).toBe(2);
  expect(await readable(parts, chunks)).toEqual(chunks);
  return { parts, bob, key, contents, chunks, now };
}

async function chunksOf({ repository, catalog }: TestParts, contents: readonly StoredContent[]): Promise<string[]> {
  const chunks = new Set<string>();
  for (const content of contents) {
    const lists = 'list' in content ? [content.list] : [];
    for (const segment of [...lists, await repository.segmentsOf(content, catalog)].flat())
      if (Array.isArray(segment)) chunks.add(segment[0]);
  }
  return [...chunks];
}

/** Those of some chunks that the repository still gives out. */
async function readable({ repository, catalog }: TestParts, chunks: readonly string[]): Promise<string[]> {
  const places = await catalog.locate(chunks);
  const found: string[] = [];
  for (const id of chunks) if (await repository.hasChunk(id, places.get(id) ?? [])) found.push(id);
  return found;
}

test.each([
  ['a message', 9_000],
  ['a content with a list of its segments', 2_000_000],
])('what had expired before is erased as well: %s', async (_, bytes) => {
  const { parts, bob, key, contents, chunks, now } = await expiredNote(bytes);
  expect(contents.some((content) => 'list' in content)).toBe(bytes > 1_000_000);
  const { repository, catalog } = parts;
  await erase(repository, catalog, { subject: { type: 'object', id: key }, reason: 'Request 17', by: 'Grace', now });
  await prune(repository, catalog, { now, keepDays: 5 });
  expect(await readable(parts, chunks)).toEqual([]);
  expect(await restoredState(repository, catalog, repository.objectKey(bob.object), 1)).toEqual(writtenState(bob));
});

test('a content whose list cannot be read is counted, and stops nothing', async () => {
  const { parts, key, contents, now } = await expiredNote(2_000_000);
  const { catalog } = parts;
  // Another one, that did not read the list a moment ago, and has no pack open.
  const repository = await openRepository(await openFolderStore(parts.folder), PASSWORD, { now });
  const lists = contents.flatMap((content) => ('list' in content ? content.list : []));
  const places = await catalog.locate(lists.flatMap((segment) => (Array.isArray(segment) ? [segment[0]] : [])));
  const packs = new Set([...places.values()].flat().map(({ pack }) => pack));
  for (const folder of await readdir(join(parts.folder, 'packs')))
    for (const pack of packs) await rm(join(parts.folder, 'packs', folder, pack), { force: true });
  const request = { subject: { type: 'object', id: key }, reason: 'Request 17', by: 'Grace', now } as const;
  expect(await erase(repository, catalog, request)).toMatchObject({ listsUnread: 1 });
  expect(await catalog.isErasureUnfinished()).toBe(false);
});
