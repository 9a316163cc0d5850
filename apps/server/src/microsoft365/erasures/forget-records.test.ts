import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, row } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { buildM365Job, buildOwnOrganization } from '../../testing/microsoft365-builders.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { seedProviders } from '../../testing/test-portal.ts';
import { forgetRecords } from './forget-records.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await seedProviders(database.pool);
});
afterAll(() => database.drop());

/** Runs of a job, each into a repository of which it says what was read. */
function addRuns(jobId: string, repositoryId: string, count: number): Promise<unknown> {
  return execute(
    database.pool,
    sql`insert into m365_job_sessions (provider_id, id, job_id, repository_id, started_at, ended_at, result, message)
        select 1, gen_random_uuid(), ${jobId}, ${repositoryId}, now() - n * interval '1 minute', now() - n * interval '1 minute', 'Warning', 'Ada: refused.'
        from generate_series(1, ${count}::int) n`,
  );
}

it('takes the names of the erased out of the runs of a repository without reading those of others', async () => {
  const jobId = await buildM365Job(database.pool, await buildOwnOrganization(database.pool));
  const [erased, other] = [newId(), newId()];
  await addRuns(jobId, other, 20_000);
  await addRuns(jobId, erased, 3);
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
    await forgetRecords(client, { providerId: 1, id: erased }, { names: ['Ada'], words: [] });
    expect((await count()) - before).toBeLessThan(100);
    await client.query('commit');
  } finally {
    client.release();
  }
  const left = (of: string) =>
    row(
      database.pool,
      sql`select count(message)::int as count from m365_job_sessions where provider_id = 1 and repository_id = ${of}`,
    );
  expect([await left(erased), await left(other)]).toEqual([{ count: 0 }, { count: 20_000 }]);
});
