import { listRepositories } from '@keepwatch/contract/inventory/repositories';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, row, rows } from '../foundation/database.ts';
import { openLog } from '../foundation/log.ts';
import { readSettings } from '../foundation/settings.ts';
import { startTestPortal, type TestPortal } from '../testing/test-portal.ts';
import { startSandboxVendors } from './sandbox.ts';

const LIMIT_MS = 60_000;

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
  portal.clock.now = new Date();
  await startDemonstration();
}, LIMIT_MS);
afterAll(() => portal.stop());

/** As `npm start` does, without the worker that would sync: all that is there was there at the start. */
async function startDemonstration(): Promise<void> {
  const environment = {
    DATABASE_URL: portal.databaseUrl,
    KEEPWATCH_SECRET: 'secret of the tests',
    SANDBOX_PORT: '0',
    SANDBOX_TENANT_PORT: '0',
    SANDBOX_SMS_PORT: '0',
  };
  const vendors = await startSandboxVendors(readSettings(environment), openLog('silent', 'test'));
  await vendors.stop();
}

async function fullest() {
  const query = { limit: 100, offset: 0 };
  return (await (await portal.as('operator')).call(listRepositories, { query })).data;
}

function readings() {
  return rows<{ day: string; count: number; usedBytes: number }>(
    portal.database,
    sql`select day, count(*), sum(used_bytes) as "usedBytes" from repository_days group by day order by day`,
  );
}

test('a demonstration that starts for the first time shows when its growing repositories will be full', async () => {
  const repositories = await fullest();
  expect(repositories.length).toBeGreaterThan(50);
  expect(repositories.filter(({ growthBytesPerDay }) => growthBytesPerDay === null)).toEqual([]);
  const near = repositories.filter(({ usedRatio }) => usedRatio !== null && usedRatio > 0.85 && usedRatio < 0.98);
  expect(near.length).toBeGreaterThan(0);
  for (const { fullAt } of near) expect(Date.parse(fullAt ?? '')).toBeGreaterThan(portal.clock.now.getTime());
});

test('it has every repository on each of the last 30 days, and each as it is now', async () => {
  const days = await readings();
  expect(days).toHaveLength(30);
  expect(new Set(days.map(({ count }) => count)).size).toBe(1);
  const now = await row<{ usedBytes: number }>(
    portal.database,
    sql`select sum(used_bytes) as "usedBytes" from repositories where removed_at is null and read_at >= ${portal.clock.now}`,
  );
  expect(now?.usedBytes).toBe(days.at(-1)?.usedBytes);
});

test('another start reads the days on which it was not running, and leaves the others as they were', async () => {
  const before = await readings();
  const [oldest, read, missing] = [before.at(0), before.at(-21), before.at(-12)];
  await execute(portal.database, sql`update repository_days set used_bytes = 1 where day = ${read?.day}::date`);
  await execute(portal.database, sql`delete from repository_days where day = ${missing?.day}::date`);
  await startDemonstration();
  const after = new Map((await readings()).map((one) => [one.day, one]));
  expect(after.get(read?.day ?? '')?.usedBytes).toBe(read?.count);
  expect(after.get(missing?.day ?? '')?.count).toBe(missing?.count);
  expect(after.get(oldest?.day ?? '')).toEqual(oldest);
});
