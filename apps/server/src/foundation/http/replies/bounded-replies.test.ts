import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestPortal, type TestPortal } from '../../../testing/test-portal.ts';
import { execute } from '../../database.ts';
import { invalid } from '../../errors.ts';
import { openLog } from '../../log.ts';

let portal: TestPortal;
let lines: string[] = [];

beforeAll(async () => {
  const log = openLog('info', 'test', { write: (line) => void lines.push(line) });
  const prepare: Parameters<typeof startTestPortal>[0] = async (server, database) => {
    server.get('/mistaken', () => execute(database, sql`select ${'x'.repeat(500_000)}::int`));
    server.get('/endless-reasons', async () => {
      const error = new Error('m'.repeat(500_000), { cause: new Error('c'.repeat(500_000)) });
      throw Object.assign(error, { detail: 'd'.repeat(500_000), list: Array.from({ length: 100_000 }, () => 'e') });
    });
  };
  portal = await startTestPortal(prepare, { log });
});
afterAll(() => portal.stop());
beforeEach(() => {
  lines = [];
});

/** JSON of about so many bytes: an object of keys that no call knows. */
function unknownKeys(bytes: number): string {
  const keys = Array.from({ length: Math.floor(bytes / 12) }, (_, index) => `"k${String(index).padStart(6, '0')}":0`);
  return `{${keys.join()}}`;
}

const longest = () => Math.max(...lines.map((line) => line.length));

describe('what is refused', () => {
  it('413: signing in accepts at most 16 KB', async () => {
    const response = await portal.anonymous.raw('POST', '/api/auth/login/db', { body: unknownKeys(17 * 1024) });
    expect(response.status).toBe(413);
    expect((await response.json()).message).toBe('The body is larger than this call accepts: at most 16 KB.');
  });

  it('413: a call that declares no limit accepts at most 64 KB', async () => {
    const admin = await portal.as('admin');
    const response = await admin.raw('POST', '/api/companies', { body: unknownKeys(70 * 1024) });
    expect(response.status).toBe(413);
    expect((await response.json()).message).toContain('at most 64 KB');
  });

  it('422: is answered and logged in few words, however many unknown keys there are', async () => {
    const response = await portal.anonymous.raw('POST', '/api/auth/login/db', { body: unknownKeys(15 * 1024) });
    expect(response.status).toBe(422);
    expect((await response.text()).length).toBeLessThan(4_000);
    expect(longest()).toBeLessThan(2_000);
  });

  it('422: names at most 20 faults, each cut', async () => {
    const admin = await portal.as('operator');
    const ids = Array.from({ length: 900 }, () => 'wrong');
    const body = JSON.stringify({ ids, change: { state: 'x'.repeat(5_000), ['y'.repeat(5_000)]: 1 } });
    const response = await admin.raw('POST', '/api/monitoring/backoffice/jobExecutions/bulk', { body });
    const reply = await response.json();
    expect(response.status).toBe(422);
    expect(reply.errors).toHaveLength(20);
    for (const { path, message } of reply.errors) expect(path.length + message.length).toBeLessThan(500);
  });

  it('422: cuts faults in one place, wherever they come from', () => {
    const made = invalid(Array.from({ length: 50 }, () => ({ path: 'p'.repeat(9_000), message: 'm'.repeat(9_000) })));
    expect(made.errors).toHaveLength(20);
    expect(JSON.stringify(made.errors).length).toBeLessThan(20 * 500);
    expect(made.message.length).toBeLessThan(1_000);
  });

  it('422: names a key of a query in few words', async () => {
    const key = 'k'.repeat(5_000);
    const response = await portal.anonymous.raw('GET', `/api/branding?${key}=1`);
    expect(response.status).toBe(422);
    expect((await response.text()).length).toBeLessThan(2_000);
    expect(longest()).toBeLessThan(2_000);
  });

  it('413: refuses more values than any call accepts before it parses them', async () => {
    const operator = await portal.as('operator');
    const body = `{"ids":[${'1,'.repeat(100_000)}1]}`;
    const response = await operator.raw('POST', '/api/monitoring/backoffice/jobExecutions/bulk', { body });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'TOO_MANY_VALUES' });
  });
});

describe('the log', () => {
  it.each(['/mistaken', '/endless-reasons'])('cuts what the error of %s says', async (address) => {
    const response = await portal.anonymous.raw('GET', address);
    expect(response.status).toBe(500);
    expect(lines).toHaveLength(1);
    expect(longest()).toBeLessThan(20_000);
  });

  it('cuts whatever is given to it, at any depth and in any number, and hides what it hid', () => {
    const log = openLog('info', 'test', { write: (line) => void lines.push(line) });
    const long = 'x'.repeat(100_000);
    log.info({ url: long, deep: { deep: { deep: { deep: { deep: { deep: long } } } } }, token: 'secret' }, long);
    log
      .child({ reqId: 'x' })
      .warn({ ...Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`key ${n}`, n])), [long]: 1 });
    log.info(`plain ${long}`);
    log.error({ err: new Error(long) }, 'with %s', long);
    log.error(new Error(long));
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(line.length).toBeLessThan(20_000);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ token: '(hidden)', role: 'test' });
  });
});
