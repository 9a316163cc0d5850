import { createIntakeToken, listIntakeTokens } from '@keepwatch/contract/tool-reports/tool-reports';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetExpired } from '../../identity/identity.jobs.ts';
import { buildCompany } from '../../testing/builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { execute, rows } from '../database.ts';

let portal: TestPortal;
let admin: Caller;
let companyId: string;

beforeAll(async () => {
  portal = await startTestPortal();
  companyId = await buildCompany(portal.database);
});
beforeEach(async () => {
  admin = await portal.as('admin');
});
afterAll(() => portal.stop());

function create(caller: Caller, key: string, name: string, company = companyId): Promise<Response> {
  const body = JSON.stringify({ name, companyId: company });
  return caller.raw('POST', `/api${createIntakeToken.path}`, { body, headers: { 'idempotency-key': key } });
}
const countOf = async (name: string) =>
  (await admin.call(listIntakeTokens, { query: { limit: 1_000 } })).data.filter((token) => token.name === name).length;

describe('Idempotency-Key', () => {
  it('does the work once and gives the same reply again, also of what is shown a single time', async () => {
    const [first, second] = [await create(admin, 'key-1', 'once'), await create(admin, 'key-1', 'once')];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await second.text()).toBe(await first.text());
    expect(await countOf('once')).toBe(1);
  });

  it('does the work once for many that arrive together', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => create(admin, 'key-2', 'together')));
    expect(new Set(replies.map(({ status }) => status)).isSubsetOf(new Set([200, 409]))).toBe(true);
    expect(await countOf('together')).toBe(1);
  });

  it('422: refuses the key for another request', async () => {
    await create(admin, 'key-3', 'first');
    const other = await create(admin, 'key-3', 'other');
    expect([other.status, (await other.json()).code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await countOf('other')).toBe(0);
  });

  it('422: refuses a key that is none', async () => {
    expect((await create(admin, 'x'.repeat(201), 'long')).status).toBe(422);
  });

  it("is each user's own", async () => {
    const other = await portal.as('admin');
    await create(admin, 'key-4', 'own');
    await create(other, 'key-4', 'own');
    expect(await countOf('own')).toBe(2);
  });

  it('remembers no refusal: nothing was done', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect((await create(admin, 'key-5', 'refused', unknown)).status).toBe(404);
    expect(await rows(portal.database, sql`select from idempotency_keys where reply is null`)).toHaveLength(0);
  });

  it('409: does not repeat work whose outcome is unknown', async () => {
    await create(admin, 'key-7', 'begun');
    await execute(
      portal.database,
      sql`update idempotency_keys set reply = null, at = ${new Date(TEST_NOW.getTime() - 3_600_000)}`,
    );
    const again = await create(admin, 'key-7', 'begun');
    expect([again.status, (await again.json()).message]).toEqual([
      409,
      expect.stringContaining('its end is not known'),
    ]);
    expect(await countOf('begun')).toBe(1);
    await execute(portal.database, sql`delete from idempotency_keys`);
  });

  it('keeps no reply readable, and none longer than a day', async () => {
    const reply = await (await create(admin, 'key-6', 'sealed')).json();
    const stored = await rows<{ reply: Buffer }>(portal.database, sql`select reply from idempotency_keys`);
    expect(stored.some((row) => row.reply.includes(reply.token))).toBe(false);
    await forgetExpired(portal.database, new Date(TEST_NOW.getTime() + 25 * 3_600_000));
    expect(await rows(portal.database, sql`select from idempotency_keys`)).toHaveLength(0);
  });
});
