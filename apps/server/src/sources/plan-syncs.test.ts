import { getLastSync } from '@keepwatch/contract/sources/sources';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, row } from '../foundation/database.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { insertSource, manifestOf, servicesOf, WrittenSource } from './intake.fixture.ts';
import { endDeadSyncs, planSyncs } from './plan-syncs.ts';
import { syncLock } from './sync-runs.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());
beforeEach(async () => {
  await portal.database.query('truncate sources, sync_runs cascade');
});

const services = () => servicesOf(portal, async () => manifestOf(new WrittenSource()));

function began(sourceId: string, minutesAgo: number, status = 'SUCCEEDED'): Promise<number> {
  const startedAt = new Date(TEST_NOW.getTime() - minutesAgo * 60_000);
  return execute(
    portal.database,
    sql`insert into sync_runs (provider_id, source_id, started_at, status) values (1, ${sourceId}, ${startedAt}, ${status})`,
  );
}

describe('the schedule of syncs', () => {
  it('sends one sync for each source whose interval has passed, unless one runs', async () => {
    const never = await insertSource(portal);
    const due = await insertSource(portal, { minutes: 10 });
    const recent = await insertSource(portal, { minutes: 10 });
    await began(await insertSource(portal, { minutes: 10 }), 20, 'RUNNING');
    await insertSource(portal, { isEnabled: false });
    await execute(
      portal.database,
      sql`insert into sources (provider_id, id, kind, name) values (1, gen_random_uuid(), 'intake', 'Tools')`,
    );
    await began(due, 10);
    await began(recent, 9);
    const used = services();
    await planSyncs(used);
    expect(used.sent.map((job) => job.key).sort()).toEqual([never, due].sort());
    expect(new Set(used.sent.map((job) => job.name))).toEqual(new Set(['sources.sync']));
  });

  it.each([1, 5])(
    'sends one every %i minutes, although each starts some seconds after it was sent',
    async (minutes) => {
      const id = await insertSource(portal, { minutes });
      const sentAtMinutes: number[] = [];
      for (let minute = 0; minute <= 10; minute += 1) {
        portal.clock.now = new Date(TEST_NOW.getTime() + minute * 60_000);
        const used = services();
        await planSyncs(used);
        if (used.sent.length === 0) continue;
        sentAtMinutes.push(minute);
        await began(id, -minute - 2 / 60);
      }
      portal.clock.now = TEST_NOW;
      expect(sentAtMinutes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].filter((minute) => minute % minutes === 0));
    },
  );
});

describe('a sync whose process has died', () => {
  it('is marked as failed', async () => {
    const id = await insertSource(portal);
    await began(id, 3, 'RUNNING');
    await endDeadSyncs(services());
    expect(await row(portal.database, sql`select status, failed->0->>'entity' as entity from sync_runs`)).toEqual({
      status: 'FAILED',
      entity: 'sync',
    });
  });

  it('is recognized by its released lock', async () => {
    const id = await insertSource(portal);
    await began(id, 3, 'RUNNING');
    const client = await portal.database.connect();
    await row(client, sql`select pg_advisory_lock(${syncLock(id)})`);
    await endDeadSyncs(services());
    expect(await row(portal.database, sql`select status from sync_runs`)).toEqual({ status: 'RUNNING' });
    await row(client, sql`select pg_advisory_unlock(${syncLock(id)})`);
    client.release();
  });

  it('is shown as failed once it should have ended long ago, even without a worker', async () => {
    const id = await insertSource(portal);
    await began(id, 90, 'RUNNING');
    expect(await (await portal.as('admin')).call(getLastSync, {})).toMatchObject({ status: 'FAILED' });
  });
});

describe('a source that is no longer read', () => {
  const lastSync = async () => (await portal.as('admin')).call(getLastSync, {});

  it('is shown as failed with the reason that no sync has begun', async () => {
    const id = await insertSource(portal, { minutes: 15 });
    await began(id, 60 + 45 + 1);
    const sync = await lastSync();
    expect(sync).toMatchObject({ status: 'FAILED', failed: [{ entity: 'sync' }] });
    expect(sync.failed[0]?.reason).toContain('No sync has begun since');
  });

  it('is not shown as failed before two syncs and one of maximum duration are missed', async () => {
    const id = await insertSource(portal, { minutes: 15 });
    await began(id, 60 + 45 - 1);
    expect(await lastSync()).toMatchObject({ status: 'SUCCEEDED', failed: [] });
  });
});
