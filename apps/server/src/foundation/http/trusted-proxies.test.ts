import { signIn } from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestPortal, type TestPortal } from '../../testing/test-portal.ts';
import { rows } from '../database.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal(undefined, { trustedProxies: 1 });
});
afterAll(() => portal.stop());

it('trusts the one proxy in front of it, and not what the caller sent to that proxy', async () => {
  const body = JSON.stringify({ username: 'forger', password: 'wrong' });
  const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.7' };
  await portal.anonymous.raw('POST', `/api${signIn.path}`, { body, headers });
  const entries = await rows(portal.database, sql`select address from audit_entries where username = 'forger'`);
  expect(entries).toEqual([{ address: '203.0.113.7' }]);
});
