import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import type { ItemVersion } from '../model/items.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { isOfGroup } from '../source/graph/group/read-group.ts';
import { openGraphTarget } from '../source/graph/target/graph-target.ts';
import { objectsIn } from '../testing/graph-mailbox.ts';
import { startConnected } from '../testing/graph-tenant.ts';
import { MailboxPlace } from './mailbox-place.ts';
import { type RestoreRequest, restore } from './restore.ts';
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

const parts = () => ({ repository: stored.repository, catalog: stored.catalog, signal: new AbortController().signal });

async function backedUp(connection: GraphConnection, keepExchangeStream: boolean) {
  const source = openGraphSource(connection, { keepExchangeStream });
  await stored.backUpFrom(source, 'mailbox');
  // Into the conversations of a group nobody can write.
  return (await objectsIn(source, 'mailbox')).filter((mailbox) => !isOfGroup(mailbox));
}

async function scopeOf(object: ProtectedObject) {
  const found = await stored.catalog.object(stored.repository.objectKey(object));
  if (found === null) throw new Error(`${object.name} was not stored.`);
  return { object: found, revision: found.revision, items: null };
}

/** A tenant with the people of another, whose mailboxes are empty. */
async function emptied(tenant: RunningTenant) {
  const empty = await tenantOf('empty', 77);
  for (const user of tenant.tenant.directory.users)
    if (user.mailbox) empty.tenant.tenant.directory.putUser({ ...user });
  return empty.connection;
}

async function requestFor(object: ProtectedObject, connection: GraphConnection): Promise<RestoreRequest> {
  const target = openGraphTarget(connection).mailbox(object.id);
  return {
    scope: await scopeOf(object),
    options: RESTORE_OPTIONS,
    to: object.id,
    place: (paths, signal) => new MailboxPlace(target, paths, null, signal),
  };
}

/** The stream is the server's own and opaque. */
const isStream = (_: ItemVersion, name: string) => name === 'export';

describe('Mailboxes that go through the repository into an empty tenant', () => {
  test('are there again with every property and byte that can be written, each item once', async () => {
    const { tenant, connection } = await tenantOf('small', 1);
    const mailboxes = await backedUp(connection, true);
    const other = await emptied(tenant);
    let items = 0;
    for (const mailbox of mailboxes) {
      const result = await restore(parts(), await requestFor(mailbox, other));
      expect(result).toMatchObject({ outcome: 'Success', failed: 0, skipped: 0, losses: {} });
      items += result.restored;
    }
    const back = await backedUp(other, true);
    expect(back.map(({ id }) => id).sort()).toEqual(mailboxes.map(({ id }) => id).sort());
    for (const mailbox of mailboxes) {
      const is = await stateOf(parts(), await scopeOf({ ...mailbox, organizationId: other.tenantId }), isStream);
      expect(is).toEqual(await stateOf(parts(), await scopeOf(mailbox), isStream));
    }
    expect(items).toBeGreaterThan(500);
    console.log(`Round trip: ${mailboxes.length} mailboxes, ${items} items, all equal.`);
  }, 300_000);
});
