import { openTransport } from '@keepwatch/engine/source/graph/requests/transport';
import { expect, test } from 'vitest';
import { withBench } from './bench-repository.ts';
import { startBenchTenant } from './bench-tenant.ts';
import { backedUp } from './drain.ts';

async function settings(url: string, behaviours: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${url}/__sandbox/settings`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ behaviours }),
  });
  expect(reply.ok).toBe(true);
}

test('a tenant is drained whole, or the benchmark ends with an error that says what is missing', async () => {
  const tenant = await startBenchTenant('small');
  try {
    await withBench(async (bench) => {
      const { bytes, traffic } = await backedUp(bench, tenant);
      expect(Math.min(bytes, traffic.total)).toBeGreaterThan(0);
      const refusing = { ...tenant, heldItems: async () => ({ ...(await tenant.heldItems()), message: 1 }) };
      await expect(backedUp(bench, refusing)).rejects.toThrow(/The backup has .*, and the tenant .*"message":1,/);
      const { value } = await tenant.connect(openTransport()).page({ path: '/users?$select=id,mail&$top=999' });
      const [user] = value.filter(({ mail }) => mail !== null);
      await settings(tenant.url, { closedMailboxes: [String(user?.['id'])] });
      await expect(backedUp(bench, tenant)).rejects.toThrow(/The backup ended as Warning: .*403/);
    });
  } finally {
    await tenant.stop();
  }
}, 120_000);
