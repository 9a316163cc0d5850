import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { openRepository } from '../repository/open-repository.ts';
import { AgingStore } from '../testing/aging-store.ts';
import { gathered } from '../testing/gathered.ts';
import { CHEAP, PASSWORD, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, itemOf, WrittenObject, WrittenSource } from '../testing/written-source.ts';

const database = useDatabase();
const SOON = { renewMs: 10_000, deadMs: 40_000 };

function mailbox(): WrittenObject {
  const written = new WrittenObject('ada');
  written.put('inbox', { kind: 'mail-folder', name: 'Inbox', parentId: null, contents: {} });
  for (let at = 0; at < 5; at += 1)
    written.put(`m${at}`, {
      kind: 'message',
      name: `${at}`,
      parentId: 'inbox',
      contents: { mime: Buffer.from(`${at}`) },
    });
  return written;
}

test('another worker goes on within a minute with an object whose worker died, and nothing is doubled', async () => {
  const { store, catalog } = await database.parts();
  const aging = new AgingStore(store);
  const options = { passwordCost: CHEAP, lockTimes: SOON };
  const repository = await openRepository(aging, PASSWORD, options);
  const job = { id: 'job', name: 'Job', selection: EVERYTHING };
  const { signal } = new AbortController();
  // The first worker stops for good in the middle of the mailbox; its machine cannot be asked whether it lives.
  const hanging = mailbox();
  const reached = Promise.withResolvers<void>();
  hanging.script = [
    () => {
      reached.resolve();
      return new Promise(() => undefined);
    },
  ];
  void backUp({ repository, catalog, source: new WrittenSource(hanging), signal }, job).catch(() => undefined);
  await reached.promise;
  const other = await openRepository(aging, PASSWORD, options);
  const source = new WrittenSource(mailbox());
  const meanwhile = await backUp({ repository: other, catalog, source, signal }, job);
  expect(meanwhile.findings.failures[0]?.message).toMatch(/Another run is working on this object/);
  await aging.ageLocks(SOON.deadMs + 1_000);
  const result = await backUp({ repository: other, catalog, source: new WrittenSource(mailbox()), signal }, job);
  expect(result).toMatchObject({ outcome: 'Success', counts: { itemsRead: 6 } });
  expect(SOON.deadMs).toBeLessThan(60_000);
});

/** More than a commit waits for. */
const COMMITTED = 5_001;

test('a worker that comes back after another one went on commits nothing more, and what it had committed is there once', async () => {
  const { store, catalog } = await database.parts();
  const aging = new AgingStore(store);
  const options = { passwordCost: CHEAP, lockTimes: SOON };
  const open = () => openRepository(aging, PASSWORD, options);
  const job = { id: 'job', name: 'Job', selection: EVERYTHING };
  const { signal } = new AbortController();
  const written = new WrittenObject('ada', 'drive');
  const late = new WrittenObject('ada', 'drive');
  for (let at = 0; at < COMMITTED; at += 1)
    for (const one of [written, late])
      one.put(`f${at}`, { kind: 'folder', name: `${at}`, parentId: null, contents: {} });
  const [reached, back] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  late.script = [
    { type: 'scan-begin', scan: { scope: 'all', kinds: ['folder'] }, resumed: false },
    ...[...late.items].map(([id, item]) => ({ type: 'item', item: itemOf(id, item), contents: [] }) as const),
    async () => {
      reached.resolve();
      await back.promise;
    },
    { type: 'scan-end', scan: { scope: 'all', kinds: ['folder'] } },
    { type: 'cursor', scope: 'all', value: String(COMMITTED) },
  ];
  const first = backUp({ repository: await open(), catalog, source: new WrittenSource(late), signal }, job);
  const firstEnd = first.catch((error: unknown) => error);
  await reached.promise;
  const key = (await open()).objectKey(written.object);
  await expect.poll(() => catalog.revisionOf(key)).toBe(1);
  await aging.ageLocks(SOON.deadMs + 1_000);
  written.put('new', { kind: 'folder', name: 'new', parentId: null, contents: {} });
  const second = await backUp({ repository: await open(), catalog, source: new WrittenSource(written), signal }, job);
  expect(second.outcome).toBe('Success');
  const journals = async () => (await gathered(store.list('journals/'))).map(({ name }) => name);
  const before = await journals();
  back.resolve();
  // Whichever it notices first: that its run was closed, or, on a slow machine, that its lock is gone.
  expect(await firstEnd).toMatchObject({ code: expect.stringMatching(/^(run-closed|locked)$/) });
  expect(await journals()).toEqual(before);
  const points = await catalog.listRestorePoints({ limit: 10, offset: 0 });
  expect(points.map(({ run }) => run.id)).toEqual([second.run]);
  const revision = (await catalog.object(key))?.revision ?? 0;
  const stored = (await gathered(catalog.walk(key, revision, null))).map(({ id }) => id);
  expect(stored.sort()).toEqual([...written.items.keys()].sort());
  expect(await catalog.versionsOf(key, 'f0')).toHaveLength(1);
});
