import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { rows, transaction } from '../../foundation/database.ts';
import { openStored } from '../repositories/open-stored.ts';
import { poolIdOf } from '../workers/worker-ids.ts';
import { listProxies } from '../workers/workers.ts';
import { askToStop, makeSession } from './sessions.ts';
import { WorkerBed } from './testing/worker-bed.ts';

const bed = new WorkerBed();

describe('a worker', () => {
  it('backs up what a job covers, and reports counts, log, restore point and event', async () => {
    const { buildJob, repositoryId } = await bed.place(['exchange']);
    const services = await bed.worker();
    const session = await bed.begin(await buildJob());
    await bed.ended(session);
    const seen = await bed.seen(session);
    expect(seen).toMatchObject({ result: 'Success', message: null, restorePoint: expect.any(String) });
    expect(seen.progress).toMatchObject({ objectsDone: seen.progress.objectsTotal, itemsRead: expect.any(Number) });
    expect(seen.progress.itemsRead).toBeGreaterThan(100);
    const { catalog } = await openStored(services, 1, repositoryId);
    expect(await catalog.restorePoint(seen.restorePoint ?? '')).toMatchObject({ outcome: 'Success' });
    const log = await bed.logOf(session);
    expect(log[0]).toMatchObject({ level: 'info', text: 'Worker worker begins the run.' });
    expect(log.some(({ objectName, text }) => objectName !== null && /^The mailbox was read: \d+ /.test(text))).toBe(
      true,
    );
    const events = await rows(bed.database.pool, sql`select event, payload from outbox where subject_id = ${session}`);
    expect(events).toMatchObject([
      { event: 'm365-job-session.ended', payload: { result: 'Success', jobName: 'Everything' } },
    ]);
  });

  it('ends a run within two seconds when it is asked to, and the next one goes on', async () => {
    const { buildJob } = await bed.place(['exchange']);
    await bed.worker(bed.slowTenant);
    const jobId = await buildJob(bed.ofPeople(2));
    const stop = async () => {
      const session = await bed.begin(jobId);
      await expect.poll(async () => (await bed.seen(session)).progress.itemsRead ?? 0).toBeGreaterThan(0);
      const askedMs = performance.now();
      await askToStop(bed.database.pool, { providerId: 1, id: jobId }, new Date());
      await bed.ended(session);
      const tookMs = performance.now() - askedMs;
      const seen = await bed.seen(session);
      expect(seen).toMatchObject({ result: 'Warning', message: expect.stringContaining('was stopped') });
      return tookMs;
    };
    // Whatever else the machine does can only make it slower.
    const tookMs = [await stop()];
    while (Math.min(...tookMs) >= 2_000 && tookMs.length < 3) tookMs.push(await stop());
    expect(Math.min(...tookMs)).toBeLessThan(2_000);
    const next = await bed.begin(jobId);
    await bed.ended(next);
    expect(await bed.seen(next)).toMatchObject({ result: 'Success' });
  });

  it('ends a run while the restore points of its repository are being counted for long', async () => {
    const { buildJob, repositoryId } = await bed.place(['exchange']);
    await bed.worker();
    const session = await bed.begin(await buildJob(bed.ofPeople(2)));
    await transaction(bed.database.pool, async (connection) => {
      await rows(connection, sql`select from m365_repositories where id = ${repositoryId} for no key update`);
      await bed.ended(session);
    });
    expect(await bed.seen(session)).toMatchObject({ result: 'Success', restorePoint: expect.any(String) });
  });

  it('fails a run whose repository cannot be opened, says why, and plans the next attempts', async () => {
    const { buildJob, remove } = await bed.place(['exchange']);
    await remove();
    await bed.worker();
    const jobId = await buildJob({
      schedule: { retries: 1, retryMinutes: 5 },
      nextRunAt: new Date('2100-01-01T00:00:00Z'),
    });
    const first = await bed.begin(jobId);
    await bed.ended(first);
    expect(await bed.seen(first)).toMatchObject({ result: 'Failed', restorePoint: null });
    expect((await bed.seen(first)).message).toMatch(/repository|folder|store/i);
    const dueIn = () =>
      rows<{ minutes: number; attempts: number }>(
        bed.database.pool,
        sql`select round(extract(epoch from next_run_at - now()) / 60)::int as minutes, attempts from m365_jobs where id = ${jobId}`,
      );
    expect(await dueIn()).toEqual([{ minutes: 5, attempts: 1 }]);
    await bed.ended(await bed.begin(jobId));
    expect(await dueIn()).toMatchObject([{ attempts: 0 }]);
  });

  it('does to its end what a person started outside of the backup window, and stops what was due', async () => {
    const { buildJob } = await bed.place(['exchange']);
    await bed.worker(bed.slowTenant);
    const window = Array.from({ length: 168 }, () => false);
    const begin = async (isByHand: boolean) => {
      const job = { providerId: 1, id: await buildJob({ ...bed.ofPeople(2), schedule: { window } }) };
      return (await makeSession(bed.database.pool, job, new Date(), isByHand)) ?? '';
    };
    const [due, started] = [await begin(false), await begin(true)];
    await Promise.all([bed.ended(due), bed.ended(started)]);
    expect(await bed.seen(due)).toMatchObject({ result: 'Warning', message: expect.stringContaining('window') });
    expect(await bed.seen(started)).toMatchObject({ result: 'Success' });
  });

  it('starts a chained job when the one before it has ended', async () => {
    const { buildJob } = await bed.place(['exchange']);
    await bed.worker();
    const first = await buildJob(bed.ofPeople(1));
    const chained = await buildJob({ schedule: { type: 'Chained', afterJobId: first } });
    await bed.ended(await bed.begin(first));
    const due = await rows(bed.database.pool, sql`select id from m365_jobs where next_run_at <= now()`);
    expect(due).toEqual([{ id: chained }]);
  });

  it('registers as a proxy, and does jobs of its own pool alone', async () => {
    const { buildJob } = await bed.place(['exchange']);
    const free = await buildJob(bed.ofPeople(1));
    const bound = await buildJob({ ...bed.ofPeople(1), proxyPoolId: poolIdOf('Berlin') });
    const [freeSession, boundSession] = [await bed.begin(free), await bed.begin(bound)];
    await bed.worker(bed.tenant, { name: 'paris', pool: 'Paris' });
    await bed.ended(freeSession);
    expect(await bed.seen(boundSession)).toMatchObject({ isEnded: false, workerId: null });
    expect(await listProxies(bed.database.pool)).toContainEqual(
      expect.objectContaining({ name: 'paris', poolId: poolIdOf('Paris'), isOnline: true, capacity: 4 }),
    );
    await bed.worker(bed.tenant, { name: 'berlin', pool: 'Berlin' });
    await bed.ended(boundSession);
    expect((await bed.logOf(boundSession))[0]?.text).toBe('Worker berlin begins the run.');
  });

  it('lets an organization that waits have a place of a giant that has all of them, and goes on with the giant later', async () => {
    const [giant, small] = [await bed.place(['exchange']), await bed.place(['exchange'])];
    await bed.worker(bed.slowTenant, { capacity: 2, placeMs: 300 });
    // Two jobs that have nothing in common: a run waits for what another one reads.
    const { backupType, selected } = bed.ofPeople(8);
    const jobs = [selected.slice(1, 4), selected.slice(4)].map((some) =>
      giant.buildJob({ backupType, selected: some }),
    );
    const ofGiant = [await bed.begin((await jobs[0]) ?? ''), await bed.begin((await jobs[1]) ?? '')];
    for (const session of ofGiant) await bed.isReading(session);
    const session = await bed.begin(await small.buildJob(bed.ofPeople(2)));
    for (const one of [...ofGiant, session]) await bed.ended(one);
    for (const one of [...ofGiant, session]) expect(await bed.seen(one)).toMatchObject({ result: 'Success' });
    const begunEarly = await rows(
      bed.database.pool,
      sql`select from m365_job_sessions g where g.id = any(${sql.param(ofGiant)}::uuid[])
          and g.ended_at > (select min(l.at) from m365_session_log l where l.session_id = ${session})`,
    );
    expect(begunEarly).toHaveLength(2);
    const texts = (await Promise.all(ofGiant.map((one) => bed.logOf(one)))).flat().map(({ text }) => text);
    // One place is enough, and only while another organization waits.
    expect(texts.filter((text) => text.startsWith('Another organization waits'))).toHaveLength(1);
    expect(texts.filter((text) => text === 'Worker worker goes on with the run.')).toHaveLength(1);
  }, 120_000);

  it('lets a run that gave its place gain something before it gives it again, so that each comes to its end', async () => {
    await bed.worker(bed.slowTenant, { capacity: 1, placeMs: 300 });
    const sessions: string[] = [];
    for (const people of [6, 7]) {
      const { buildJob } = await bed.place(['exchange']);
      sessions.push(await bed.begin(await buildJob(bed.ofPeople(people))));
    }
    for (const one of sessions) await bed.ended(one);
    const texts = (await Promise.all(sessions.map((one) => bed.logOf(one)))).flat().map(({ text }) => text);
    expect(texts.filter((text) => text.startsWith('Another organization waits')).length).toBeLessThan(13);
    for (const one of sessions) {
      const { result, progress } = await bed.seen(one);
      expect(result).toBe('Success');
      // All that was read, and not only what the last worker has read.
      const ofObjects = (await bed.logOf(one)).map(({ text }) => /was read: (\d+) new/.exec(text)?.[1] ?? '0');
      expect(progress.itemsRead).toBeGreaterThanOrEqual(ofObjects.reduce((sum, count) => sum + Number(count), 0));
    }
  }, 150_000);
});
