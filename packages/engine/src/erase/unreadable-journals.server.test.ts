import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prune } from '../prune/prune.ts';
import { ageObjects, shortenLocked } from '../prune/prune-bed.fixture.ts';
import { catchUp } from '../rebuild/catch-up.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import { openRepository } from '../repository/open-repository.ts';
import { PASSWORD, useDatabase } from '../testing/test-parts.ts';
import { erase } from './erase.ts';
import { ERASED_NAMES, erasureBed, journalText } from './erasure-bed.fixture.ts';

const database = useDatabase();
const REQUEST = { subject: { type: 'user', id: 'ada@contoso.example' }, reason: 'Request 17', by: 'Grace' } as const;

/** Ada and Bob, and one bit of the last commit of the second backup is not what it was. */
async function damagedBed() {
  const bed = await erasureBed(await database.parts());
  const folder = join(bed.folder, 'journals', bed.results[1]?.run ?? '');
  const file = join(folder, (await readdir(folder)).sort().at(-1) ?? '');
  const whole = await flipByte(file, -3);
  return { ...bed, bringBack: () => writeFile(file, whole) };
}

test('a commit that cannot be read is counted; all others are erased, and a prune deletes packs', async () => {
  const { repository, catalog, bringBack } = await damagedBed();
  expect(await erase(repository, catalog, REQUEST)).toMatchObject({ commitsUnread: 1 });
  expect(await journalText(repository)).not.toMatch(ERASED_NAMES);
  for (const packsDeleted of [expect.any(Number), 0]) {
    const pruned = await prune(repository, catalog, { before: new Date() });
    expect(pruned).toMatchObject({ packsDeleted, erasureLeft: expect.stringMatching(/1 commit /) });
    if (packsDeleted !== 0) expect(pruned.packsDeleted).toBeGreaterThan(0);
  }
  expect(await catalog.isErasureUnfinished()).toBe(true);
  await bringBack();
  expect(await journalText(repository)).toMatch(/of ada/);
  expect(await prune(repository, catalog, { before: new Date() })).toMatchObject({ erasureLeft: null });
  expect(await journalText(repository)).not.toMatch(ERASED_NAMES);
  expect(await catalog.isErasureUnfinished()).toBe(false);
});

test('a commit that was accepted as lost is no reason to go on', async () => {
  const { repository, catalog } = await damagedBed();
  await rebuild(repository, catalog, { acceptLoss: true });
  expect(await erase(repository, catalog, REQUEST)).toMatchObject({ commitsUnread: 0 });
  expect(await catalog.isErasureUnfinished()).toBe(false);
  expect(await prune(repository, catalog, { before: new Date() })).toMatchObject({ erasureLeft: null });
});

test('a commit that cannot be read in a segment is counted, and the others of the segment are erased', async () => {
  const bed = await erasureBed(await database.parts());
  for (const folder of ['journals', 'segments']) {
    await ageObjects(bed.folder, folder, 30).catch(() => undefined);
    await bed.back();
    await catchUp(bed.repository, bed.catalog);
    await shortenLocked(bed.repository, bed.catalog, { runsASegment: 3 });
  }
  const [segment = ''] = await readdir(join(bed.folder, 'segments'));
  await flipByte(join(bed.folder, 'segments', segment), 1_000);
  const repository = await openRepository(bed.store, PASSWORD);
  expect(await erase(repository, bed.catalog, REQUEST)).toMatchObject({ commitsUnread: 1 });
  expect(await readdir(join(bed.folder, 'segments'))).toEqual([`${segment}-0001`]);
  expect(await journalText(await openRepository(bed.store, PASSWORD))).not.toMatch(ERASED_NAMES);
});

test('a journal that cannot be read stays where a segment has it, and stops no prune', async () => {
  const { folder, repository, catalog, back, results } = await damagedBed();
  for (const of of ['journals', 'segments']) {
    await ageObjects(folder, of, 30).catch(() => undefined);
    await back();
    await prune(repository, catalog, { before: new Date(0), runsASegment: 3 });
  }
  expect((await readdir(join(folder, 'segments'))).length).toBeGreaterThan(0);
  const journals = await readdir(join(folder, 'journals'));
  expect(journals).toContain(results[1]?.run);
  expect(journals).not.toContain(results[0]?.run);
});

/** Changes one byte of a file. @param at from the beginning, or below 0 from the end @returns the bytes before */
async function flipByte(file: string, at: number): Promise<Buffer> {
  const whole = await readFile(file);
  const changed = Buffer.from(whole);
  const place = at < 0 ? whole.length + at : at;
  changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
  await chmod(file, 0o600);
  await writeFile(file, changed);
  return whole;
}
