import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from './server.ts';
import { TenantClient } from './testing/tenant-client.ts';

let tenant: RunningTenant;
let client: TenantClient;

beforeAll(async () => {
  tenant = await startTenant({ size: 'empty', now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
});
afterAll(() => tenant.stop());

test('an unknown path is refused in the shape of the vendor, with the ids of the request', async () => {
  const { status, body, headers } = await client.get('/planets', { 'client-request-id': 'mine' });
  expect(status).toBe(400);
  expect(headers.get('client-request-id')).toBe('mine');
  expect(body).toMatchObject({
    error: {
      code: 'BadRequest',
      message: "Resource not found for the segment 'planets'.",
      innerError: { 'request-id': headers.get('request-id'), 'client-request-id': 'mine', date: '2026-11-21T09:00:00' },
    },
  });
});

test('a call without a good token is refused with 401', async () => {
  const stranger = new TenantClient(tenant, 'eyJ.eyJ.sig');
  expect(await stranger.get('/users')).toMatchObject({
    status: 401,
    body: { error: { code: 'InvalidAuthenticationToken' } },
  });
});
