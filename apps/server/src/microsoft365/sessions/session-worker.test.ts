import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type RunningTenant, startTenant } from '@keepwatch/sandbox/microsoft365/server';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { execute, rows } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { seedProviders } from '../../testing/test-portal.ts';
import { openStored } from '../repositories/open-stored.ts';
import { poolIdOf } from '../workers/worker-ids.ts';
import { listProxies } from '../workers/workers.ts';
import { askToStop, makeSession } from './sessions.ts';
import { buildPlace, placesOf, seenSession, startWorker } from './worker.fixture.ts';

const PROCESS = join(import.meta.dirname, 'worker-process.fixture.ts');

let database: TestDatabase;
let tenant: RunningTenant;
let slowTenant: RunningTenant;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await seedProviders(database.pool);
  tenant = await startTenant({ size: 'small', budgets: false });
  slowTenant = await startTenant({ size: 'small', budgets: false, latencyMs: 25 });
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await execute(database.pool, sql`delete from m365_jobs`);
});
afterAll(async () => {
  await tenant.stop();
  await slowTenant.stop();
  await database.drop();
});

/** A worker that ends with the test. */
async function worker(of = tenant, options: Parameters<typeof placesOf>[2] = {}) {
  const started = await startWorker(placesOf(database.url, of, options));
  closing.push(started.stop);
  return started.services;
}

async function place(...given: Parameters<typeof buildPlace> extends [unknown, ...infer R] ? R : never) {
  const built = await buildPlace(database.pool, ...given);
  closing.push(built.remove);
  return built;
}

async function begin(jobId: string): Promise<string> {
  const session = await makeSession(database.pool, { providerId: 1, id: jobId }, new Date());
  if (session === null) throw new Error('The job runs already.');
  return session;
}

const ended = (session: string) =>
  expect.poll(() => seenSession(database.pool, session), { timeout: 60_000 }).toMatchObject({ isEnded: true });

const logOf = (session: string) =>
  rows<{ level: string; objectName: string | null; text: string }>(
    database.pool,
    sql`select level, object_name as "objectName", text from m365_session_log where session_id = ${session} order by line`,
  );

