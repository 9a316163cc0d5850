import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import type { ItemVersion } from '../model/items.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { openGraphTarget } from '../source/graph/target/graph-target.ts';
import { objectsIn } from '../testing/graph-mailbox.ts';
import { startConnected } from '../testing/graph-tenant.ts';
import { MailboxPlace } from './mailbox-place.ts';
import { type RestoreParts, type RestoreRequest, restore } from './restore.ts';
import { RESTORE_OPTIONS } from './restore-options.ts';
import { stateOf } from './testing/stored-state.ts';

let stored: StoredBackup;
const running: RunningTenant[] = [];
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(async () => {
  await stored.close();
  for (const tenant of running.splice(0)) await tenant.stop();
});

async function tenantOf(size: 'small' | 'empty', seed: number) {
  const { tenant, connection } = await startConnected({ size, seed, budgets: false });
  running.push(tenant);
  return { tenant, connection };
}

const parts = (over: Partial<RestoreParts> = {}): RestoreParts => ({
  repository: stored.repository,
  catalog: stored.catalog,
  signal: new AbortController().signal,
  ...over,
});

async function backedUp(connection: Awaited<ReturnType<typeof tenantOf>>['connection'], keepExchangeStream: boolean) {
  const source = openGraphSource(connection, { keepExchangeStream });
  await stored.backUpFrom(source, 'mailbox');
  return objectsIn(source, 'mailbox');
}

async function scopeOf(object: ProtectedObject) {
  const found = await stored.catalog.object(stored.repository.objectKey(object));
  if (found === null) throw new Error(`${object.name} was not stored.`);
  return { object: found, revision: found.revision, items: null };
}

/** A mailbox that was stored, to be restored into the only one of an empty tenant. */
async function intoEmpty(object: ProtectedObject, seed: number) {
  const { connection } = await tenantOf('empty', seed);
  const [empty] = await objectsIn(openGraphSource(connection), 'mailbox');
  if (empty === undefined) throw new Error('The empty tenant has no mailbox.');
  const request: RestoreRequest = {
    scope: await scopeOf(object),
    options: RESTORE_OPTIONS,
    to: empty.id,
    place: (paths, signal) => new MailboxPlace(openGraphTarget(connection).mailbox(empty.id), paths, null, signal),
  };
  return { connection, empty, request };
}

/** The stream is the server's own and opaque. */
const isStream = (_: ItemVersion, name: string) => name === 'export';

describe('Mailboxes that go through the repository into an empty tenant', () => {
  test('are there again with every property and byte that can be written, each item once', async () => {
    const { connection } = await tenantOf('small', 1);
    const mailboxes = await backedUp(connection, true);
    let items = 0;
    for (const [at, mailbox] of mailboxes.entries()) {
      const { connection: other, empty, request } = await intoEmpty(mailbox, 10 + at);
      const result = await restore(parts(), request);
      expect(result).toMatchObject({ outcome: 'Success', failed: 0, skipped: 0, losses: {} });
      await backedUp(other, true);
      const [was, is] = [
        await stateOf(parts(), await scopeOf(mailbox), isStream),
        await stateOf(parts(), await scopeOf(empty), isStream),
      ];
      expect(is).toEqual(was);
      items += result.restored;
    }
    expect(items).toBeGreaterThan(500);
    console.log(`Round trip: ${mailboxes.length} mailboxes, ${items} items, all equal.`);
  }, 300_000);
});
