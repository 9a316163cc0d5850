import { afterEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import { insideOf, rareDriveOf } from '../../../testing/graph/graph-drive.ts';
import { startConnected } from '../../../testing/graph/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import { openGraphSource } from '../graph-source.ts';

let tenant: RunningTenant | undefined;
afterEach(() => tenant?.stop());

test.each([
  [undefined, Number.POSITIVE_INFINITY],
  [3, 3],
])('with the limit %s stores that many earlier versions of a file, without one all of them', async (limit, most) => {
  const started = await startConnected({ budgets: false });
  tenant = started.tenant;
  const source = openGraphSource(started.connection, limit === undefined ? {} : { earlierVersions: limit });
  const object = await rareDriveOf(source, started.tenant);
  const inside = insideOf(started.tenant, object);
  inside.remove([...inside.all()].find(({ size }) => size > 100_000_000) ?? inside.root);
  const replica = new Replica(source, object);
  await replica.read();
  const busy = [...inside.all()].find(({ name }) => name === 'Budget.xlsx');
  const earlier = (busy?.versions.length ?? 0) - 1;
  expect(earlier).toBeGreaterThan(10);
  const names = [...(replica.items.get(busy?.id ?? '')?.bytes.keys() ?? [])];
  expect(names.filter((name) => name.startsWith('versions/'))).toHaveLength(Math.min(earlier, most));
});
