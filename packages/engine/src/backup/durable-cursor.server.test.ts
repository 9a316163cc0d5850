import { describe, expect, test } from 'vitest';
import { rebuild } from '../rebuild/rebuild.ts';
import { openRepository } from '../repository/open-repository.ts';
import type { SourceEvent } from '../source/source.ts';
import type { Fault } from '../testing/fault/fault.ts';
import { FaultStore } from '../testing/fault/fault-store.ts';
import { Random } from '../testing/random.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { PASSWORD, type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, itemOf, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { type BackupResult, backUp } from './backup.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };

function run(parts: TestParts, ...objects: WrittenObject[]): Promise<BackupResult> {
  // A job for each drive: one that found in its last restore point what another drive's run stored would say that it is missing.
  const id = objects.map(({ object }) => object.id).join();
  const source = new WrittenSource(...objects);
  return backUp({ ...parts, source, signal: new AbortController().signal }, { ...JOB, id });
}

/** The same repository, in a store where something goes wrong. */
async function troubled(parts: TestParts, ...faults: Fault[]): Promise<TestParts> {
  return { ...parts, repository: await openRepository(new FaultStore(parts.store, faults), PASSWORD) };
}

function drive(id: string, seed: number, count = 12): WrittenObject {
  const random = new Random(seed);
  const written = new WrittenObject(id, 'drive');
  for (let at = 0; at < count; at += 1)
    written.put(`file ${at}`, {
      kind: 'file',
      name: `File ${at}`,
      parentId: null,
      contents: { file: random.bytes(9_000) },
    });
  return written;
}

async function expectWhole(parts: TestParts, written: WrittenObject, { objects }: BackupResult): Promise<void> {
  const key = parts.repository.objectKey(written.object);
  const [, revision = 0] = objects.find(([of]) => of === key) ?? [];
  expect(await restoredState(parts.repository, parts.catalog, key, revision)).toEqual(writtenState(written));
}

describe('A cursor', () => {
  test.each([
    ['the packs', /^packs\//],
    ['the commit', /^journals\/.*(?<!00000001)$/],
  ])(
    'is not stored where %s of what was read before it cannot be, and the next run reads it again',
    async (_, names) => {
      const parts = await database.parts();
      const written = drive('ada', 1);
      const full = await troubled(parts, { kind: 'full', calls: ['create'], names });
      await expect(run(full, written)).rejects.toMatchObject({ code: 'store-full' });
      const key = parts.repository.objectKey(written.object);
      for (const look of [async () => undefined, () => rebuild(parts.repository, parts.catalog)]) {
        await look();
        expect((await parts.catalog.object(key))?.cursors.size ?? 0).toBe(0);
      }
      const result = await run(parts, written);
      expect(result).toMatchObject({ outcome: 'Success', counts: { itemsRead: 12 } });
      await expectWhole(parts, written, result);
    },
  );

  test('that moved on stays behind when the run after it cannot store what is new', async () => {
    const parts = await database.parts();
    const written = drive('ada', 1);
    await run(parts, written);
    const key = parts.repository.objectKey(written.object);
    const before = (await parts.catalog.object(key))?.cursors;
    written.put('new', { kind: 'file', name: 'New', parentId: null, contents: { file: new Random(9).bytes(9_000) } });
    await expect(
      run(await troubled(parts, { kind: 'full', calls: ['create'], names: /^packs\// }), written),
    ).rejects.toThrow();
    expect((await parts.catalog.object(key))?.cursors).toEqual(before);
    const result = await run(parts, written);
    expect(result.counts.itemsRead).toBe(1);
    await expectWhole(parts, written, result);
  });

  test('waits for an item before it that is slow to read, while those behind are read already', async () => {
    const parts = await database.parts();
    const written = new WrittenObject('ada', 'drive');
    const slow = Promise.withResolvers<void>();
    const seen: string[] = [];
    const file = (id: string, before: Promise<void>): SourceEvent => ({
      type: 'item',
      item: itemOf(id, { kind: 'file', name: id, parentId: null, contents: {} }),
      contents: [
        {
          name: 'file',
          sizeBytes: 4,
          async *open() {
            await before;
            seen.push(id);
            yield Buffer.from(id);
          },
        },
      ],
    });
    const key = parts.repository.objectKey(written.object);
    const cursorCounts: (number | undefined)[] = [];
    written.script = [
      file('slow', slow.promise),
      { type: 'cursor', scope: 'all', value: '1' },
      ...Array.from({ length: 20 }, (_, at) => file(`f${at}`, Promise.resolve())),
      async () => {
        cursorCounts.push((await parts.catalog.object(key))?.cursors.size);
        slow.resolve();
      },
    ];
    await run(parts, written);
    expect(cursorCounts).toEqual([undefined]);
    expect(seen).toContain('slow');
    expect((await parts.catalog.object(key))?.cursors.get('all')).toBe('1');
    expect((await parts.catalog.current(key, ['slow'])).size).toBe(1);
  });
});

describe('Several that write into one repository at once', () => {
  test('store what they share once or twice, lose nothing, and count nothing twice', async () => {
    const parts = await database.parts();
    const drives = ['ada', 'bob', 'eve', 'joe'].map((id) => drive(id, 7));
    // Each of a job of its own: a job whose runs have different objects misses those of the run before.
    const results = await Promise.all(drives.map((one) => run(parts, one)));
    for (const [at, result] of results.entries()) {
      expect(result).toMatchObject({ outcome: 'Success', counts: { itemsRead: 12, objects: 1 } });
      const one = drives[at];
      if (one !== undefined) await expectWhole(parts, one, result);
    }
    expect(await verify(parts.repository, parts.catalog, { depth: 'full' })).toMatchObject({
      damagedItems: [],
      unreferencedPacks: 0,
    });
    const before = await parts.catalog.fingerprint();
    await rebuild(parts.repository, parts.catalog);
    expect(await parts.catalog.fingerprint()).toEqual(before);
    // What all of them have is found by the next run.
    expect((await run(parts, drive('max', 7))).counts.bytesStored).toBe(0);
  });

  test('of which one meets a full disk: the others are whole, and so is its own part up to there', async () => {
    const parts = await database.parts();
    const full = await troubled(parts, { kind: 'full', calls: ['create'], names: /^packs\// });
    const [whole, cut] = [drive('ada', 1), drive('bob', 2)];
    const [one, other] = await Promise.allSettled([run(parts, whole), run(full, cut)]);
    expect(other).toMatchObject({ status: 'rejected', reason: { code: 'store-full' } });
    if (one?.status !== 'fulfilled') throw new Error('The other run failed too.');
    await expectWhole(parts, whole, one.value);
    const result = await run(parts, whole, cut);
    expect(result.outcome).toBe('Success');
    await expectWhole(parts, cut, result);
  });
});
