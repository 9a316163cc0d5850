import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row, rows } from '../foundation/database.ts';
import { openLog } from '../foundation/log.ts';
import { openQueue, type Queue } from '../foundation/queue.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import type { NewRun } from '../runs/new-run.ts';
import { buildExecution, buildJob, buildSource } from '../testing/builders.ts';
import { buildDay, daysAgo } from '../testing/report-builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { manifestOf, servicesOf, WrittenSource } from './intake.fixture.ts';
import { requestSync, sendRequestedSync } from './requested-syncs.ts';
import { workMonitoring } from './source-jobs.ts';

const PATIENCE = { timeout: 20_000, interval: 100 };

const console_ = new WrittenSource();
let portal: TestPortal;
let queue: Queue;

beforeAll(async () => {
  portal = await startTestPortal();
  queue = await openQueue(portal.databaseUrl, openLog('silent', 'test'), { worker: true });
  const services = servicesOf(portal, async () => manifestOf(console_));
  await workMonitoring(queue, { ...services, queue });
}, 60_000);
afterAll(async () => {
  await queue.stop();
  await portal.stop();
});

describe('background jobs of monitoring', () => {
  it('have their schedules', async () => {
    expect(await rows(portal.database, sql`select name, cron, timezone from pgboss.schedule order by name`)).toEqual([
      { name: 'monitoring.end-ignores', cron: '* * * * *', timezone: 'UTC' },
      { name: 'monitoring.find-missed-runs', cron: '*/5 * * * *', timezone: 'UTC' },
      { name: 'monitoring.keep-partitions', cron: '17 2 * * *', timezone: 'UTC' },
      { name: 'monitoring.plan-syncs', cron: '* * * * *', timezone: 'UTC' },
    ]);
  });

  it('sync all sources right after start, before the first scheduled time', async () => {
    const sourceId = await buildSource(portal.database, { historyReadTo: null });
    await queue.send('monitoring.plan-syncs', {});
    const ended = sql`select status from sync_runs where source_id = ${sourceId} and ended_at is not null`;
    await expect.poll(() => row(portal.database, ended), PATIENCE).toEqual({ status: 'SUCCEEDED' });
  });

  it('run another sync after the current one when a user requests it meanwhile', async () => {
    const sourceId = await buildSource(portal.database, { historyReadTo: null });
    let asked = 0;
    console_.beforeRange = () => {
      asked += 1;
      portal.clock.now = new Date(portal.clock.now.getTime() + 1_000);
      if (asked > 1) return;
      wish = requestSync(portal.database, 1, sourceId).then(() => sendRequestedSync(queue, sourceId));
    };
    let wish = Promise.resolve();
    await sendRequestedSync(queue, sourceId);
    const ended = sql`select count(*) as count from sync_runs where source_id = ${sourceId} and status = 'SUCCEEDED'`;
    await expect.poll(() => row(portal.database, ended), PATIENCE).toEqual({ count: 2 });
    await wish;
    console_.beforeRange = () => {};
    portal.clock.now = TEST_NOW;
  });

  it('unignore executions whose ignore has expired', async () => {
    const id = await buildExecution(portal.database, await buildJob(portal.database), { state: 'ignored' });
    await execute(portal.database, sql`update job_executions set ignored_until = ${daysAgo(0.1)} where id = ${id}`);
    await queue.send('monitoring.end-ignores', {});
    const state = sql`select state, ignored_until from job_executions where id = ${id}`;
    await expect.poll(() => row(portal.database, state), PATIENCE).toEqual({ state: 'pending', ignored_until: null });
  });

  it('write missed runs', async () => {
    const job = await buildJob(portal.database, { overdueAt: daysAgo(1), lastStartedAt: daysAgo(2) });
    await queue.send('monitoring.find-missed-runs', {});
    const result = sql`select result from job_executions where job_instance_uid = ${job.jobInstanceUid}`;
    await expect.poll(() => row(portal.database, result), PATIENCE).toEqual({ result: 'DidntRun' });
  });

  it('write missed runs of jobs that tools report and that never succeeded', async () => {
    const stored = await buildSource(portal.database, { kind: 'intake', historyReadTo: null });
    const job = await buildJob(portal.database, { sourceId: stored });
    const runs = [7, 6, 5, 4].map((days): NewRun => {
      const startedAt = new Date(portal.clock.now.getTime() - days * 86_400_000);
      return { jobInstanceUid: job.jobInstanceUid, startedAt, endedAt: startedAt, result: 'Warning' };
    });
    await ingestRuns(portal.database, 1, runs, portal.clock.now);
    await queue.send('monitoring.find-missed-runs', {});
    const missed = sql`select count(*) as count from job_executions where job_instance_uid = ${job.jobInstanceUid} and result = 'DidntRun'`;
    await expect.poll(() => row(portal.database, missed), PATIENCE).toEqual({ count: 3 });
  });

  it('create the partitions of the coming months, and move rows written before into them', async () => {
    const job = await buildJob(portal.database);
    await buildDay(portal.database, job, '2031-06-07', { failed: 1 });
    portal.clock.now = new Date('2031-05-15T00:00:00Z');
    await queue.send('monitoring.keep-partitions', {});
    const months = sql`select count(*) as count from unnest(array['05', '06', '07', '08']) m where to_regclass('job_executions_2031_' || m) is not null`;
    await expect.poll(() => row(portal.database, months), PATIENCE).toEqual({ count: 4 });
    const moved = sql`select failed, letter from job_days_2031_06`;
    await expect.poll(() => rows(portal.database, moved), PATIENCE).toEqual([{ failed: 1, letter: 'F' }]);
    // Same options as the first partitions: room for updates, and index-only reads of past days.
    const options = sql`select relname, reloptions from pg_class where relname in ('job_days_2031_06', 'job_days_' || to_char(now(), 'YYYY_MM'))`;
    const expected = ['fillfactor=70', 'autovacuum_vacuum_insert_scale_factor=0.05'];
    expect(
      (await rows<{ reloptions: string[] }>(portal.database, options)).map(({ reloptions }) => reloptions),
    ).toEqual([expected, expected]);
    portal.clock.now = TEST_NOW;
  });
});
