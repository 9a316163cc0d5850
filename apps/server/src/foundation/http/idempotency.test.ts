import { Readable } from 'node:stream';
import { createIntakeToken, listIntakeTokens } from '@keepwatch/contract/tool-reports/tool-reports';
import { declareCall, file } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetExpired } from '../../identity/identity.jobs.ts';
import { actorOf } from '../../identity/sessions.ts';
import { buildCompany } from '../../testing/builders.ts';
import { type Caller, recordingQueue, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { execute, rows } from '../database.ts';
import { secretBox } from '../secrets.ts';
import { addRoute } from './add-route.ts';
import { openRequestPlaces } from './request-places.ts';
import { answer } from './routes.ts';

let portal: TestPortal;
let admin: Caller;
let companyId: string;
/** The calls of the test whose handler ran. */
let done: string[] = [];

beforeAll(async () => {
  portal = await startTestPortal(async (server, database) => {
    const services = {
      database,
      queue: recordingQueue([]),
      now: () => TEST_NOW,
      secrets: secretBox('secret of the tests'),
      places: openRequestPlaces(),
      authenticate: (token: string) => actorOf(database, token, TEST_NOW),
      publicUrl: 'https://portal.test',
    };
    const routes = [
      answer(stamp, async () => {
        done.push('stamp');
        return undefined;
      }),
      answer(print, async () => {
        done.push('print');
        return { name: 'a.txt', stream: Readable.from(['a']) };
      }),
      answer(lead, async () => {
        done.push('lead');
        return { to: '/' };
      }),
    ];
    for (const route of routes) addRoute(server, route, services);
  });
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

const texts = { failure: 'The call of the test failed.', summary: 'For the tests.' };
const stamp = declareCall({
  method: 'POST',
  path: '/test/stamp',
  access: 'signed-in',
  audit: null,
  rawBody: { bytesMax: 100, types: ['text/plain'] },
  reply: 'empty',
  ...texts,
});
const print = declareCall({
  method: 'POST',
  path: '/test/print',
  access: 'signed-in',
  audit: null,
  reply: file({ types: ['text/plain'] }),
  ...texts,
});
const lead = declareCall({
  method: 'POST',
  path: '/test/lead',
  access: 'signed-in',
  audit: null,
  reply: 'redirect',
  ...texts,
});

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

  it('does the work once where the reply is empty, and refuses another body', async () => {
    done = [];
    const headers = { 'idempotency-key': 'key-8', 'content-type': 'text/plain' };
    const replies = [];
    for (const body of ['one', 'one', 'two'])
      replies.push(await admin.raw('POST', '/api/test/stamp', { headers, body }));
    expect(replies.map(({ status }) => status)).toEqual([204, 204, 422]);
    expect(done).toEqual(['stamp']);
  });

  it.each(['print', 'lead'])('422: refuses the key for a reply that cannot be remembered: %s', async (name) => {
    done = [];
    const refused = await admin.raw('POST', `/api/test/${name}`, { headers: { 'idempotency-key': 'key-9' } });
    expect([refused.status, await refused.json()]).toEqual([
      422,
      expect.objectContaining({
        code: 'IDEMPOTENCY_KEY_NOT_SUPPORTED',
        message: 'This call does not support Idempotency-Key. Send it without the header.',
      }),
    ]);
    expect(done).toEqual([]);
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