describe('a worker', () => {
  it('backs up what a job covers, and reports counts, log, restore point and event', async () => {
    const { buildJob, repositoryId } = await place(['exchange']);
    const services = await worker();
    const session = await begin(await buildJob());
    await ended(session);
    const seen = await seenSession(database.pool, session);
    expect(seen).toMatchObject({ result: 'Success', message: null, restorePoint: expect.any(String) });
    expect(seen.progress).toMatchObject({ objectsDone: seen.progress.objectsTotal, itemsRead: expect.any(Number) });
    expect(seen.progress.itemsRead).toBeGreaterThan(100);
    const { catalog } = await openStored(services, 1, repositoryId);
    expect(await catalog.restorePoint(seen.restorePoint ?? '')).toMatchObject({ outcome: 'Success' });
    const log = await logOf(session);
    expect(log[0]).toMatchObject({ level: 'info', text: 'Worker worker begins the run.' });
    expect(log.some(({ objectName, text }) => objectName !== null && /^The mailbox was read: \d+ /.test(text))).toBe(
      true,
    );
    const events = await rows(database.pool, sql`select event, payload from outbox where subject_id = ${session}`);
    expect(events).toMatchObject([
      { event: 'm365-job-session.ended', payload: { result: 'Success', jobName: 'Everything' } },
    ]);
  });

  it('ends a run within two seconds when it is asked to, and the next one goes on', async () => {
    const { buildJob } = await place(['exchange']);
    await worker(slowTenant);
    const jobId = await buildJob();
    const session = await begin(jobId);
    await expect
      .poll(async () => (await seenSession(database.pool, session)).progress.itemsRead ?? 0)
      .toBeGreaterThan(0);
    const askedMs = performance.now();
    await askToStop(database.pool, { providerId: 1, id: jobId }, new Date());
    await ended(session);
    expect(performance.now() - askedMs).toBeLessThan(4_000);
    const seen = await seenSession(database.pool, session);
    expect(seen).toMatchObject({ result: 'Warning', message: expect.stringContaining('was stopped') });
    const next = await begin(jobId);
    await ended(next);
    expect(await seenSession(database.pool, next)).toMatchObject({ result: 'Success' });
  });

  it('fails a run whose repository cannot be opened, says why, and plans the next attempts', async () => {
    const { buildJob, remove } = await place(['exchange']);
    await remove();
    await worker();
    const jobId = await buildJob({
      schedule: { retries: 1, retryMinutes: 5 },
      nextRunAt: new Date('2100-01-01T00:00:00Z'),
    });
    const first = await begin(jobId);
    await ended(first);
    expect(await seenSession(database.pool, first)).toMatchObject({ result: 'Failed', restorePoint: null });
    expect((await seenSession(database.pool, first)).message).toMatch(/repository|folder|store/i);
    const dueIn = () =>
      rows<{ minutes: number; attempts: number }>(
        database.pool,
        sql`select round(extract(epoch from next_run_at - now()) / 60)::int as minutes, attempts from m365_jobs where id = ${jobId}`,
      );
    expect(await dueIn()).toEqual([{ minutes: 5, attempts: 1 }]);
    await ended(await begin(jobId));
    expect(await dueIn()).toMatchObject([{ attempts: 0 }]);
  });

  it('starts a chained job when the one before it has ended', async () => {
    const { buildJob } = await place(['exchange']);
    await worker();
    const first = await buildJob();
    const chained = await buildJob({ schedule: { type: 'Chained', afterJobId: first } });
    await ended(await begin(first));
    const due = await rows(database.pool, sql`select id from m365_jobs where next_run_at <= now()`);
    expect(due).toEqual([{ id: chained }]);
  });

  it('registers as a proxy, and does jobs of its own pool alone', async () => {
    const { buildJob } = await place(['exchange']);
    const free = await buildJob();
    const bound = await buildJob({ proxyPoolId: poolIdOf('Berlin') });
    const [freeSession, boundSession] = [await begin(free), await begin(bound)];
    await worker(tenant, { name: 'paris', pool: 'Paris' });
    await ended(freeSession);
    expect(await seenSession(database.pool, boundSession)).toMatchObject({ isEnded: false, workerId: null });
    expect(await listProxies(database.pool)).toContainEqual(
      expect.objectContaining({ name: 'paris', poolId: poolIdOf('Paris'), isOnline: true, capacity: 4 }),
    );
    await worker(tenant, { name: 'berlin', pool: 'Berlin' });
    await ended(boundSession);
    expect((await logOf(boundSession))[0]?.text).toBe('Worker berlin begins the run.');
  });
});

describe('a worker that is killed', () => {
  it('is replaced: another one goes on with its run to the end, and nothing is doubled', async () => {
    const { buildJob, repositoryId } = await place(['exchange', 'sharepoint']);
    const session = await begin(await buildJob());
    const first = { id: newId(), name: 'first' };
    const child = fork(PROCESS, [JSON.stringify(placesOf(database.url, slowTenant, first))], { execArgv: [] });
    await once(child, 'message');
    await expect
      .poll(async () => (await seenSession(database.pool, session)).progress.objectsDone ?? 0)
      .toBeGreaterThan(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await seenSession(database.pool, session)).toMatchObject({ isEnded: false, workerId: first.id });

    const services = await worker(slowTenant, { name: 'second' });
    await ended(session);
    const seen = await seenSession(database.pool, session);
    expect(seen).toMatchObject({ result: 'Success', restorePoint: expect.any(String) });
    const texts = (await logOf(session)).map(({ text }) => text);
    expect(texts).toContain('Worker first begins the run.');
    expect(texts).toContain('Worker second goes on with the run.');

    const { catalog } = await openStored(services, 1, repositoryId);
    expect(await catalog.listRestorePoints({ limit: 10, offset: 0 })).toMatchObject([{ outcome: 'Success' }]);
    const whole = await place(['exchange', 'sharepoint']);
    await ended(await begin(await whole.buildJob()));
    const other = await openStored(services, 1, whole.repositoryId);
    const counted = async (one: typeof other) => {
      const { objects, items, bytes } = await one.catalog.usage();
      return { objects, items, bytes };
    };
    expect(await counted({ catalog, repository: other.repository })).toEqual(await counted(other));
  }, 120_000);
});
