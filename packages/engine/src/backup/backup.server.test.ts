import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { EngineEvent } from '../model/engine-event.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import { openRepository } from '../repository/open-repository.ts';
import type { SourceEvent } from '../source/source.ts';
import { AgingStore } from '../testing/aging-store.ts';
import { gathered } from '../testing/gathered.ts';
import { restoredState, type State, writtenState } from '../testing/restored-state.ts';
import { PASSWORD, type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, itemOf, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { type BackupParts, type BackupResult, backUp } from './backup.ts';

const database = useDatabase();
const JOB = { id: 'job', name: 'Job', selection: EVERYTHING };

function runOf(
  parts: Pick<BackupParts, 'repository' | 'catalog'>,
  source: WrittenSource,
  more: Partial<BackupParts> = {},
): Promise<BackupResult> {
  return backUp({ ...parts, source, signal: new AbortController().signal, ...more }, JOB);
}

const text = (content: string) => ({ properties: Buffer.from(content) });

function mailbox(id = 'ada'): WrittenObject {
  const written = new WrittenObject(id);
  written.put('inbox', { kind: 'mail-folder', name: 'Inbox', parentId: null, contents: text('{}') });
  written.put('offer', { kind: 'message', name: 'Offer', parentId: 'inbox', contents: text('the offer') });
  written.put('reply', { kind: 'message', name: 'Reply', parentId: 'inbox', contents: text('the reply') });
  return written;
}

async function stateOf(parts: TestParts, written: WrittenObject, { objects }: BackupResult): Promise<State> {
  const key = parts.repository.objectKey(written.object);
  const [, revision] = objects.find(([of]) => of === key) ?? [];
  if (revision === undefined) throw new Error(`${written.object.name} is not in the restore point.`);
  return restoredState(parts.repository, parts.catalog, key, revision);
}

async function packCount({ repository }: TestParts): Promise<number> {
  return (await gathered(repository.listPacks())).length;
}

test('every restore point shows what the source had then, byte for byte, however it changed afterwards', async () => {
  const parts = await database.parts();
  const written = mailbox();
  const source = new WrittenSource(written);
  const runs: { result: BackupResult; state: State }[] = [];
  const back = async () => runs.push({ result: await runOf(parts, source), state: writtenState(written) });
  await back();
  written.put('offer', { kind: 'message', name: 'Offer 2', parentId: 'inbox', contents: text('another offer') });
  written.put('big', {
    kind: 'file',
    name: 'Big',
    parentId: null,
    contents: { file: Buffer.alloc(300_000, 'big file') },
  });
  await back();
  written.put('archive', { kind: 'mail-folder', name: 'Archive', parentId: null, contents: text('{}') });
  written.put('reply', { kind: 'message', name: 'Reply', parentId: 'archive', contents: text('the reply') });
  written.remove('big');
  await back();
  written.remove('inbox');
  written.put('offer', { kind: 'message', name: 'Offer', parentId: 'archive', contents: text('the offer') });
  await back();
  for (const { result, state } of runs) {
    expect(result.outcome).toBe('Success');
    expect(await stateOf(parts, written, result)).toEqual(state);
  }
});

test('a run that finds nothing new writes no chunk, no version and no revision', async () => {
  const parts = await database.parts();
  const source = new WrittenSource(mailbox(), mailbox('bob'));
  const first = await runOf(parts, source);
  const [packs, before] = [await packCount(parts), await parts.catalog.fingerprint()];
  const second = await runOf(parts, source);
  expect(new Map(second.objects)).toEqual(new Map(first.objects));
  expect(second.counts).toMatchObject({ itemsRead: 0, bytesStored: 0 });
  expect(await packCount(parts)).toBe(packs);
  const after = await parts.catalog.fingerprint();
  for (const part of ['versions', 'packs', 'chunks', 'cursors', 'objects']) expect(after[part]).toBe(before[part]);
});

test('a scan that lists the same items again writes no version, and removes items that it did not list', async () => {
  const parts = await database.parts();
  const written = mailbox();
  const source = new WrittenSource(written);
  await runOf(parts, source);
  const before = await parts.catalog.fingerprint();
  written.isForgetful = true;
  expect((await runOf(parts, source)).counts).toMatchObject({ itemsRead: 3, itemsRemoved: 0, bytesStored: 0 });
  expect((await parts.catalog.fingerprint()).versions).toBe(before.versions);
  written.items.delete('reply'); // without a word in the log: the scan has to notice
  written.isForgetful = true;
  const result = await runOf(parts, source);
  expect(result.counts.itemsRemoved).toBe(1);
  expect(await stateOf(parts, written, result)).toEqual(writtenState(written));
});

test('items that a scan did not list are removed, also when a rebuild replaces the catalog during the lookup', async () => {
  const parts = await database.parts();
  const drive = new WrittenObject('ada', 'drive');
  drive.put('folder', { kind: 'folder', name: 'folder', parentId: null, contents: {} });
  const gone = ['one', 'two', 'three'];
  gone.forEach((id, at) => {
    drive.put(id, { kind: 'file', name: id, parentId: at === 0 ? null : 'folder', contents: text(id) });
  });
  await runOf(parts, new WrittenSource(drive));
  for (const id of gone) drive.remove(id);
  drive.isForgetful = true;
  let rebuilds = 0;
  const catalog = whileListing(parts.catalog, async () => {
    rebuilds += 1;
    await rebuild(parts.repository, parts.catalog);
  });
  const result = await runOf({ ...parts, catalog }, new WrittenSource(drive));
  expect([rebuilds, result.counts.itemsRemoved]).toEqual([1, 3]);
  expect(await stateOf(parts, drive, result)).toEqual(writtenState(drive));
});

/** A catalog in which something happens after the first id that it lists. */
function whileListing(catalog: RepositoryCatalog, happens: () => Promise<void>): RepositoryCatalog {
  const currentIds: RepositoryCatalog['currentIds'] = async function* (...asked) {
    let isFirst = true;
    for await (const one of catalog.currentIds(...asked)) {
      yield one;
      if (isFirst) await happens();
      isFirst = false;
    }
  };
  const get = (_: RepositoryCatalog, name: string | symbol) =>
    name === 'currentIds' ? currentIds : Reflect.get(catalog, name);
  return new Proxy(catalog, { get });
}

test('an item that could not be read is named, asked for again in every run, and forgotten when it was read', async () => {
  const parts = await database.parts();
  const written = mailbox();
  const source = new WrittenSource(written);
  const offer = { kind: 'message', name: 'Offer', parentId: 'inbox', contents: text('the offer') } as const;
  for (const fault of ['unreadable', 'broken'] as const) {
    written.put('offer', { ...offer, fault });
    const result = await runOf(parts, source);
    expect(result.outcome).toBe('Warning');
    expect(result.findings.lost).toMatchObject([{ id: 'offer', name: 'Offer', objectName: 'Object ada' }]);
  }
  const key = parts.repository.objectKey(written.object);
  expect((await parts.catalog.object(key))?.lost).toMatchObject([{ id: 'offer' }]);
  written.items.set('offer', offer); // readable again, without a change that the source would report
  const result = await runOf(parts, source);
  expect(result.outcome).toBe('Success');
  expect((await parts.catalog.object(key))?.lost).toEqual([]);
  expect(await stateOf(parts, written, result)).toEqual(writtenState(written));
});

test('a lost item that is deleted at the source is lost no longer, whether the source reports it or a scan does not list it', async () => {
  const parts = await database.parts();
  const written = mailbox();
  const source = new WrittenSource(written);
  const key = parts.repository.objectKey(written.object);
  for (const forget of [false, true]) {
    written.put('odd', { kind: 'message', name: 'Odd', parentId: 'inbox', contents: text(''), fault: 'unreadable' });
    await runOf(parts, source);
    expect((await parts.catalog.object(key))?.lost).toHaveLength(1);
    if (forget) written.items.delete('odd');
    else written.remove('odd');
    written.isForgetful = forget;
    expect((await runOf(parts, source)).outcome).toBe('Success');
    expect((await parts.catalog.object(key))?.lost).toEqual([]);
  }
});

test('an item that is gone by the time it is read is neither stored nor lost', async () => {
  const parts = await database.parts();
  const written = mailbox();
  written.put('gone', { kind: 'message', name: 'Gone', parentId: 'inbox', contents: text('x'), fault: 'vanished' });
  const result = await runOf(parts, new WrittenSource(written));
  expect(result.outcome).toBe('Success');
  expect((await stateOf(parts, written, result)).has('gone')).toBe(false);
});

test('a move shows as removal in one container and item in another, in either order, and the item stays', async () => {
  const parts = await database.parts();
  const written = mailbox();
  const source = new WrittenSource(written);
  await runOf(parts, source);
  const moved = { kind: 'message', name: 'Offer', parentId: null, contents: text('the offer') } as const;
  const changed = {
    type: 'item',
    item: itemOf('offer', moved),
    contents: [{ name: 'properties', keep: true }],
  } as const;
  const removed = { type: 'removed', id: 'offer', fromParentId: 'inbox' } as const;
  written.items.set('offer', moved);
  for (const script of [
    [changed, removed],
    [removed, changed],
  ]) {
    if (script[0] === removed) {
      written.put('offer', { ...moved, parentId: 'inbox' });
      await runOf(parts, source);
      written.items.set('offer', moved);
    }
    written.script =
      script[0] === changed
        ? [...script]
        : [removed, { ...changed, contents: [{ name: 'properties', bytes: Buffer.from('the offer') }] }];
    expect(await stateOf(parts, written, await runOf(parts, source))).toEqual(writtenState(written));
  }
});

test('a content that is to stay but is not stored makes its item lost and does not drop it', async () => {
  const parts = await database.parts();
  const written = mailbox();
  const event = { type: 'item', contents: [{ name: 'file', keep: true }] } as const;
  written.script = [{ ...event, item: itemOf('new', { kind: 'file', name: 'New', parentId: null, contents: {} }) }];
  const result = await runOf(parts, new WrittenSource(written));
  expect(result.findings.lost).toMatchObject([{ id: 'new' }]);
});

test('what a source throws unexpectedly ends its object and no other; without anything read the object is left out', async () => {
  const parts = await database.parts();
  const [broken, whole] = [mailbox('broken'), mailbox('whole')];
  broken.script = [
    () => {
      throw new TypeError('x is not a function');
    },
  ];
  const result = await runOf(parts, new WrittenSource(broken, whole));
  expect(result.outcome).toBe('Warning');
  expect(result.findings.failures).toEqual([
    {
      objectName: 'Object broken',
      objectKey: parts.repository.objectKey(broken.object),
      message: 'Unexpected: x is not a function',
    },
  ]);
  expect(result.objects.map(([key]) => key)).toEqual([parts.repository.objectKey(whole.object)]);
  expect(await stateOf(parts, whole, result)).toEqual(writtenState(whole));
});

test('a run that is stopped keeps what it has read, says Stopped, and the next one goes on', async () => {
  const parts = await database.parts();
  const written = mailbox();
  const stop = new AbortController();
  const inbox = itemOf('inbox', { kind: 'mail-folder', name: 'Inbox', parentId: null, contents: {} });
  let seen = 0;
  written.script = [
    { type: 'item', item: inbox, contents: [] },
    ...Array.from({ length: 40 }, (_, at) => ({ type: 'cursor', scope: `${at}`, value: 'x' }) as const),
    () => {
      seen += 1;
      stop.abort();
    },
    { type: 'cursor', scope: 'never', value: 'x' },
  ];
  const source = new WrittenSource(written);
  const stopped = await runOf(parts, source, { signal: stop.signal });
  expect([seen, stopped.outcome]).toEqual([1, 'Stopped']);
  expect([...(await stateOf(parts, written, stopped)).keys()]).toEqual(['inbox']);
  const result = await runOf(parts, source);
  expect(await stateOf(parts, written, result)).toEqual(writtenState(written));
});

test('a run that another process does instead is left without an end: there is no restore point beside the other', async () => {
  const parts = await database.parts();
  const written = mailbox();
  const left = new AbortController();
  const inbox = itemOf('inbox', { kind: 'mail-folder', name: 'Inbox', parentId: null, contents: {} });
  written.script = [
    { type: 'item', item: inbox, contents: [] },
    () => left.abort(new EngineError('run-closed', 'Another worker goes on with the run.')),
    { type: 'cursor', scope: 'never', value: 'x' },
  ];
  const source = new WrittenSource(written);
  await expect(runOf(parts, source, { signal: left.signal })).rejects.toThrow('Another worker goes on');
  const result = await runOf(parts, source);
  expect(await stateOf(parts, written, result)).toEqual(writtenState(written));
  const points = await parts.catalog.listRestorePoints({ limit: 10, offset: 0 });
  expect(points.map(({ outcome }) => outcome)).toEqual(['Success']);
});

test('a run that another process goes on with has reported every byte of the packs that it stored', async () => {
  const parts = await database.parts();
  const written = mailbox();
  written.put('file', { kind: 'file', name: 'File', parentId: null, contents: { file: randomBytes(200_000) } });
  // More than a commit has, so that one is made before the run is left.
  const many = Array.from({ length: 5_000 }, (_, at): SourceEvent => {
    const item = itemOf(`m${at}`, { kind: 'message', name: 'Many', parentId: 'inbox', contents: {} });
    return { type: 'item', item, contents: [] };
  });
  const left = new AbortController();
  const leave = () => left.abort(new EngineError('run-closed', 'Another worker goes on with the run.'));
  written.script = [...eventsOf(written, 'file'), ...many, leave, { type: 'cursor', scope: 'never', value: 'x' }];
  let reported: number | undefined;
  const onEvent = (event: EngineEvent) => {
    if (event.type === 'progress') reported = event.bytesStored;
  };
  const run = runOf(parts, new WrittenSource(written), { signal: left.signal, onEvent });
  await expect(run).rejects.toThrow('Another worker goes on');
  const packs = await gathered(parts.repository.listPacks());
  expect(reported).toBe(packs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  expect(reported).toBeGreaterThan(200_000);
});

test('of two runs at once on one object the second is refused, and nothing is doubled', async () => {
  const parts = await database.parts();
  const [shared, other] = [mailbox('shared'), mailbox('other')];
  let second: BackupResult | undefined;
  shared.script = [
    async () => {
      second = await runOf(parts, new WrittenSource(mailbox('shared'), other));
    },
    ...eventsOf(shared),
  ];
  const first = await runOf(parts, new WrittenSource(shared));
  expect(second?.findings.failures).toMatchObject([{ objectName: 'Object shared' }]);
  expect(second?.objects.map(([key]) => key)).toEqual([parts.repository.objectKey(other.object)]);
  expect(first.objects).toEqual([[parts.repository.objectKey(shared.object), 1]]);
  expect(await stateOf(parts, shared, first)).toEqual(writtenState(shared));
  const third = await runOf(parts, new WrittenSource(shared, other));
  expect(third.outcome).toBe('Success');
});

function eventsOf(written: WrittenObject, content: 'properties' | 'file' = 'properties') {
  return [...written.items].map(
    ([id, item]) =>
      ({
        type: 'item',
        item: itemOf(id, item),
        contents: [{ name: content, bytes: item.contents[content] ?? Buffer.alloc(0) }],
      }) as const,
  );
}

test('a process that was presumed dead stops at its next commit, and its object continues from what it had committed', async () => {
  const whole = await database.parts();
  const store = new AgingStore(whole.store);
  const parts = { ...whole, repository: await openRepository(store, PASSWORD) };
  const written = mailbox();
  const source = new WrittenSource(written);
  let taker: BackupResult | undefined;
  written.script = [
    ...eventsOf(written),
    async () => {
      await store.ageLocks();
      taker = await runOf(parts, new WrittenSource(written));
    },
  ];
  await expect(runOf(parts, source)).rejects.toMatchObject({ code: 'run-closed' });
  expect(taker?.outcome).toBe('Success');
  if (taker !== undefined) expect(await stateOf(parts, written, taker)).toEqual(writtenState(written));
  expect((await runOf(parts, source)).outcome).toBe('Success');
  expect((await parts.catalog.openRuns()).size).toBe(0);
});

test('a commit that the catalog did not hear of is applied before the next run begins', async () => {
  const parts = await database.parts();
  const written = mailbox();
  const source = new WrittenSource(written);
  const deaf = Object.create(parts.catalog, {
    apply: {
      value: async (commit: { sections: unknown[] }) => {
        if (commit.sections.length > 0) throw new EngineError('store-unreachable', 'The database went away.');
        await parts.catalog.apply(commit as never);
      },
    },
  });
  await expect(runOf({ ...parts, catalog: deaf }, source)).rejects.toMatchObject({ code: 'store-unreachable' });
  const key = parts.repository.objectKey(written.object);
  expect(await parts.catalog.object(key)).toBeNull();
  const result = await runOf(parts, source);
  expect(result.counts.itemsRead).toBe(0);
  expect(await stateOf(parts, written, result)).toEqual(writtenState(written));
});

test('an object that fails after some items is stored as far as it was read', async () => {
  const parts = await database.parts();
  const written = mailbox();
  const refuse = () => {
    throw new EngineError('source-unreachable', 'The mail server does not answer.');
  };
  written.script = [...eventsOf(written).slice(0, 2), refuse];
  const failed = await runOf(parts, new WrittenSource(written));
  expect(failed.outcome).toBe('Failed');
  expect([...(await stateOf(parts, written, failed)).keys()].sort()).toEqual(['inbox', 'offer']);
});

test('a job that covers nothing fails, says why, and makes no restore point', async () => {
  const parts = await database.parts();
  const result = await runOf(parts, new WrittenSource());
  expect(result).toMatchObject({ outcome: 'Failed', objects: [] });
  expect(result.findings.failures).toMatchObject([
    { objectName: null, message: expect.stringContaining('covers no object') },
  ]);
  expect(await parts.catalog.listRestorePoints({ limit: 10, offset: 0 })).toEqual([]);
});

test('a run, stopped or not, counts every byte of its packs, and the next one finds the chunks again', async () => {
  const parts = await database.parts();
  const written = mailbox();
  const file = (id: string) =>
    ({ kind: 'file', name: id, parentId: null, contents: { file: randomBytes(200_000) } }) as const;
  for (const id of ['one', 'two']) written.put(id, file(id));
  const stop = new AbortController();
  written.script = [...eventsOf(written, 'file'), () => stop.abort(), { type: 'cursor', scope: 'never', value: 'x' }];
  const source = new WrittenSource(written);
  const stopped = await runOf(parts, source, { signal: stop.signal });
  const inPacks = async () =>
    (await gathered(parts.repository.listPacks())).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  expect([stopped.outcome, stopped.counts.bytesStored]).toEqual(['Stopped', await inPacks()]);
  expect(stopped.counts.bytesStored).toBeGreaterThan(400_000);
  const before = await inPacks();
  const whole = await runOf(parts, source);
  expect([whole.outcome, whole.counts.bytesStored]).toEqual(['Success', (await inPacks()) - before]);
  expect(whole.counts.bytesStored).toBeLessThan(50_000);
});

test('a message without a reported size counts at least its MIME; one with a reported size counts that size', async () => {
  const parts = await database.parts();
  const written = new WrittenObject('ada');
  const item = (id: string, sizeBytes: number) => ({
    type: 'item' as const,
    item: { ...itemOf(id, { kind: 'message', name: id, parentId: null, contents: {} }), sizeBytes },
    contents: [
      { name: 'properties' as const, bytes: Buffer.from('{"subject":"longer than the message"}') },
      { name: 'mime' as const, bytes: Buffer.from('Subject: x\r\n\r\n') },
    ],
  });
  written.script = [item('no-size', 0), item('with-size', 4_711)];
  await runOf(parts, new WrittenSource(written));
  const stored = await parts.catalog.current(parts.repository.objectKey(written.object), ['no-size', 'with-size']);
  expect([stored.get('no-size')?.sizeBytes, stored.get('with-size')?.sizeBytes]).toEqual([14, 4_711]);
});

test('a thread that dies while it fills packs fails the run with its error, and leaves no restore point; the next one completes', async () => {
  const program = new URL('../repository/packs/dying-pack-worker.fixture.ts', import.meta.url);
  const parts = await database.parts({ packing: { hereBytesMax: 0, program } });
  const written = mailbox();
  await expect(runOf(parts, new WrittenSource(written))).rejects.toThrow(/thread that fills packs has failed/);
  expect(await parts.catalog.listRestorePoints({ limit: 10, offset: 0 })).toEqual([]);
  expect(await packCount(parts)).toBe(0);
  const repository = await openRepository(parts.store, PASSWORD, { packing: { hereBytesMax: 0 } });
  const healthy = { ...parts, repository };
  const result = await runOf(healthy, new WrittenSource(written));
  expect(result.outcome).toBe('Success');
  expect(await stateOf(healthy, written, result)).toEqual(writtenState(written));
});
