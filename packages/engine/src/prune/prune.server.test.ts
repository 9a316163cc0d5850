import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { locatedIndex } from '../catalog/located-ahead.ts';
import { EngineError } from '../model/engine-error.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import { openRepository } from '../repository/open-repository.ts';
import { gathered } from '../testing/gathered.ts';
import { Random } from '../testing/random.ts';
import { restoredState, writtenState } from '../testing/restored-state.ts';
import { PASSWORD, useDatabase } from '../testing/test-parts.ts';
import { WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { verify } from '../verify/verify.ts';
import { prune } from './prune.ts';
import { ageObjects, expectWhole, JOB, packBytesOf, packsOf, pruneBed } from './prune-bed.fixture.ts';
import type { PruneOptions } from './prune-plan.ts';

const database = useDatabase();

const bed = () => pruneBed(database);

test('what is older than retention goes with its packs; restore points within it stay whole, and a rebuild gives the same', async () => {
  const { parts, points, put, back, now, dayOf } = await bed();
  for (let run = 0; run < 12; run += 1) {
    await back();
    put(`file ${run % 3}`);
  }
  const [before, packs] = [await parts.catalog.fingerprint(), await packsOf(parts)];
  const dry = await prune(parts.repository, parts.catalog, { before: dayOf(9), dryRun: true, now });
  expect(dry).toMatchObject({ restorePoints: 9, packsDeleted: 0 });
  expect(dry.packsRetired).toBeGreaterThan(3);
  expect([await parts.catalog.fingerprint(), await packsOf(parts)]).toEqual([before, packs]);
  const result = await prune(parts.repository, parts.catalog, { before: dayOf(9), now });
  expect(result).toMatchObject({ restorePoints: 9, packsRetired: dry.packsRetired });
  const left = await packsOf(parts);
  expect(result.packsDeleted).toBe(packs.filter((name) => !left.includes(name)).length);
  for (const point of points.slice(9)) await expectWhole(parts, point);
  for (const { result: gone } of points.slice(0, 9)) expect(await parts.catalog.restorePoint(gone.run)).toBeNull();
  expect(await verify(parts.repository, parts.catalog, { depth: 'full' })).toMatchObject({
    damagedItems: [],
    unreferencedPacks: 0,
  });
  const pruned = await parts.catalog.fingerprint();
  await rebuild(parts.repository, parts.catalog);
  expect(await parts.catalog.fingerprint()).toEqual(pruned);
  for (const point of points.slice(9)) await expectWhole(parts, point);
  expect(await prune(parts.repository, parts.catalog, { before: dayOf(9), now })).toMatchObject({
    versions: 0,
    packsDeleted: 0,
  });
});

test('an instant that is still to come is refused: until then no backup would keep what the one before it had', async () => {
  const { parts, points, put, back, now, dayOf } = await bed();
  await back();
  await expect(prune(parts.repository, parts.catalog, { before: dayOf(400), now })).rejects.toMatchObject({
    code: 'bad-request',
  });
  put('file 1');
  await back();
  for (const point of points) await expectWhole(parts, point);
});

test('a prune reports how much it copied, and how much less the packs contain afterwards', async () => {
  const { parts, put, back, now, dayOf } = await bed();
  await back();
  for (let file = 1; file < 10; file += 1) put(`file ${file}`);
  await back();
  const before = await packBytesOf(parts);
  const { bytesCopied, bytesFreed } = await prune(parts.repository, parts.catalog, { before: dayOf(2), now });
  expect(bytesCopied).toBeGreaterThan(20_000);
  expect(bytesFreed).toBe(before - (await packBytesOf(parts)));
});

test('what is left of groups of small items goes into new groups, and no byte of it is missing', async () => {
  const { parts, written, points, back, now, dayOf } = await bed();
  const text = (id: string) =>
    Buffer.from(Array.from({ length: 60 }, (_, word) => `${id} ${(word * 7) % 50} `).join(''));
  const putText = (id: string, version: number) =>
    written.put(id, {
      kind: 'file',
      name: id,
      parentId: null,
      contents: { file: text(`${id} in version ${version}`) },
    });
  for (let item = 0; item < 600; item += 1) putText(`text ${item}`, 1);
  await back();
  for (let item = 0; item < 600; item += 1) if (item % 5 !== 0) putText(`text ${item}`, 2);
  await back();
  const groupsOf = async () => {
    const packs = await gathered(parts.catalog.listPacks());
    return packs.flatMap((pack) => [...Map.groupBy(pack.chunks, ({ offset }) => offset).values()]);
  };
  expect((await groupsOf()).filter((members) => members.length > 100).length).toBeGreaterThan(2);
  const before = await packBytesOf(parts);
  // Else the first pack would be more than half in use, and stay.
  for (let file = 0; file < 10; file += 1) written.remove(`file ${file}`);
  await back();
  const { packsRetired, bytesFreed } = await prune(parts.repository, parts.catalog, { before: dayOf(3), now });
  expect(packsRetired).toBeGreaterThan(0);
  expect(bytesFreed).toBe(before - (await packBytesOf(parts)));
  const left = await groupsOf();
  expect(left.flat().every(({ groupStart }) => groupStart !== undefined)).toBe(true);
  expect(left.some((members) => members.length > 100 && members.length < 150)).toBe(true);
  const last = points.at(-1);
  if (last !== undefined) await expectWhole(parts, last);
  expect(await verify(parts.repository, parts.catalog, { depth: 'full' })).toMatchObject({ damagedItems: [] });
  const pruned = await parts.catalog.fingerprint();
  await rebuild(parts.repository, parts.catalog);
  expect(await parts.catalog.fingerprint()).toEqual(pruned);
  if (last !== undefined) await expectWhole(parts, last);
});

test('a reader that looked up places of chunks before a prune moved them finds them all the same', async () => {
  const { parts, written, put, back, now, dayOf } = await bed();
  await back();
  for (let file = 1; file < 10; file += 1) put(`file ${file}`);
  await back();
  const { catalog, store } = parts;
  const key = parts.repository.objectKey(written.object);
  const item = await catalog.item(key, 2, 'file 0');
  const [content] = item?.contents ?? [];
  if (content === undefined) throw new Error('There is no such file.');
  const index = await locatedIndex(catalog, [content]);
  expect((await prune(parts.repository, catalog, { before: dayOf(2), now })).packsDeleted).toBeGreaterThan(0);
  const reader = await openRepository(store, PASSWORD);
  const read = await gathered(reader.read(content, index));
  expect(Buffer.concat(read).length).toBe(content.sizeBytes);
});

test('with nothing to keep, every object still comes back whole from the newest restore point, the object that left as well', async () => {
  const { parts, written, points, put, back, dayOf } = await bed();
  const left = new WrittenObject('bob', 'drive');
  left.put('letter', { kind: 'file', name: 'Letter', parentId: null, contents: { file: new Random(5).bytes(30_000) } });
  await back(new WrittenSource(written, left));
  const leaver = parts.repository.objectKey(left.object);
  for (let run = 0; run < 3; run += 1) {
    put('file 1');
    await back();
  }
  expect(await prune(parts.repository, parts.catalog, { before: dayOf(99), now: () => dayOf(99) })).toMatchObject({
    restorePoints: 3,
  });
  const last = points.at(-1);
  const newest = await parts.catalog.restorePoint(last?.result.run ?? '');
  expect(newest?.objects).toContainEqual([leaver, 1]);
  expect(await restoredState(parts.repository, parts.catalog, leaver, 1)).toEqual(writtenState(left));
  const [key, revision] = last?.result.objects.find(([of]) => of !== leaver) ?? ['', 0];
  expect(await restoredState(parts.repository, parts.catalog, key, revision)).toEqual(last?.state);
  expect(await verify(parts.repository, parts.catalog, { depth: 'full' })).toMatchObject({ damagedItems: [] });
  const pruned = await parts.catalog.fingerprint();
  await rebuild(parts.repository, parts.catalog);
  expect(await parts.catalog.fingerprint()).toEqual(pruned);
});

test('an object whose mail a killed run removed is restored from the restore point before, however short the retention', async () => {
  const { parts, written, points, back, now, dayOf } = await bed();
  await back();
  const { repository, catalog } = parts;
  const header = { kind: 'backup', job: 'job', jobName: 'Job', organizationId: 'contoso' } as const;
  const run = await repository.startRun(header, catalog);
  const changes = [...written.items.keys()].map((item) => ({ type: 'remove', item }) as const);
  const key = repository.objectKey(written.object);
  await catalog.apply(await run.commit({ sections: [{ ...written.object, key, revision: 2, at: now(), changes }] }));
  await run.abandon(); // like a process that died: its commits are stored, but it is no restore point
  await prune(parts.repository, parts.catalog, { before: dayOf(99), now: () => dayOf(99) });
  const [point] = points;
  if (point !== undefined) await expectWhole(parts, point);
});

test('while a backup runs nothing is deleted, and what it came to need meanwhile stays', async () => {
  const { parts, written, points, back, now, dayOf } = await bed();
  await back();
  const old = new Map(written.items);
  for (const id of old.keys()) written.remove(id);
  await back();
  for (const [id, item] of old) written.put(id, item); // the backup will find their chunks stored, in packs that are about to go
  const source = new WrittenSource(written);
  const { read } = source;
  source.read = async function* (request) {
    yield* read.call(source, request);
    await expect(prune(parts.repository, parts.catalog, { before: dayOf(20), now, waitMs: 0 })).rejects.toMatchObject({
      code: 'locked',
    });
  };
  await back(source);
  await prune(parts.repository, parts.catalog, { before: dayOf(2), now });
  const last = points.at(-1);
  if (last !== undefined) await expectWhole(parts, last);
});

test.each(['planning', 'copying', 'deleting'] as const)(
  'stopped while %s it loses nothing, blocks no other run, and the next prune completes it',
  async (step) => {
    const { parts, points, put, back, now, dayOf } = await bed();
    for (let run = 0; run < 12; run += 1) {
      await back();
      put(`file ${run % 3}`);
    }
    const stop = new AbortController();
    const onProgress: PruneOptions['onProgress'] = (progress) => {
      if (progress.step === step) stop.abort(new EngineError('stopped', 'Stopped on request.'));
    };
    const cut = prune(parts.repository, parts.catalog, { before: dayOf(9), now, signal: stop.signal, onProgress });
    await expect(cut).rejects.toMatchObject({ code: 'stopped' });
    expect(await gathered(parts.repository.listLocks())).toEqual([]);
    for (const point of points.slice(9)) await expectWhole(parts, point);
    await ageObjects(parts.folder, 'packs', 25);
    await prune(parts.repository, parts.catalog, { before: dayOf(9), now });
    expect(await prune(parts.repository, parts.catalog, { before: dayOf(9), now })).toMatchObject({ packsDeleted: 0 });
    for (const point of points.slice(9)) await expectWhole(parts, point);
    expect(await verify(parts.repository, parts.catalog, { depth: 'full' })).toMatchObject({
      damagedItems: [],
      unreferencedPacks: 0,
    });
  },
);

test('several prunes and backups at once do no harm to each other: one that comes too late is refused with the name of the other', async () => {
  const { parts, written, points, put, back, now, dayOf } = await bed();
  for (let run = 0; run < 6; run += 1) {
    await back();
    put(`file ${run % 3}`);
  }
  const others = ['bob', 'eve', 'joe'].map((id) => {
    const other = new WrittenObject(id, 'drive');
    // What the first drive had, in packs that are about to go.
    for (const [name, item] of written.items) other.put(name, item);
    return other;
  });
  const backing = others.map((other) =>
    backUp({ ...parts, source: new WrittenSource(other), signal: new AbortController().signal, now }, JOB),
  );
  const pruning = [1, 2].map(() => prune(parts.repository, parts.catalog, { before: dayOf(4), now }));
  const settled = await Promise.allSettled([...backing, ...pruning]);
  for (const one of settled)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'locked', isRetryable: true });
  for (const [at, other] of others.entries()) {
    const one = settled[at];
    if (one?.status !== 'fulfilled' || !('objects' in one.value)) continue;
    const [[key, revision] = ['', 0]] = one.value.objects;
    expect(await restoredState(parts.repository, parts.catalog, key, revision)).toEqual(writtenState(other));
  }
  await prune(parts.repository, parts.catalog, { before: dayOf(4), now });
  for (const point of points.slice(4)) await expectWhole(parts, point);
  expect(await verify(parts.repository, parts.catalog, { depth: 'full' })).toMatchObject({ damagedItems: [] });
  const before = await parts.catalog.fingerprint();
  await rebuild(parts.repository, parts.catalog);
  expect(await parts.catalog.fingerprint()).toEqual(before);
});

test('a long content keeps the chunks that its list alone names', async () => {
  const { parts, written, points, back, dayOf } = await bed();
  written.put('long', {
    kind: 'file',
    name: 'long',
    parentId: null,
    contents: { file: new Random(8).bytes(2_000_000) },
  });
  await back();
  for (const id of [...written.items.keys()]) if (id !== 'long') written.remove(id);
  await back();
  await prune(parts.repository, parts.catalog, { before: dayOf(30), now: () => dayOf(30) });
  const [result] = points.slice(-1);
  const [[key, revision] = ['', 0]] = result?.result.objects ?? [];
  expect(await restoredState(parts.repository, parts.catalog, key, revision)).toEqual(writtenState(written));
});
