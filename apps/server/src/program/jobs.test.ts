import { tmpdir } from 'node:os';
import { sql } from 'drizzle-orm';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row, rows, transaction } from '../foundation/database.ts';
import { openLog } from '../foundation/log.ts';
import { declareSubject } from '../foundation/outbox/domain-events.ts';
import { type OpenQueue, openQueue } from '../foundation/queue.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import { declareAlarm, raise } from '../notifications/alarms.ts';
import { STAFF } from '../notifications/channel.ts';
import { openRestoreServices } from '../restore/open-restore-services.ts';
import type { NewRun } from '../runs/new-run.ts';
import { manifestOf, servicesOf, WrittenSource } from '../sources/intake.fixture.ts';
import { requestSync } from '../sources/sync-job.ts';
import { buildExecution, buildJob, buildSource } from '../testing/builders.ts';
import { buildDay, daysAgo } from '../testing/report-builders.ts';
import { addressesOf, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { jobs, works } from './jobs.ts';

const console_ = new WrittenSource();
let portal: TestPortal;
let queue: OpenQueue;

beforeAll(async () => {
  portal = await startTestPortal();
  await scheduleUndeclared();
  await startWorker(works);
});
afterAll(async () => {
  await queue.stop();
  await portal.stop();
});

/** Syncs are planned years from now, so that no scheduled planning does what a test is about. */
const unplanned = works.map((work) =>
  work.job.name === 'sources.plan-syncs' ? { ...work, job: { ...work.job, cron: '0 0 29 2 *' } } : work,
);

async function startWorker(started: typeof works = unplanned): Promise<void> {
  queue = await openQueue(portal.databaseUrl, openLog('silent', 'test'), { jobs, runsJobs: true });
  const services = { ...servicesOf(portal, async () => manifestOf(console_)), queue };
  const restore = openRestoreServices({ ...services, microsoft: addressesOf(portal.url), dataDir: tmpdir() });
  const connect = () => Promise.reject(new Error('There is no tenant.'));
  const own = { publicUrl: 'https://portal.test', dataDir: tmpdir(), isEmbedded: false };
  await queue.run(started, { ...services, restore, connect, ...own });
}

/** What an earlier version left. */
async function scheduleUndeclared(): Promise<void> {
  const earlier = new PgBoss({ connectionString: portal.databaseUrl, schedule: false, supervise: false });
  await earlier.start();
  await earlier.createQueue('monitoring.undeclared');
  await earlier.schedule('monitoring.undeclared', '* * * * *', {});
  await earlier.stop();
}

/** Sends a job by its name, as its schedule does. */
async function send(name: string): Promise<void> {
  const job = jobs.find((declared) => declared.name === name);
  if (job === undefined) throw new Error(`No job is named ${name}.`);
  await queue.send(portal.database, job, {});
}

const lampBroken = declareAlarm({
  name: 'lamps.broken',
  subject: declareSubject('lamp'),
  app: 'admin',
  severity: 'warning',
  recipients: STAFF,
  text: () => 'The lamp is broken.',
});

const endedSyncs = (sourceId: string) =>
  row(
    portal.database,
    sql`select count(*) as count from sync_runs where source_id = ${sourceId} and status = 'SUCCEEDED'`,
  );

describe('background jobs', () => {
  it('have the schedules of their declarations, and none that is no longer declared has one', async () => {
    const declared = jobs.flatMap(({ name, cron }) => (cron === undefined ? [] : [{ name, cron, timezone: 'UTC' }]));
    const stored = await rows<object>(portal.database, sql`select name, cron, timezone from pgboss.schedule`);
    expect(declared.length).toBeGreaterThan(5);
    expect(new Set(stored)).toEqual(new Set(declared));
  });

  it('sync all sources right after start, before the first scheduled time', async () => {
    expect(unplanned.find(({ job }) => job.cron === '0 0 29 2 *')).toBeDefined();
    await queue.stop();
    // What the first start sent, and what the queue's own clock was about to send.
    const sent = sql`delete from pgboss.job where name in ('sources.plan-syncs', '__pgboss__send-it')`;
    await execute(portal.database, sent);
    const sourceId = await buildSource(portal.database, { historyReadTo: null });
    await startWorker();
    await expect.poll(() => endedSyncs(sourceId)).toEqual({ count: 1 });
  });

  it('run another sync after the current one when a user requests it meanwhile', async () => {
    const sourceId = await buildSource(portal.database, { historyReadTo: null });
    let asked = 0;
    let requests: Promise<unknown> = Promise.resolve();
    console_.reported.length = 0;
    console_.beforeRange = () => {
      asked += 1;
      portal.clock.now = new Date(portal.clock.now.getTime() + 1_000);
      if (asked > 1) return;
      // Two requests are one.
      requests = Promise.all([1, 2].map(() => requestSync(queue, portal.database, sourceId)));
    };
    await requestSync(queue, portal.database, sourceId);
    await expect.poll(() => endedSyncs(sourceId)).toEqual({ count: 2 });
    await requests;
    expect(console_.reported.filter((name) => name === 'computers')).toHaveLength(2);
    console_.beforeRange = () => {};
    portal.clock.now = TEST_NOW;
  });

  it('exist exactly if the change commits that sent them, and begin after it', async () => {
    const [committed, rolledBack] = [await buildSource(portal.database), await buildSource(portal.database)];
    const waiting = (id: string) =>
      rows(portal.database, sql`select state from pgboss.job where data->>'sourceId' = ${id}`);
    const undone = transaction(portal.database, async (connection) => {
      await requestSync(queue, connection, rolledBack);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await transaction(portal.database, async (connection) => {
      await requestSync(queue, connection, committed);
      expect(await waiting(committed)).toEqual([]);
    });
    await expect.poll(() => endedSyncs(committed)).toEqual({ count: 1 });
    expect(await waiting(rolledBack)).toEqual([]);
  });

  it('that wait are not begun while a change that joins them is not committed', async () => {
    const sourceId = await buildSource(portal.database, { historyReadTo: null });
    await queue.stop();
    const sender = await openQueue(portal.databaseUrl, openLog('silent', 'test'), { jobs, runsJobs: false });
    await requestSync(sender, portal.database, sourceId);
    await transaction(portal.database, async (connection) => {
      await requestSync(sender, connection, sourceId);
      await startWorker();
      const other = await buildSource(portal.database);
      await requestSync(sender, portal.database, other);
      // The one that was sent later is begun, the one that is joined is not.
      await expect.poll(() => endedSyncs(other)).toEqual({ count: 1 });
      expect(await endedSyncs(sourceId)).toEqual({ count: 0 });
    });
    await expect.poll(() => endedSyncs(sourceId)).toEqual({ count: 1 });
    await sender.stop();
  });

  it('that were requested run again when the program was stopped meanwhile', async () => {
    const sourceId = await buildSource(portal.database, { historyReadTo: null });
    const { promise: began, resolve } = Promise.withResolvers<void>();
    let stopped: Promise<void> | undefined;
    console_.beforeRange = () => {
      stopped ??= queue.stop();
      portal.clock.now = new Date(portal.clock.now.getTime() + 1_000);
      resolve();
    };
    await requestSync(queue, portal.database, sourceId);
    await began;
    await stopped;
    expect(await endedSyncs(sourceId)).toEqual({ count: 0 });
    await startWorker();
    await expect.poll(() => endedSyncs(sourceId)).toEqual({ count: 1 });
    console_.beforeRange = () => {};
    portal.clock.now = TEST_NOW;
  });

  it('unignore executions whose ignore has expired', async () => {
    const id = await buildExecution(portal.database, await buildJob(portal.database), { state: 'ignored' });
    await execute(portal.database, sql`update job_executions set ignored_until = ${daysAgo(0.1)} where id = ${id}`);
    await send('executions.end-ignores');
    const state = sql`select state, ignored_until from job_executions where id = ${id}`;
    await expect.poll(() => row(portal.database, state)).toEqual({ state: 'pending', ignored_until: null });
  });

  it('deliver alarms of which no delivery waits any more', async () => {
    const lost = { ...queue, send: async () => {} };
    await raise(lost, portal.database, lampBroken, { providerId: 1, id: 'hall' }, {});
    await send('notifications.maintain-alarms');
    const shown = sql`select message from notifications where event = 'lamps.broken.hall'`;
    await expect.poll(() => row(portal.database, shown)).toEqual({ message: 'The lamp is broken.' });
  });

  it('write missed runs', async () => {
    const job = await buildJob(portal.database, { overdueAt: daysAgo(1), lastStartedAt: daysAgo(2) });
    await send('schedules.find-missed-runs');
    const result = sql`select result from job_executions where job_instance_uid = ${job.jobInstanceUid}`;
    await expect.poll(() => row(portal.database, result)).toEqual({ result: 'DidntRun' });
  });

  it('write missed runs of jobs that tools report and that never succeeded', async () => {
    const stored = await buildSource(portal.database, { kind: 'intake', historyReadTo: null });
    const job = await buildJob(portal.database, { sourceId: stored });
    const runs = [7, 6, 5, 4].map((days): NewRun => {
      const startedAt = new Date(portal.clock.now.getTime() - days * 86_400_000);
      return { jobInstanceUid: job.jobInstanceUid, startedAt, endedAt: startedAt, result: 'Warning' };
    });
    await ingestRuns(portal.database, 1, runs, portal.clock.now);
    await send('schedules.find-missed-runs');
    const missed = sql`select count(*) as count from job_executions where job_instance_uid = ${job.jobInstanceUid} and result = 'DidntRun'`;
    await expect.poll(() => row(portal.database, missed)).toEqual({ count: 3 });
  });

  it('create the partitions of the coming months, and move rows written before into them', async () => {
    const job = await buildJob(portal.database);
    await buildDay(portal.database, job, '2031-06-07', { failed: 1 });
    portal.clock.now = new Date('2031-05-15T00:00:00Z');
    await send('runs.create-partitions');
    const months = sql`select count(*) as count from unnest(array['05', '06', '07', '08']) m where to_regclass('job_executions_2031_' || m) is not null`;
    await expect.poll(() => row(portal.database, months)).toEqual({ count: 4 });
    const moved = sql`select failed, letter from job_days_2031_06`;
    await expect.poll(() => rows(portal.database, moved)).toEqual([{ failed: 1, letter: 'F' }]);
    // Same options as the first partitions: room for updates, and index-only reads of past days.
    const options = sql`select relname, reloptions from pg_class where relname in ('job_days_2031_06', 'job_days_' || to_char(now(), 'YYYY_MM'))`;
    const expected = ['fillfactor=70', 'autovacuum_vacuum_insert_scale_factor=0.05'];
    expect(
      (await rows<{ reloptions: string[] }>(portal.database, options)).map(({ reloptions }) => reloptions),
    ).toEqual([expected, expected]);
    portal.clock.now = TEST_NOW;
  });
});
