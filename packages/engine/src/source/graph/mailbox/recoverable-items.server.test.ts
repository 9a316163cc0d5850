import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import type { ProtectedObject } from '../../../model/protected-object.ts';
import { mailboxOf } from '../../../testing/graph/graph-mailbox.ts';
import { startConnected } from '../../../testing/graph/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import type { SourceEvent } from '../../source.ts';
import type { GraphConnection } from '../connection.ts';
import { openGraphSource } from '../graph-source.ts';
import { textOf } from '../json.ts';

const headers = { prefer: 'IdType="ImmutableId"' };

const DAY_MS = 86_400_000;

let tenant: RunningTenant;
let connection: GraphConnection;
let object: ProtectedObject;
beforeEach(async () => {
  ({ tenant, connection } = await startConnected({ budgets: false }));
  object = await mailboxOf(openGraphSource(connection));
});
afterEach(() => tenant.stop());

const inRecoverable = (replica: Replica) => {
  const folder = [...replica.items.values()].find(({ item }) => item.details.role === 'recoverableitemsdeletions');
  return folder === undefined
    ? null
    : [...replica.items.values()].filter(({ item }) => item.parentId === folder.item.id).map(({ item }) => item.id);
};

/** Deletes a message of a folder until it is among what can only be recovered. */
async function remove(folder: string): Promise<string> {
  const path = `/users/${object.id}/mailFolders/${folder}/messages?$top=1&$select=id`;
  const id = textOf((await connection.page({ path, headers })).value[0]?.['id']) ?? '';
  for (let times = folder === 'deleteditems' ? 1 : 2; times > 0; times -= 1)
    await connection.ask({ method: 'DELETE', path: `/users/${object.id}/messages/${id}`, headers });
  return id;
}

test('a message that was removed from Deleted Items is stored with its bytes, where it is asked for', async () => {
  const removed = await remove('inbox');
  const without = new Replica(openGraphSource(connection), object);
  await without.read();
  expect(inRecoverable(without)).toBeNull();
  expect(without.items.has(removed)).toBe(false);
  const replica = new Replica(openGraphSource(connection, { recoverableItems: true }), object);
  await replica.read();
  expect(inRecoverable(replica)).toEqual([removed]);
  expect(replica.items.get(removed)?.bytes.get('mime')?.length).toBeGreaterThan(100);
});

test('a later round reads what was removed since alone, and follows what is recovered', async () => {
  const source = openGraphSource(connection, { recoverableItems: true });
  const replica = new Replica(source, object);
  const first = await remove('inbox');
  await replica.read();
  const second = await remove('deleteditems');
  const body = { destinationId: 'inbox' };
  await connection.ask({ method: 'POST', path: `/users/${object.id}/messages/${first}/move`, body, headers });
  await replica.read();
  expect(inRecoverable(replica)).toEqual([second]);
  expect(replica.items.has(first)).toBe(true);
});

test('a job that no longer asks for them lets go of them', async () => {
  const replica = new Replica(openGraphSource(connection, { recoverableItems: true }), object);
  const removed = await remove('inbox');
  await replica.read();
  const after = new Replica(openGraphSource(connection), object);
  after.items = replica.items;
  after.cursors = replica.cursors;
  await after.read();
  expect(inRecoverable(after)).toBeNull();
  expect(after.items.has(removed)).toBe(false);
});

test('two jobs of one mailbox, of which one asks for them, do not undo each other’s work', async () => {
  const asking = new Replica(openGraphSource(connection, { recoverableItems: true }), object);
  asking.job = 'with';
  const removed = await remove('inbox');
  await asking.read();
  const other = new Replica(openGraphSource(connection), object);
  other.job = 'without';
  for (const [from, to] of [
    [asking, other],
    [other, asking],
  ] as const) {
    to.items = from.items;
    to.cursors = from.cursors;
    await to.read();
    expect(inRecoverable(to)).toEqual([removed]);
    // Nothing is removed, and nothing read again.
    const isAgain = (event: SourceEvent) => event.type === 'scan-begin' && event.scan.scope.startsWith('recoverable/');
    expect(to.events.filter((event) => event.type === 'removed' || isAgain(event))).toEqual([]);
  }
  // Once no job asks for them, they go.
  const after = new Replica(openGraphSource(connection), object);
  after.job = 'with';
  after.items = asking.items;
  after.cursors = asking.cursors;
  await after.read();
  expect(inRecoverable(after)).toBeNull();
});

test('a job that has not run for 30 days asks for nothing any more, and one that runs goes on asking', async () => {
  const asking = new Replica(openGraphSource(connection, { recoverableItems: true }), object);
  asking.job = 'with';
  const removed = await remove('inbox');
  await asking.read();
  const other = new Replica(openGraphSource(connection), object);
  other.job = 'without';
  const pass = async (days: number) => {
    tenant.advance(days * DAY_MS);
    // An answer says which day it is.
    await connection.ask({ path: `/users/${object.id}/mailFolders/inbox`, headers });
  };
  const readOther = async () => {
    other.items = asking.items;
    other.cursors = asking.cursors;
    await other.read();
    return inRecoverable(other);
  };
  await pass(29);
  expect(await readOther()).toEqual([removed]);
  await asking.read();
  // What it asked for is written down once a day at most.
  await asking.read();
  expect(asking.events.filter((event) => event.type === 'cursor' && event.scope === 'recoverable-jobs')).toEqual([]);
  await pass(29);
  // All folders are listed whole by now; those of recoverable items are not among them, and stay.
  expect(await readOther()).toEqual([removed]);
  await pass(2);
  expect(await readOther()).toBeNull();
  expect(other.items.has(removed)).toBe(false);
}, 60_000);
