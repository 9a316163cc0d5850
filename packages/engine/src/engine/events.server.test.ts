import { expect, test } from 'vitest';
import { backUp, indexTexts, rebuild } from '../engine.ts';
import type { EngineEvent } from '../model/engine-event.ts';
import { openRepository } from '../repository/open-repository.ts';
import { FaultStore } from '../testing/fault/fault-store.ts';
import { PASSWORD, type TestParts, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';

const database = useDatabase();

function mailbox(id: string, items: number): WrittenObject {
  const written = new WrittenObject(id);
  written.put('inbox', { kind: 'mail-folder', name: 'Inbox', parentId: null, contents: {} });
  for (let at = 0; at < items; at += 1) written.put(`m${at}`, message(`Mail ${at}`));
  return written;
}

const message = (name: string) =>
  ({ kind: 'message', name, parentId: 'inbox', contents: { mime: Buffer.from(`Subject: ${name}\r\n\r\n`) } }) as const;

async function backedUp(parts: TestParts, source: WrittenSource) {
  const events: EngineEvent[] = [];
  const work = { signal: new AbortController().signal, onEvent: (event: EngineEvent) => void events.push(event) };
  const job = { id: 'job', name: 'Job', selection: EVERYTHING };
  const result = await backUp(parts, source, { job }, work);
  await indexTexts(parts, work);
  return { events, result };
}

const ofType = <Type extends EngineEvent['type']>(events: readonly EngineEvent[], type: Type) =>
  events.filter((event): event is Extract<EngineEvent, { type: Type }> => event.type === type);

test('reports each object with its own counts and outcome, and the sum is the run', async () => {
  const parts = await database.parts();
  const [ada, bob] = [mailbox('ada', 5), mailbox('bob', 3)];
  bob.put('m1', { ...message('Mail 1'), fault: 'unreadable' });
  const { events, result } = await backedUp(parts, new WrittenSource(ada, bob));
  const ended = ofType(events, 'object-ended');
  expect(ended.map(({ object, outcome, counts }) => [object.id, outcome, counts.itemsRead, counts.itemsLost])).toEqual(
    expect.arrayContaining([
      ['ada', 'Success', 6, 0],
      ['bob', 'Warning', 3, 1],
    ]),
  );
  expect(ended.reduce((sum, { counts }) => sum + counts.itemsRead, 0)).toBe(result.counts.itemsRead);
  expect(ended.reduce((sum, { counts }) => sum + counts.bytesRead, 0)).toBe(result.counts.bytesRead);
  expect(ofType(events, 'object-begun').map(({ object }) => object.id)).toEqual(['ada', 'bob']);
  for (const { object } of ended)
    expect(object.key).toBe(parts.repository.objectKey({ organizationId: 'contoso', ...object }));
  expect(ofType(events, 'phase').map(({ phase }) => phase)).toEqual(['catching-up', 'reading', 'indexing']);
});

test('a rebuild reports that it waits for a pass of others over the catalog', async () => {
  const parts = await database.parts();
  await backedUp(parts, new WrittenSource(mailbox('ada', 1)));
  const pass = parts.catalog.listPacks()[Symbol.asyncIterator]();
  await pass.next();
  const waits: EngineEvent[] = [];
  const onEvent = (event: EngineEvent) => {
    if (event.type !== 'waiting') return;
    waits.push(event);
    void pass.return?.(undefined);
  };
  await rebuild(parts, {}, { signal: new AbortController().signal, onEvent });
  expect(waits).toMatchObject([{ on: 'passes', holders: [expect.stringContaining(`process ${process.pid} on `)] }]);
});

test('names a run before it reads anything, and ends when that cannot be stored', async () => {
  const parts = await database.parts();
  const seen: string[] = [];
  const work = {
    signal: new AbortController().signal,
    onEvent: (event: EngineEvent) => void (event.type === 'object-begun' && seen.push(event.type)),
  };
  const job = { id: 'job', name: 'Job', selection: EVERYTHING };
  const onBegun = async (run: string) => void seen.push(run);
  const { run } = await backUp(parts, new WrittenSource(mailbox('ada', 1)), { job, onBegun }, work);
  expect(seen).toEqual([run, 'object-begun']);
  const refuse = () => Promise.reject(new Error('The database does not answer.'));
  await expect(backUp(parts, new WrittenSource(mailbox('bob', 1)), { job, onBegun: refuse }, work)).rejects.toThrow(
    'The database does not answer.',
  );
  expect(await parts.catalog.listRestorePoints({ limit: 9, offset: 0 })).toHaveLength(1);
  expect(seen).toHaveLength(2);
});

test('names every lost item with its reason as it is found, also beyond what the end of a run lists', async () => {
  const parts = await database.parts();
  const written = mailbox('ada', 0);
  for (let at = 0; at < 1_200; at += 1) written.put(`m${at}`, { ...message(`Mail ${at}`), fault: 'unreadable' });
  const { events, result } = await backedUp(parts, new WrittenSource(written));
  expect(result.findings.lost).toHaveLength(1_000);
  const lost = ofType(events, 'lost');
  expect(lost).toHaveLength(1_200);
  expect(lost.at(-1)).toMatchObject({
    objectName: 'Object ada',
    item: { id: 'm1199', reason: 'Mail 1199 cannot be read.' },
  });
  const at = (type: EngineEvent['type']) => events.findIndex((event) => event.type === type);
  expect(at('lost')).toBeLessThan(at('object-ended'));
});

test('reports failures, skips and alerts as they come, and how far it is with the total once that is known', async () => {
  const parts = await database.parts();
  const written = mailbox('ada', 1);
  written.script = [
    { type: 'skipped', id: 's', name: 'Notebook', cause: 'package' },
    { type: 'alert', alert: { code: 'odd', message: 'Odd.' } },
    { type: 'failure', message: 'The folder ended before its end.' },
    { type: 'cursor', scope: 'all', value: '1' },
  ];
  const { events } = await backedUp(parts, new WrittenSource(written, mailbox('bob', 2)));
  expect(ofType(events, 'skipped')).toEqual([
    { type: 'skipped', objectName: 'Object ada', id: 's', name: 'Notebook', cause: 'package' },
  ]);
  expect(ofType(events, 'alert')).toEqual([{ type: 'alert', objectName: 'Object ada', code: 'odd', message: 'Odd.' }]);
  expect(ofType(events, 'failure')).toEqual([
    { type: 'failure', objectName: 'Object ada', message: 'The folder ended before its end.' },
  ]);
  const last = ofType(events, 'progress').findLast(({ unit }) => unit === 'objects');
  expect(last).toMatchObject({ done: 2, total: 2, items: 3 });
});

test('says that an object ended when all of it is committed, and Failed where the commit failed', async () => {
  const { store, catalog } = await database.parts();
  const happened: string[] = [];
  const watching = new FaultStore(store, [{ kind: 'full', calls: ['create'], names: /^journals\//, at: 2 }], 1);
  const repository = await openRepository(watching, PASSWORD);
  const onEvent = (event: EngineEvent) => {
    if (event.type === 'object-ended') happened.push(`${event.object.id} ${event.outcome}`);
  };
  const work = { signal: new AbortController().signal, onEvent };
  const job = { id: 'job', name: 'Job', selection: EVERYTHING };
  const source = () => new WrittenSource(mailbox('ada', 5), mailbox('bob', 3));
  await expect(backUp({ repository, catalog }, source(), { job }, work)).rejects.toMatchObject({ code: 'store-full' });
  expect(happened.splice(0).toSorted()).toEqual(['ada Failed', 'bob Failed']);
  expect((await backUp({ repository, catalog }, source(), { job }, work)).outcome).toBe('Success');
  expect(happened.toSorted()).toEqual(['ada Success', 'bob Success']);
});
