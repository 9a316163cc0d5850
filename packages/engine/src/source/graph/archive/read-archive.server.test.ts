import { afterEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import { objectsIn } from '../../../testing/graph/graph-mailbox.ts';
import { startConnected } from '../../../testing/graph/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import { openGraphSource } from '../graph-source.ts';

let tenant: RunningTenant | undefined;
afterEach(() => tenant?.stop());

test('an archive whose rounds take no expanded properties is read all the same, whole', async () => {
  const { tenant: started, connection } = await startConnected();
  tenant = started;
  const source = openGraphSource(connection);
  const [object] = await objectsIn(source, 'archive');
  if (object === undefined) throw new Error('The tenant has no archive.');
  const before = new Replica(source, object);
  await before.read();
  started.tenant.behaviours.archiveDeltaWithoutExpand = true;
  const replica = new Replica(source, object);
  await replica.read();
  expect(replica.failures).toEqual([]);
  expect([...replica.items.keys()].sort()).toEqual([...before.items.keys()].sort());
});
