import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import type { ItemScope } from '../browse/item-scope.ts';
import { backUp, downloadZip, exportItems, restore } from '../engine.ts';
import { EngineError } from '../model/engine-error.ts';
import type { EngineEvent } from '../model/engine-event.ts';
import { journalFolder } from '../restore/journal-files.ts';
import { RESTORE_OPTIONS } from '../restore/restore-options.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { JumpingClock, startConnected } from '../testing/graph/graph-tenant.ts';
import { type TestParts, testFolder, useDatabase } from '../testing/test-parts.ts';

const database = useDatabase();
let tenant: RunningTenant;
let connection: GraphConnection;
let stored: TestParts;
beforeAll(async () => {
  ({ tenant, connection } = await startConnected({ budgets: false }, { clock: new JumpingClock(Date.now()) }));
  return () => tenant.stop();
});
beforeEach(async () => {
  tenant.setFaults([]);
  stored = await database.parts();
});

type ItemEvent = Extract<EngineEvent, { type: 'item' }>;

function listening(signal = new AbortController().signal) {
  const items: ItemEvent[] = [];
  const onEvent = (event: EngineEvent) => void (event.type === 'item' && items.push(event));
  return { items, signal, onEvent };
}

const person = () => {
  const [first] = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox !== null);
  if (first === undefined) throw new Error('The tenant has no mailbox.');
  return first.id;
};

async function backedUp(signal?: AbortSignal): Promise<{ outcome: string; scope: ItemScope }> {
  const source = openGraphSource(connection, { keepExchangeStream: false });
  const include = [{ type: 'user', id: person() }] as const;
  const selection = { scope: 'selected', kinds: ['mailbox'], include, exclude: [], personalSites: false } as const;
  const result = await backUp(stored, source, { job: { id: 'job', name: 'Job', selection } }, listening(signal));
  const [found] = await stored.catalog.restorePointObjects(result.run);
  if (found === undefined) throw new Error(`The backup ended as ${result.outcome} without an object.`);
  return { outcome: result.outcome, scope: { ...found, items: null, restorePoint: result.run } };
}

async function restored(scope: ItemScope) {
  const work = listening();
  const options = { ...RESTORE_OPTIONS, into: 'Restored' };
  const journals = journalFolder(await testFolder());
  return { result: await restore(stored, connection, { scope, options, journals }, work), items: work.items };
}

/** One folder of a mailbox, with all that is in it. */
async function folderOf({ object, revision }: ItemScope, isMeant: (id: string) => boolean): Promise<string> {
  for await (const { id, kind, sizeBytes } of stored.catalog.walk(object.key, revision, null))
    if (kind === 'mail-folder' && isMeant(id) && sizeBytes >= 0) return id;
  throw new Error('The mailbox has no such folder.');
}

test('what a backup could not read makes a restore, an export and a download of it partial, by name', async () => {
  tenant.setFaults([{ kind: 'corrupt', path: '/users/*/messages/*/$value', times: 1 }]);
  const { outcome, scope } = await backedUp();
  expect(outcome).toBe('Warning');
  tenant.setFaults([]);
  const [lost] = scope.object.lost;
  if (lost === undefined) throw new Error('Nothing was lost.');
  const reason = expect.stringMatching(/^It could not be read when it was backed up\. .*ErrorCorruptData/);
  const missing = expect.objectContaining({ id: lost.id, name: lost.name, reason });

  await restored(scope);
  // Once more: all is there already, so that nothing else makes it partial.
  const { result, items } = await restored(scope);
  expect(result.losses).toEqual({});
  expect(result.outcome).toBe('Warning');
  expect(result.failed).toBe(0);
  expect(result.notBackedUp).toEqual([missing]);
  expect(items).toContainEqual(expect.objectContaining({ type: 'item', id: lost.id, outcome: 'failed', reason }));

  const folder = await testFolder();
  for (const format of ['pst', 'zip'] as const) {
    const work = listening();
    const exported = await exportItems(stored, { scope, path: join(folder, `mailbox.${format}`), format }, work);
    expect(exported.missing).toEqual([missing]);
    expect(work.items).toContainEqual(expect.objectContaining({ id: lost.id, outcome: 'failed' }));
    expect((await readFile(join(folder, `mailbox.${format}`))).length).toBeGreaterThan(0);
  }
  expect((await downloadZip(stored, scope, new AbortController().signal)).without).toContainEqual(missing);
  // A program that knows the revision alone learns the same.
  const { restorePoint: _, ...byRevision } = scope;
  expect((await downloadZip(stored, byRevision, new AbortController().signal)).without).toContainEqual(missing);

  // Of a part that was whole nothing is missing, and of the folder that was not it is.
  const above = new Set<string>([lost.parentId ?? '']);
  for (let at = lost.parentId; at !== null; ) {
    at = (await stored.catalog.item(scope.object.key, scope.revision, at))?.parentId ?? null;
    if (at !== null) above.add(at);
  }
  const whole = { ...scope, items: [await folderOf(scope, (id) => !above.has(id))] };
  expect((await restored(whole)).result).toMatchObject({ outcome: 'Success', notBackedUp: [] });
  const part = { ...scope, items: [lost.parentId ?? ''] };
  expect((await restored(part)).result).toMatchObject({ outcome: 'Warning', notBackedUp: [missing] });

  const next = await backedUp();
  expect(next.outcome).toBe('Success');
  await restored(next.scope);
  expect((await restored(next.scope)).result).toMatchObject({ outcome: 'Success', notBackedUp: [] });
});

test('a part of a mailbox that was not read to its end makes a restore of it partial, with the reason', async () => {
  tenant.setFaults([
    { kind: 'corrupt', path: '/users/*/contacts*' },
    { kind: 'corrupt', path: '/users/*/contactFolders*' },
  ]);
  const { outcome, scope } = await backedUp();
  expect(outcome).toBe('Warning');
  tenant.setFaults([]);
  const { result } = await restored(scope);
  expect(result.outcome).toBe('Warning');
  expect(result.notBackedUp).toEqual([
    expect.objectContaining({
      id: scope.object.id,
      kind: null,
      name: scope.object.name,
      reason: expect.stringMatching(/ontact/),
    }),
  ]);
});

test('a backup that was stopped makes a restore of what it did not read to its end partial', async () => {
  const stopping = new AbortController();
  tenant.setFaults([{ kind: 'hang', path: '/users/*/messages/*/$value' }]);
  tenant.resetRequests();
  const running = backedUp(stopping.signal);
  await expect.poll(() => tenant.requests().total).toBeGreaterThan(30);
  stopping.abort(new EngineError('stopped', 'Stopped on request.'));
  const { outcome, scope } = await running;
  expect(outcome).toBe('Stopped');
  tenant.setFaults([]);
  const { result } = await restored(scope);
  expect(result.outcome).toBe('Warning');
  expect(result.notBackedUp.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^Not all of it was read/)]);
});
