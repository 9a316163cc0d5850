import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row, rows } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { buildM365Job, buildOwnOrganization } from '../../testing/microsoft365-builders.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { seedProviders } from '../../testing/test-portal.ts';
import { proxyIdOf } from '../workers/worker-ids.ts';
import { claimSession } from './claims.ts';
import { endUnclaimedSessions } from './end-unclaimed.ts';
import { askToStop, makeSession } from './sessions.ts';

const HOUR_MS = 3_600_000;
/** Of a machine that is gone. */
const GONE = proxyIdOf('gone');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await seedProviders(database.pool);
});
afterAll(() => database.drop());

async function begun(ageMs: number, given: { proxyPoolId?: string } = {}) {
  const organization = await buildOwnOrganization(database.pool);
  const job = { providerId: 1, id: await buildM365Job(database.pool, organization, given) };
  const id = (await makeSession(database.pool, job, new Date(Date.now() - ageMs))) ?? '';
  return { job, id };
}

const claim = (only: string, claimMs: number) =>
  claimSession(database.pool, { workerId: newId(), places: [GONE], claimMs, running: [], only });
const read = (id: string) =>
  row<{ result: string; message: string | null }>(
    database.pool,
    sql`select result, message from m365_job_sessions where id = ${id}`,
  );
const look = (id: string) => endUnclaimedSessions(database.pool, new Date()).then(() => read(id));

describe('a run that no worker has', () => {
  it('ends when it was asked to, though its worker is gone and no other may do it', async () => {
    const { job, id } = await begun(HOUR_MS, { proxyPoolId: GONE });
    await claim(id, -120_000);
    await askToStop(database.pool, job, new Date());
    expect(await look(id)).toEqual({ result: 'Warning', message: expect.stringContaining('was stopped') });
    const shown = await rows(
      database.pool,
      sql`select result from job_executions where provider_id = 1 and job_instance_uid = ${job.id}`,
    );
    expect(shown).toEqual([{ result: 'Warning' }]);
    expect(await makeSession(database.pool, job, new Date())).not.toBeNull();
  });

  it('ends as failed when none took it for a day, and is tried again', async () => {
    const { job, id } = await begun(25 * HOUR_MS, { proxyPoolId: GONE });
    expect(await look(id)).toEqual({ result: 'Failed', message: expect.stringContaining('No worker') });
    expect(await row(database.pool, sql`select attempts from m365_jobs where id = ${job.id}`)).toEqual({ attempts: 1 });
  });

  it('goes on waiting for less than a day', async () => {
    const { id } = await begun(23 * HOUR_MS, { proxyPoolId: GONE });
    expect(await look(id)).toMatchObject({ result: 'Running' });
  });
});

it('leaves a run alone that a worker is at, however long, also when it was asked to end', async () => {
  const { job, id } = await begun(90 * HOUR_MS);
  await claim(id, 60_000);
  await askToStop(database.pool, job, new Date());
  expect(await look(id)).toMatchObject({ result: 'Running' });
});

it('is looked for without reading the runs of organizations that wait for nothing', async () => {
  const { job } = await begun(0);
  await execute(
    database.pool,
    sql`insert into m365_job_sessions (provider_id, id, job_id, started_at, ended_at, result)
        select 1, gen_random_uuid(), ${job.id}, now() - n * interval '1 minute', now() - n * interval '1 minute', 'Success' from generate_series(1, 20000) n`,
  );
  await execute(
    database.pool,
    sql`update m365_job_sessions set ended_at = now(), result = 'Success' where ended_at is null`,
  );
  await execute(database.pool, sql`analyze m365_job_sessions`);
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    const count = async () => {
      const { rows: found } = await client.query<{ count: string }>(
        "select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as count from pg_stat_xact_user_tables where relname = 'm365_job_sessions'",
      );
      return Number(found[0]?.count);
    };
    const before = await count();
    expect(await claimSession(client, { workerId: newId(), places: [], claimMs: 1_000, running: [] })).toBeNull();
    expect((await count()) - before).toBeLessThan(100);
    await client.query('rollback');
  } finally {
    client.release();
  }
});
