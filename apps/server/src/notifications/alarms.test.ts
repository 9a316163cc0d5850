import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { execute, row, rows, transaction } from '../foundation/database.ts';
import { openLog } from '../foundation/log.ts';
import { announce, declareSubject } from '../foundation/outbox/domain-events.ts';
import { deliverNext } from '../foundation/outbox/outbox.ts';
import { openQueue, type Queue } from '../foundation/queue.ts';
import { newId } from '../foundation/secrets.ts';
import { jobs } from '../program/jobs.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { settle } from '../testing/settle.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { deliverAlarm, removeOldAlarms } from './alarm-deliveries.ts';
import { alarmSubscribers, clear, declareAlarm, raise } from './alarms.ts';
import { bannerChannel } from './banner-channel.ts';
import { type Delivery, STAFF } from './channel.ts';
import { notificationJobs } from './notifications.jobs.ts';

const lamp = declareSubject('lamp');
const lampBroken = declareAlarm({
  name: 'lamps.broken',
  subject: lamp,
  app: 'admin',
  severity: 'warning',
  recipients: STAFF,
  text: ({ since }: { since: string }) => `The lamp is broken since ${since}.`,
});
const log = openLog('silent', 'test');

let portal: TestPortal;
/** Remembers nothing: what is due is delivered by the test. */
const queue: Queue = { send: async () => {}, isAnswering: async () => true };

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());
beforeEach(async () => {
  await portal.database.query('truncate alarms, notifications, outbox cascade');
});

const subjectOf = (id = newId()) => ({ providerId: 1, id });
const banners = () =>
  rows<{ message: string; isOpen: boolean }>(
    portal.database,
    sql`select message, ended_at is null as "isOpen" from notifications order by created_at`,
  );

const deliveries = () =>
  rows<{ providerId: number; id: string }>(
    portal.database,
    sql`select provider_id as "providerId", id from alarm_deliveries`,
  );
const lampDelivery = (delivery: { providerId: number; id: string }): Delivery => ({
  ...delivery,
  recipient: 'staff',
  event: lampBroken.name,
  app: lampBroken.app,
  severity: lampBroken.severity,
  message: '',
  isClosed: false,
  isAgain: false,
});

