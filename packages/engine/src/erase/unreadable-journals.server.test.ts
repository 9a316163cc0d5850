import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prune } from '../prune/prune.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import { useDatabase } from '../testing/test-parts.ts';
import { erase } from './erase.ts';
import { ERASED_NAMES, erasureBed, journalText } from './erasure-bed.fixture.ts';

const database = useDatabase();
const REQUEST = { subject: { type: 'user', id: 'ada@contoso.example' }, reason: 'Request 17', by: 'Grace' } as const;

/** Ada and Bob, and one bit of the last commit of the second backup is not what it was. */
async function damagedBed() {
  const bed = await erasureBed(await database.parts());
  const folder = join(bed.folder, 'journals', bed.results[1]?.run ?? '');
  const file = join(folder, (await readdir(folder)).sort().at(-1) ?? '');
  const whole = await readFile(file);
  await chmod(file, 0o600);
  const write = (bytes: Buffer) => writeFile(file, bytes);
  await write(Buffer.from(whole.map((byte, at) => (at === whole.length - 3 ? byte ^ 1 : byte))));
  return { ...bed, bringBack: () => write(whole) };
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
