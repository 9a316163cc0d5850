import { connectors } from '@keepwatch/connectors/registry';
import { createSource, getLastSync, listSources } from '@keepwatch/contract/sources/sources';
import { type RunningSandbox, startSandbox } from '@keepwatch/sandbox/server';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { row, rows } from '../../foundation/database.ts';
import { rollupsAndRecount } from '../../ingest/recount.fixture.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { servicesOf } from '../intake.fixture.ts';
import { syncSource } from './sync.ts';

/** Uses the real connector over HTTPS with the sandbox console, which has three companies and 100 days of history. */
const LIMIT_MS = 120_000;

let portal: TestPortal;
let sandbox: RunningSandbox;
let sourceId: string;

beforeAll(async () => {
  portal = await startTestPortal();
  sandbox = await startSandbox({ companyCount: 3, now: () => portal.clock.now });
  const { url, username, password, thumbprint } = sandbox;
  const settings = { url, username, password, thumbprint };
  const admin = await portal.as('admin');
  sourceId = (await admin.call(createSource, { body: { kind: 'vac', name: 'Sandbox', settings } })).data._id;
  await sync();
}, LIMIT_MS);
afterAll(async () => {
  await portal.stop();
  await sandbox.stop();
});
beforeEach(() => sandbox.setFaults([]));

async function sync(): Promise<void> {
  await syncSource(
    servicesOf(portal, (kind) => connectors.load('backup-source', kind)),
    { sourceId, isRequested: false },
    AbortSignal.timeout(LIMIT_MS),
  );
}

function later(minutes: number): void {
  portal.clock.now = new Date(portal.clock.now.getTime() + minutes * 60_000);
}

async function lastSync() {
  return (await portal.as('admin')).call(getLastSync, {});
}

async function count(from: string): Promise<number> {
  const counted = await row<{ count: number }>(portal.database, sql`select count(*) as count from ${sql.raw(from)}`);
  return counted?.count ?? 0;
}

describe('a console with history', { timeout: LIMIT_MS }, () => {
  it('is read by the first sync: companies, jobs of all groups, 100 days of runs of every result', async () => {
    expect(await lastSync()).toMatchObject({ status: 'SUCCEEDED', failed: [] });
    expect(await count('companies')).toBe(3);
    const results = await rows<{ result: string }>(
      portal.database,
      sql`select distinct result from job_executions order by result`,
    );
    expect(results.map((one) => one.result)).toEqual(
      expect.arrayContaining(['Success', 'Warning', 'Failed', 'DidntRun']),
    );
    const days = await row<{ days: number }>(portal.database, sql`select count(distinct day) as days from job_days`);
    expect(days?.days).toBeGreaterThanOrEqual(100);
    const [source] = (await (await portal.as('admin')).call(listSources, {})).data;
    expect(source?.jobs).toBe(await count('jobs where removed_at is null and shared_by is null'));
  });

  it('has collapsed retries and rollups that equal a recount', async () => {
    expect(await count('job_executions where attempts > 1')).toBeGreaterThan(0);
    const { stored, counted } = await rollupsAndRecount(portal.database);
    expect(stored).toEqual(counted);
  });

  it('has the runs of shared jobs in lists and rollups', async () => {
    expect(await count('unmatched_runs')).toBe(0);
    const shared = await count('jobs where shared_by is not null');
    expect(shared).toBeGreaterThan(0);
    const isShared = 'job_instance_uid in (select job_instance_uid from jobs where shared_by is not null)';
    expect(await count(`job_executions where ${isShared}`)).toBeGreaterThan(0);
    expect(await count(`job_days where ${isShared} and failed > 0`)).toBeGreaterThan(0);
  });

  it('never shows two runs of one job at the same time', async () => {
    const twice = await rows(
      portal.database,
      sql`select from (select started_at, lag(ended_at) over (partition by job_instance_uid order by started_at) as before
            from job_executions where result <> 'DidntRun'
              and job_instance_uid in (select job_instance_uid from jobs where shared_by is null)) e where started_at < before`,
    );
    expect(twice).toHaveLength(0);
  });

  it('is read on: new runs appear, running ones end, and none is stored twice', async () => {
    const before = await count('job_executions');
    for (let hour = 0; hour < 3; hour += 1) {
      later(60);
      await sync();
    }
    expect(await count('job_executions')).toBeGreaterThan(before);
    const stale = await count(
      `job_executions where result = 'Running' and started_at < '${TEST_NOW.toISOString()}'::timestamptz - interval '1 day'`,
    );
    expect(stale).toBe(0);
    const { stored, counted } = await rollupsAndRecount(portal.database);
    expect(stored).toEqual(counted);
  });
});

describe('a console with faults', { timeout: LIMIT_MS }, () => {
  it.each([
    ['throttles', { kind: 'throttle', times: 2, parameters: { retryAfterSeconds: 0 } }],
    ['answers later', { kind: 'async', probability: 0.3 }],
    ['forgets the token', { path: '*organizations/companies*', kind: 'expired-token', times: 1 }],
  ] as const)('is still read when it %s', async (_what, fault) => {
    later(30);
    sandbox.setFaults([fault]);
    await sync();
    expect(await lastSync()).toMatchObject({ status: 'SUCCEEDED' });
  });

  it.each([
    ['answers garbage', { kind: 'garbage' }],
    ['answers with an undocumented shape', { kind: 'wrong-shape' }],
  ] as const)('is read as far as possible when one group %s, and loses no job', async (_what, fault) => {
    const jobs = await count('jobs where removed_at is null and shared_by is null');
    later(30);
    sandbox.setFaults([{ path: '*backupServers/jobs*', ...fault }]);
    await sync();
    expect(await lastSync()).toMatchObject({ status: 'PARTIAL' });
    expect((await lastSync()).failed.length).toBeGreaterThan(0);
    expect(await count('jobs where removed_at is null and shared_by is null')).toBe(jobs);
    sandbox.setFaults([]);
    later(30);
    await sync();
    expect(await lastSync()).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('has its missing history read later', async () => {
    later(30);
    sandbox.setFaults([{ path: '*jobSessionHeatmap*', kind: 'garbage' }]);
    await sync();
    expect(await lastSync()).toMatchObject({
      status: 'PARTIAL',
      failed: [{ entity: expect.stringContaining('history of') }],
    });
    const readTo = () =>
      row<{ at: string }>(portal.database, sql`select history_read_to as at from sources where id = ${sourceId}`);
    expect(Date.parse((await readTo())?.at ?? '')).toBeLessThan(portal.clock.now.getTime());
    sandbox.setFaults([]);
    later(5);
    await sync();
    expect((await readTo())?.at).toBe(portal.clock.now.toISOString());
  });

  it('is shown as failed when nothing can be read, and loses no job', async () => {
    const jobs = await count('jobs where removed_at is null and shared_by is null');
    later(30);
    sandbox.setFaults([{ kind: 'garbage' }]);
    await sync();
    expect(await lastSync()).toMatchObject({ status: 'FAILED' });
    expect(await count('jobs where removed_at is null and shared_by is null')).toBe(jobs);
  });
});