describe('an alarm', () => {
  it('is raised, renewed and cleared with the change that causes it, and is open once for a subject', async () => {
    const [one, other] = [subjectOf(), subjectOf()];
    const raiseAll = transaction(portal.database, async (connection) => {
      await raise(queue, connection, lampBroken, one, { since: 'never' });
      throw new Error('undone');
    });
    await expect(raiseAll).rejects.toThrow('undone');
    for (const since of ['noon', 'one']) await raise(queue, portal.database, lampBroken, one, { since });
    await raise(queue, portal.database, lampBroken, other, { since: 'two' });
    await settle(portal.database, queue);
    await raise(queue, portal.database, lampBroken, one, { since: 'three' });
    await clear(queue, portal.database, lampBroken, other);
    await settle(portal.database, queue);
    expect(await banners()).toEqual([
      { message: 'The lamp is broken since three.', isOpen: true },
      { message: 'The lamp is broken since two.', isOpen: false },
    ]);
  });

  it('is closed when its subject is removed', async () => {
    const [gone, left] = [subjectOf(), subjectOf()];
    for (const subject of [gone, left]) await raise(queue, portal.database, lampBroken, subject, { since: 'noon' });
    await settle(portal.database, queue);
    await announce(portal.database, lamp.removed, gone, {});
    const subscribers = alarmSubscribers([lampBroken]);
    while (await deliverNext({ database: portal.database, queue, subscribers, log }));
    await settle(portal.database, queue);
    expect((await banners()).map(({ isOpen }) => isOpen)).toEqual([false, true]);
    expect(await rows(portal.database, sql`select subject_id as id from alarms where closed_at is null`)).toEqual([
      { id: left.id },
    ]);
  });

  it('is shown as it is at the end, whatever was delivered in between, and never if no user saw it open', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('raise' as const), since: fc.constantFrom('noon', 'one', 'two') }),
      fc.record({ do: fc.constant('clear' as const) }),
      fc.record({ do: fc.constant('deliver' as const), twice: fc.boolean() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await portal.database.query('truncate alarms, notifications, outbox cascade');
        const subject = subjectOf();
        let open: string | null = null;
        let isSeen = false;
        const seen: string[] = [];
        const deliver = async () => {
          await settle(portal.database, queue);
          if (open === null) return;
          if (isSeen) seen.pop();
          seen.push(open);
          isSeen = true;
        };
        for (const one of steps) {
          if (one.do === 'raise') {
            await raise(queue, portal.database, lampBroken, subject, one);
            open = lampBroken.text(one);
          } else if (one.do === 'clear') {
            await clear(queue, portal.database, lampBroken, subject);
            open = null;
            isSeen = false;
          } else await Promise.all([deliver(), ...(one.twice ? [settle(portal.database, queue)] : [])]);
        }
        await deliver();
        const shown = await banners();
        expect(shown.map(({ message }) => message)).toEqual(seen);
        expect(shown.map(({ isOpen }) => isOpen)).toEqual(seen.map((_, place) => isSeen && place === seen.length - 1));
      }),
      { numRuns: 25 },
    );
  });

  it('is shown in its newest state where an older delivery ends later', async () => {
    const subject = subjectOf();
    await raise(queue, portal.database, lampBroken, subject, { since: 'noon' });
    const [delivery] = await deliveries();
    if (delivery === undefined) throw new Error('The alarm has no delivery.');
    const newer = await portal.database.connect();
    await newer.query('begin');
    await newer.query('select from alarm_deliveries for update');
    const older = deliverAlarm(portal.database, delivery);
    const isWaiting = sql`select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%from alarm_deliveries%'`;
    await expect.poll(() => row(portal.database, isWaiting)).toEqual({ count: 1 });
    await raise(queue, portal.database, lampBroken, subject, { since: 'one' });
    await bannerChannel.deliver(newer, { ...lampDelivery(delivery), message: 'The lamp is broken since one.' });
    await newer.query('update alarm_deliveries set delivered_version = 2');
    await newer.query('commit');
    newer.release();
    await older;
    expect(await banners()).toEqual([{ message: 'The lamp is broken since one.', isOpen: true }]);
    expect(await rows(portal.database, sql`select delivered_version as version from alarm_deliveries`)).toEqual([
      { version: 2 },
    ]);
  });

  it('is deleted with its deliveries 90 days after it was closed, if every recipient was informed', async () => {
    const [old, recent, undelivered, open] = [subjectOf(), subjectOf(), subjectOf(), subjectOf()];
    for (const subject of [old, recent, undelivered, open])
      await raise(queue, portal.database, lampBroken, subject, { since: 'noon' });
    await settle(portal.database, queue);
    for (const subject of [old, recent]) await clear(queue, portal.database, lampBroken, subject);
    await settle(portal.database, queue);
    await clear(queue, portal.database, lampBroken, undelivered);
    await execute(
      portal.database,
      sql`update alarms set closed_at = ${daysAgo(91)} where subject_id <> ${recent.id} and closed_at is not null`,
    );
    await execute(portal.database, sql`update alarms set closed_at = ${daysAgo(89)} where subject_id = ${recent.id}`);
    await removeOldAlarms(portal.database, TEST_NOW);
    const left = await rows<{ id: string }>(portal.database, sql`select subject_id as id from alarms`);
    expect(left.map(({ id }) => id).toSorted()).toEqual([recent.id, undelivered.id, open.id].toSorted());
    expect(await deliveries()).toHaveLength(3);
  });

  it('survives that its worker is killed while it delivers, and is delivered once', async () => {
    const holder = await portal.database.connect();
    await holder.query('begin; lock table notifications in access exclusive mode');
    const worker = await startWorkerProcess();
    const sender = await openQueue(portal.databaseUrl, log, { jobs, runsJobs: false });
    await transaction(portal.database, (connection) =>
      raise(sender, connection, lampBroken, subjectOf(), { since: 'noon' }),
    );
    await sender.stop();
    const delivering = sql`select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into "notifications"%'`;
    await expect.poll(() => row(portal.database, delivering)).toEqual({ count: 1 });
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await holder.query('commit');
    holder.release();
    await expect.poll(() => row(portal.database, delivering)).toEqual({ count: 0 });
    expect(await banners()).toEqual([]);
    // The queue notices the death when no sign of life came for some seconds, which pass here.
    const active = sql`update pgboss.job set heartbeat_on = now() - interval '1 hour' where name = 'notifications.deliver-alarm' and state = 'active'`;
    expect(await execute(portal.database, active)).toBe(1);
    const tuning = { superviseIntervalSeconds: 1, monitorIntervalSeconds: 1 };
    const next = await openQueue(portal.databaseUrl, log, { jobs, runsJobs: true, tuning });
    onTestFinished(() => next.stop());
    await next.run(notificationJobs, { database: portal.database, now: () => portal.clock.now, queue: next });
    const shown = [{ message: 'The lamp is broken since noon.', isOpen: true }];
    await expect.poll(banners).toEqual(shown);
    const left = sql`select id, provider_id as "providerId" from alarm_deliveries where delivered_version = 1`;
    const [delivered] = await rows<{ id: string; providerId: number }>(portal.database, left);
    if (delivered === undefined) throw new Error('The delivery is not marked.');
    await deliverAlarm(portal.database, delivered);
    expect(await banners()).toEqual(shown);
  });
});

/** A worker as the launcher starts it. */
async function startWorkerProcess(): Promise<ChildProcess> {
  const folder = await makeTemporaryFolder('keepwatch-killed-worker-');
  const worker = fork(join(import.meta.dirname, '../program/role.ts'), ['worker'], {
    env: { PATH: process.env.PATH, DATABASE_URL: portal.databaseUrl, DATA_DIR: folder, LOG_LEVEL: 'error' },
  });
  onTestFinished(async () => {
    worker.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  await once(worker, 'message');
  return worker;
}
