import { expect, test } from 'vitest';
import { EngineError } from '../model/engine-error.ts';
import { prune } from '../prune/prune.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { insideOf, smallDriveOf } from '../testing/graph/graph-drive.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { backUp } from './backup.ts';

const database = useDatabase();
const DAY_MS = 86_400_000;

function filled(count: number): WrittenObject {
  const written = new WrittenObject('ada', 'drive');
  for (let at = 0; at < count; at += 1)
    written.put(`file-${at}`, {
      kind: 'file',
      name: `File ${at}`,
      parentId: null,
      contents: { file: Buffer.from(`${at}`) },
    });
  return written;
}

async function world(count: number, job: { keepDays?: number } = {}) {
  const parts = await database.parts();
  const written = filled(count);
  let nowMs = Date.now() - 200 * DAY_MS;
  const run = (days = 0, signal = new AbortController().signal) => {
    nowMs += days * DAY_MS;
    return backUp(
      {
        ...parts,
        source: new WrittenSource(written),
        signal,
        now: () => new Date(nowMs),
      },
      { id: 'job', name: 'Job', selection: EVERYTHING, ...job },
    );
  };
  return { parts, written, run, now: () => nowMs, key: parts.repository.objectKey(written.object) };
}

const removeSome = (written: WrittenObject, count: number) => {
  for (const id of [...written.items.keys()].slice(0, count)) written.remove(id);
};

test('more than a fifth and a hundred items of an object gone at once is a Warning that names it, once', async () => {
  const { written, run, key } = await world(400);
  await run();
  removeSome(written, 101);
  const result = await run(1);
  expect(result.outcome).toBe('Warning');
  expect(result.findings.failures).toMatchObject([{ objectName: written.object.name, message: /101 of 400 items/ }]);
  expect(result.findings.objects).toEqual({ [key]: 'shrunk' });
  expect(await run(1)).toMatchObject({ outcome: 'Success', findings: { objects: {} } });
});

test.each([
  ['few of few', 50, 40],
  ['a hundred of many', 1_000, 150],
])('%s gone is what people do every day', async (_name, count, gone) => {
  const { written, run } = await world(count);
  await run();
  removeSome(written, gone);
  expect((await run(1)).outcome).toBe('Success');
});

test('what comes back in the same run did not go', async () => {
  const { written, run } = await world(300);
  await run();
  const files = [...written.items];
  written.script = [
    ...files.map(([id]) => ({ type: 'removed', id }) as const),
    { type: 'cursor', scope: 'all', value: null },
  ];
  written.script.push(...files.map(([id]) => itemEvent(written, id)));
  expect((await run(1)).outcome).toBe('Success');
});

function itemEvent(written: WrittenObject, id: string) {
  const { kind, name, parentId, contents } = written.items.get(id) ?? {
    kind: 'file',
    name: '',
    parentId: null,
    contents: {},
  };
  const item = { id, kind, name, parentId, sizeBytes: 0, modifiedAt: null, details: {} };
  const bytes = Object.values(contents)[0] ?? Buffer.alloc(0);
  return { type: 'item', item, contents: [{ name: 'file', bytes }] } as const;
}

test('items that were removed all at once are retained 90 days longer than a prune would leave them, and then deleted', async () => {
  const { parts, written, run, now, key } = await world(300);
  await run();
  removeSome(written, 200);
  await run(1);
  const shrunkMs = now();
  await run(1);
  const stays = async () => (await parts.catalog.versionsOf(key, 'file-0')).length;
  const pruneBefore = (ms: number) => prune(parts.repository, parts.catalog, { before: new Date(ms) });
  await pruneBefore(shrunkMs + DAY_MS / 2);
  expect(await stays()).toBe(1);
  await run(85);
  await pruneBefore(now());
  expect(await stays()).toBe(1);
  await run(10);
  await pruneBefore(now());
  expect(await stays()).toBe(0);
});

test('what went all at once stays 90 days longer than the days of its own job, also after a rebuild', async () => {
  const { parts, written, run, key } = await world(300, { keepDays: 30 });
  await run();
  removeSome(written, 200);
  await run(1);
  const stays = async () => (await parts.catalog.versionsOf(key, 'file-0')).length;
  await run(118);
  // By its 30 days alone it would have gone 88 days ago.
  await prune(parts.repository, parts.catalog, {});
  expect(await stays()).toBe(1);
  await parts.catalog.clear();
  await rebuild(parts.repository, parts.catalog);
  await prune(parts.repository, parts.catalog, {});
  expect(await stays()).toBe(1);
  await run(3);
  await prune(parts.repository, parts.catalog, {});
  expect(await stays()).toBe(0);
});

const removals = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ type: 'removed', id: `file-${from + at}` }) as const);

