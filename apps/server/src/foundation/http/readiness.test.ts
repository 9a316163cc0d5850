import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTestPortal, type TestPortal } from '../../testing/test-portal.ts';
import { execute, openPool, type Pool, row } from '../database.ts';
import { openReadiness } from '../readiness.ts';

const run = promisify(execFile);
const EMPTY = tmpdir();
let portal: TestPortal;
let queue: Parameters<typeof openReadiness>[0]['queue'];

beforeAll(async () => {
  portal = await startTestPortal();
  queue = { isAnswering: async () => true, send: async () => {} };
});
afterAll(() => portal.stop());

/** A pool of the test's database for this test. */
function openTestPool(url = portal.databaseUrl): Pool {
  const pool = openPool(url, { connectionsMax: 2, statementTimeoutMs: 0, name: 'readiness' });
  onTestFinished(() => pool.end());
  return pool;
}

const ready = (database: Pool, dataDir = EMPTY, goodForMs = 0) =>
  openReadiness({ database, queue, dataDir, goodForMs });
const checkedAt = async () =>
  (await row<{ at: string }>(portal.database, sql`select xmin::text || at::text as at from readiness_checks`))?.at;

describe('an installation is ready', () => {
  it('when its database writes, its queue answers and its disk has room', async () => {
    expect(await ready(portal.database)()).toEqual({ database: true, queue: true, disk: true });
  });

  it('not when its database only reads', async () => {
    const url = new URL(portal.databaseUrl);
    const pool = openTestPool(url.href);
    pool.on('connect', (client) => void client.query('set default_transaction_read_only = on'));
    expect(await ready(pool)()).toEqual({ database: false, queue: true, disk: true });
  });

  it('not when its database is gone', async () => {
    expect(await ready(openTestPool('postgres://unknown@127.0.0.1:1/none'))()).toMatchObject({ database: false });
  });

  it('as far as a check of the last seconds knows: a thousand questions are one write', async () => {
    const isReady = ready(portal.database, EMPTY, 60_000);
    await isReady();
    const first = await checkedAt();
    await Promise.all(Array.from({ length: 1_000 }, isReady));
    expect(await checkedAt()).toBe(first);
    await execute(portal.database, sql`select 1`);
    await ready(portal.database)();
    expect(await checkedAt()).not.toBe(first);
  });

  it('not when its disk is full, and again when it has room', async ({ skip }) => {
    const folder = await mkdtemp(join(tmpdir(), 'keepwatch-full-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await chmod(folder, 0o755);
    const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'tmpfs', folder]).catch(() => undefined);
    if (mounted === undefined) {
      console.warn('The test of a full disk is skipped: mounting a small disk needs root.');
      return skip('this machine does not allow mounting a small disk');
    }
    onTestFinished(async () => void (await run('umount', [folder])));
    const isReady = ready(portal.database, folder);
    expect(await isReady()).toMatchObject({ disk: true });
    await writeFile(join(folder, 'full'), Buffer.alloc(40 * 1024 * 1024));
    expect(await isReady()).toMatchObject({ disk: false, database: true });
    await truncate(join(folder, 'full'), 0);
    expect(await isReady()).toMatchObject({ disk: true });
  });
});
