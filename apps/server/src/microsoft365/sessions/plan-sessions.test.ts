import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import {
  type BuiltOrganization,
  buildM365Job,
  buildM365Repository,
  buildOwnOrganization,
} from '../../testing/microsoft365-builders.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { seedProviders, TEST_NOW } from '../../testing/test-portal.ts';
import { claimSession } from './claims.ts';
import { planSessions } from './plan-sessions.ts';
import { makeSession } from './sessions.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await seedProviders(database.pool);
});
beforeEach(() => execute(database.pool, sql`delete from m365_jobs`));
afterAll(() => database.drop());

async function jobsOf(organization: BuiltOrganization, count: number, given: Parameters<typeof buildM365Job>[2] = {}) {
  const repositoryId = await buildM365Repository(database.pool, organization);
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1)
    ids.push(await buildM365Job(database.pool, organization, { repositoryId, ...given }));
  return ids;
}

const sessions = () => rows(database.pool, sql`select job_id as id from m365_job_sessions where ended_at is null`);

it('makes one run of each job that is due, however many processes look, and plans the next', async () => {
  const organization = await buildOwnOrganization(database.pool);
  const due = await jobsOf(organization, 3, { nextRunAt: new Date(TEST_NOW.getTime() - 1) });
  await jobsOf(organization, 1, { nextRunAt: new Date(TEST_NOW.getTime() + 1) });
  await jobsOf(organization, 1, { nextRunAt: TEST_NOW, isEnabled: false });
  const planned = await Promise.all([1, 2, 3].map(() => planSessions(database.pool, TEST_NOW)));
  expect(planned.reduce((sum, count) => sum + count)).toBe(3);
  expect((await sessions()).length).toBe(3);
  const next = await rows(
    database.pool,
    sql`select distinct next_run_at as at from m365_jobs where id = any(${sql.param(due)}::uuid[])`,
  );
  expect(next).toEqual([{ at: '2026-03-02T22:00:00.000Z' }]);
  expect(await planSessions(database.pool, TEST_NOW)).toBe(0);
});

it('does not begin a job again that still runs: it is due when the run has ended', async () => {
  const [id = ''] = await jobsOf(await buildOwnOrganization(database.pool), 1, { nextRunAt: TEST_NOW });
  await makeSession(database.pool, { providerId: 1, id }, TEST_NOW);
  expect(await planSessions(database.pool, TEST_NOW)).toBe(0);
  await execute(database.pool, sql`update m365_job_sessions set ended_at = started_at, result = 'Success'`);
  expect(await planSessions(database.pool, TEST_NOW)).toBe(1);
});

it('gives workers runs of different organizations in turn', async () => {
  const [giant, small] = [await buildOwnOrganization(database.pool), await buildOwnOrganization(database.pool)];
  const ids = [...(await jobsOf(giant, 4)), ...(await jobsOf(small, 2))];
  for (const [index, id] of ids.entries())
    await makeSession(database.pool, { providerId: 1, id }, new Date(TEST_NOW.getTime() + index));
  const claimant = { workerId: newId(), places: [], claimMs: 60_000, running: [] };
  const turns: string[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    const session = await claimSession(database.pool, claimant);
    turns.push(session?.organizationId === giant.id ? 'giant' : 'small');
  }
  expect(turns).toEqual(['giant', 'small', 'giant', 'small', 'giant', 'giant']);
  expect(await claimSession(database.pool, claimant)).toBeNull();
});

it('gives a run whose claim has ended to another worker, and never a second time to the same process', async () => {
  const [id = ''] = await jobsOf(await buildOwnOrganization(database.pool), 1);
  const session = await makeSession(database.pool, { providerId: 1, id }, TEST_NOW);
  const first = { workerId: newId(), places: [], claimMs: -1, running: [] };
  expect(await claimSession(database.pool, first)).toMatchObject({ id: session, isContinued: false });
  expect(await claimSession(database.pool, { ...first, running: [session ?? ''] })).toBeNull();
  expect(await claimSession(database.pool, { ...first, workerId: newId() })).toMatchObject({ isContinued: true });
});

describe('a job with a backup window', () => {
  /** Of TEST_NOW, a Monday at eight: from ten on. */
  const window = Array.from({ length: 168 }, (_, hour) => hour % 24 >= 10);

  it('that is due outside of it waits for its next hour: late, again after a failure, or after another job', async () => {
    const organization = await buildOwnOrganization(database.pool);
    const schedule = { type: 'Chained', afterJobId: newId(), window } as const;
    const [id = ''] = await jobsOf(organization, 1, { nextRunAt: TEST_NOW, schedule });
    await planSessions(database.pool, TEST_NOW);
    expect(await sessions()).toEqual([]);
    const next = () => rows(database.pool, sql`select next_run_at as at from m365_jobs where id = ${id}`);
    expect(await next()).toEqual([{ at: '2026-03-02T10:00:00.000Z' }]);
    await planSessions(database.pool, new Date('2026-03-02T10:00:00Z'));
    expect(await sessions()).toEqual([{ id }]);
    expect(await next()).toEqual([{ at: null }]);
  });
});