test.each([150, 90])(
  'of 200 items gone of 300 a run that is stopped after %i and the one after it leave none unreported, and all stay for longer',
  async (readCount) => {
    const { parts, written, run, now, key } = await world(300);
    await run();
    const stop = new AbortController();
    removeSome(written, 200);
    written.script = [...removals(0, readCount), () => stop.abort(), ...removals(readCount, 200)];
    const stopped = await run(1, stop.signal);
    expect([stopped.outcome, stopped.findings.objects]).toEqual([
      'Stopped',
      { [key]: readCount > 100 ? 'shrunk' : 'incomplete' },
    ]);
    const result = await run(1);
    expect([result.outcome, result.findings.objects]).toEqual(['Warning', { [key]: 'shrunk' }]);
    expect(result.findings.failures).toMatchObject([{ message: /200 of 300 items/ }]);
    expect((await run(1)).outcome).toBe('Success');
    await run(80);
    await prune(parts.repository, parts.catalog, { before: new Date(now()) });
    for (const id of ['file-0', 'file-199']) expect((await parts.catalog.versionsOf(key, id)).length, id).toBe(1);
  },
);

test('items gone after a first run that was stopped are reported, once', async () => {
  const { written, run, key } = await world(300);
  const stop = new AbortController();
  const items = [...written.items.keys()].map((id) => itemEvent(written, id));
  written.script = [...items, { type: 'cursor', scope: 'all', value: null }, () => stop.abort()];
  expect((await run(0, stop.signal)).outcome).toBe('Stopped');
  removeSome(written, 200);
  written.script = removals(0, 200);
  expect((await run(1)).findings.objects).toEqual({ [key]: 'shrunk' });
  expect(await run(1)).toMatchObject({ outcome: 'Success', findings: { objects: {} } });
});

test('what a killed run had removed counts with what the next one removes', async () => {
  const { written, run, key } = await world(300);
  await run();
  const left = new AbortController();
  const kill = () => left.abort(new EngineError('run-closed', 'Another process does it.'));
  // So many changes are committed at once.
  const cursors = Array.from(
    { length: 5_000 },
    (_, at) => ({ type: 'cursor', scope: 'place', value: `${at}` }) as const,
  );
  written.script = [...removals(0, 90), ...cursors, kill, ...removals(90, 150)];
  await expect(run(1, left.signal)).rejects.toThrow('Another process');
  written.script = removals(90, 150);
  const result = await run(1);
  expect([result.outcome, result.findings.objects]).toEqual(['Warning', { [key]: 'shrunk' }]);
  expect(result.findings.failures).toMatchObject([{ message: /150 of 300 items/ }]);
});

test('a drive that names a deleted folder alone loses what was in it too, in the same run', async () => {
  const { tenant, connection } = await startConnected();
  try {
    const parts = await database.parts();
    const source = openGraphSource(connection, { keepExchangeStream: false, earlierVersions: 0 });
    const drive = await smallDriveOf(source, tenant);
    const inside = insideOf(tenant, drive);
    const folder = [...inside.all()].find(
      ({ kind, children, parent }) => kind === 'folder' && parent && children.size > 0,
    );
    if (folder === undefined) throw new Error('The drive has no folder with files.');
    const selection = {
      scope: 'everything',
      kinds: ['drive'],
      include: [],
      exclude: [],
      personalSites: false,
    } as const;
    const run = () =>
      backUp({ ...parts, source, signal: new AbortController().signal }, { id: 'job', name: 'Job', selection });
    await run();
    const below = [...folder.children.values()].map(({ id }) => id);
    const key = parts.repository.objectKey(drive);
    expect((await parts.catalog.current(key, below)).size).toBe(below.length);
    tenant.tenant.behaviours.partialTombstones = true;
    inside.remove(folder);
    await run();
    expect((await parts.catalog.current(key, [folder.id, ...below])).size).toBe(0);
  } finally {
    await tenant.stop();
  }
});

test('what is below a deleted folder is removed with it, unless it was listed somewhere else', async () => {
  const { parts, run, written, key } = await world(0);
  const file = (parentId: string, name: string) =>
    written.put(name, { kind: 'file', name, parentId, contents: { file: Buffer.from(name) } });
  for (const [id, parentId] of [
    ['top', null],
    ['below', 'top'],
    ['elsewhere', null],
  ] as const)
    written.put(id, { kind: 'folder', name: id, parentId, contents: {} });
  for (const [name, parentId] of [
    ['one', 'top'],
    ['two', 'below'],
    ['moved', 'below'],
  ] as const)
    file(parentId, name);
  await run();
  written.script = [
    { type: 'removed', id: 'top' },
    { ...itemEvent(written, 'moved'), item: { ...itemEvent(written, 'moved').item, parentId: 'elsewhere' } },
  ];
  await run(1);
  const current = await parts.catalog.current(key, ['top', 'below', 'one', 'two', 'moved', 'elsewhere']);
  expect([...current.keys()].sort()).toEqual(['elsewhere', 'moved']);
});
