import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { execute } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { openStored } from '../repositories/open-stored.ts';
import { placesOf, startWorker } from './testing/worker.ts';
import { WorkerBed } from './testing/worker-bed.ts';

const PROCESS = join(import.meta.dirname, 'testing/worker-process.ts');
const bed = new WorkerBed();

describe('a worker that is killed', () => {
  /** A worker in a process of its own. @returns what kills it */
  async function ownProcess(options: { id: string; name: string }): Promise<() => Promise<void>> {
    const child = fork(PROCESS, [JSON.stringify(placesOf(bed.database.url, bed.slowTenant, options))], {
      execArgv: [],
    });
    const exited = once(child, 'exit');
    const kill = async () => {
      child.kill('SIGKILL');
      await exited;
    };
    bed.closing.push(kill);
    await once(child, 'message');
    return kill;
  }

  it('is replaced: another one goes on with its run to the end, and nothing is doubled', async () => {
    const { buildJob, repositoryId } = await bed.place(['exchange', 'sharepoint']);
    const session = await bed.begin(await buildJob(bed.ofPeople(3)));
    const first = { id: newId(), name: 'first' };
    const kill = await ownProcess(first);
    await bed.isReading(session);
    await kill();
    expect(await bed.seen(session)).toMatchObject({ isEnded: false, workerId: first.id });

    const services = await bed.worker(bed.slowTenant, { name: 'second' });
    await bed.ended(session);
    const seen = await bed.seen(session);
    expect(seen).toMatchObject({ result: 'Success', restorePoint: expect.any(String) });
    const texts = (await bed.logOf(session)).map(({ text }) => text);
    expect(texts).toContain('Worker first begins the run.');
    expect(texts).toContain('Worker second goes on with the run.');

    const { catalog } = await openStored(services, 1, repositoryId);
    expect(await catalog.listRestorePoints({ limit: 10, offset: 0 })).toMatchObject([{ outcome: 'Success' }]);
    const whole = await bed.place(['exchange', 'sharepoint']);
    await bed.ended(await bed.begin(await whole.buildJob(bed.ofPeople(3))));
    const other = await openStored(services, 1, whole.repositoryId);
    const counted = async (one: typeof other) => {
      const { objects, items, bytes } = await one.catalog.usage();
      return { objects, items, bytes };
    };
    expect(texts.filter((text) => /Two runs wrote/.test(text))).toEqual([]);
    expect(await counted({ ...other, catalog })).toEqual(await counted(other));
  }, 120_000);

  it('after it has made the restore point is replaced by one that only ends the run: there is no second restore point', async () => {
    const { buildJob, repositoryId } = await bed.place(['exchange', 'sharepoint']);
    const jobId = await buildJob(bed.ofPeople(3));
    // It opens the repository, and has no room for a run.
    const looking = await bed.worker(bed.slowTenant, { name: 'looking', capacity: 0 });
    const { catalog } = await openStored(looking, 1, repositoryId);
    const points = () => catalog.listRestorePoints({ limit: 10, offset: 0 });

    const session = await bed.begin(jobId);
    const kill = await ownProcess({ id: newId(), name: 'first' });
    await bed.isReading(session);
    const client = await bed.database.pool.connect();
    try {
      // The run of the first worker goes on, and its end cannot be stored.
      await client.query('begin');
      await client.query('select from m365_job_sessions where id = $1 for update', [session]);
      await expect.poll(points).toHaveLength(1);
      await kill();
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect(await bed.seen(session)).toMatchObject({ isEnded: false });

    await bed.worker(bed.slowTenant, { name: 'second' });
    await bed.ended(session);
    const [point] = await points();
    expect(await points()).toHaveLength(1);
    const seen = await bed.seen(session);
    expect(seen).toMatchObject({ result: 'Success', restorePoint: point?.run.id });
    expect(seen.progress.itemsRead).toBe(point?.counts.itemsRead);
    expect((await bed.logOf(session)).map(({ text }) => text)).toContain(
      'The worker before had made the restore point already.',
    );
  });

  it('three times in one run is not replaced again: the run ends Failed, and says why', async () => {
    const { buildJob } = await bed.place(['exchange', 'sharepoint']);
    const jobId = await buildJob({ ...bed.ofPeople(3), schedule: { retries: 0 } });
    const session = await bed.begin(jobId);
    for (const name of ['first', 'second', 'third']) {
      const kill = await ownProcess({ id: newId(), name });
      await bed.isAt(session, name);
      await kill();
      expect(await bed.seen(session)).toMatchObject({ isEnded: false });
    }
    await bed.worker(bed.slowTenant, { name: 'fourth' });
    await bed.ended(session);
    const message = expect.stringContaining('Each worker that began this run ended unexpectedly');
    expect(await bed.seen(session)).toMatchObject({ result: 'Failed', message });
    const log = await bed.logOf(session);
    expect(log.at(-1)).toMatchObject({ level: 'error', text: message });
    expect(log.map(({ text }) => text)).not.toContain('Worker fourth goes on with the run.');
  });

  it('for the third time after the restore point was made ends the run as that had ended, and says that its texts wait', async () => {
    const { buildJob, repositoryId } = await bed.place(['exchange', 'sharepoint']);
    const jobId = await buildJob({ ...bed.ofPeople(3), schedule: { retries: 0 } });
    const looking = await bed.worker(bed.slowTenant, { name: 'looking', capacity: 0 });
    const { catalog } = await openStored(looking, 1, repositoryId);
    const points = () => catalog.listRestorePoints({ limit: 10, offset: 0 });
    const session = await bed.begin(jobId);
    const kill = await ownProcess({ id: newId(), name: 'first' });
    await bed.isReading(session);
    const client = await bed.database.pool.connect();
    try {
      await client.query('begin');
      await client.query('select from m365_job_sessions where id = $1 for update', [session]);
      await expect.poll(points).toHaveLength(1);
      await kill();
      // As two more workers leave it that ended while they made texts searchable.
      await client.query('update m365_job_sessions set claims = 3 where id = $1', [session]);
      await client.query('commit');
    } finally {
      client.release();
    }
    await bed.worker(bed.slowTenant, { name: 'last' });
    await bed.ended(session);
    const [point] = await points();
    const message = expect.stringContaining('New texts cannot be searched yet');
    expect(await bed.seen(session)).toMatchObject({ result: 'Success', restorePoint: point?.run.id, message });
    expect((await bed.logOf(session)).at(-1)).toMatchObject({ level: 'warning', text: message });
    expect(await points()).toHaveLength(1);
  });

  it('does not count among these when it ended in order, and gave its run back', async () => {
    const { buildJob } = await bed.place(['exchange', 'sharepoint']);
    const session = await bed.begin(await buildJob(bed.ofPeople(3)));
    for (const name of ['first', 'second', 'third', 'fourth']) {
      const { stop } = await startWorker(placesOf(bed.database.url, bed.slowTenant, { name }));
      await bed.isAt(session, name);
      await stop();
    }
    await bed.worker(bed.slowTenant, { name: 'fifth' });
    await bed.ended(session);
    expect(await bed.seen(session)).toMatchObject({ result: 'Success', message: null });
  });
});

it('a run whose end could not be stored is claimed again, and ends as it had ended', async () => {
  const { buildJob, repositoryId } = await bed.place(['exchange', 'sharepoint']);
  const services = await bed.worker();
  await execute(
    bed.database.pool,
    sql`create function refuse_end() returns trigger language plpgsql as 'begin raise exception ''no end today''; end'`,
  );
  await execute(
    bed.database.pool,
    sql`create trigger refuse_end before update on m365_job_sessions for each row
        when (new.ended_at is not null) execute function refuse_end()`,
  );
  const session = await bed.begin(await buildJob(bed.ofPeople(3)));
  const { catalog } = await openStored(services, 1, repositoryId);
  const points = () => catalog.listRestorePoints({ limit: 10, offset: 0 });
  await expect.poll(points).toHaveLength(1);
  const begun = async () => (await bed.logOf(session)).filter(({ text }) => /^Worker worker /.test(text)).length;
  await expect.poll(begun).toBe(2);
  await execute(bed.database.pool, sql`drop function refuse_end() cascade`);
  await bed.ended(session);
  expect(await points()).toHaveLength(1);
  expect(await bed.seen(session)).toMatchObject({ result: 'Success', message: null });
});

it('a worker whose run was claimed by another leaves no restore point beside the other', async () => {
  const { buildJob, repositoryId } = await bed.place(['exchange', 'sharepoint']);
  const services = await bed.worker(bed.slowTenant, { name: 'late' });
  const session = await bed.begin(await buildJob(bed.ofPeople(3)));
  await bed.isReading(session);
  // What the table shows when the worker was stuck for longer than its claim, and wakes.
  const other = newId();
  await execute(
    bed.database.pool,
    sql`update m365_job_sessions set worker_id = ${other}, claimed_until = now() + interval '1 hour' where id = ${session}`,
  );
  const texts = async () => (await bed.logOf(session)).map(({ text }) => text);
  await expect.poll(texts).toContain('Another worker goes on with the run.');
  await bed.worker(bed.slowTenant, { name: 'other', id: other });
  await execute(bed.database.pool, sql`update m365_job_sessions set claimed_until = now() where id = ${session}`);
  await bed.ended(session);
  expect(await bed.seen(session)).toMatchObject({ result: 'Success' });
  const { catalog } = await openStored(services, 1, repositoryId);
  const points = await catalog.listRestorePoints({ limit: 10, offset: 0 });
  expect(points.map(({ outcome }) => outcome)).toEqual(['Success']);
});
