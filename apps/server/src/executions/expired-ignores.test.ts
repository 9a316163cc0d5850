import { editJobExecution, getJobExecution } from '@keepwatch/contract/executions/job-executions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows } from '../foundation/database.ts';
import { listenForEvents } from '../foundation/events.ts';
import { openLog } from '../foundation/log.ts';
import { buildExecution, buildJob } from '../testing/builders.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { endExpiredIgnores } from './expired-ignores.ts';

const HOUR_MS = 3_600_000;
let portal: TestPortal;
let operator: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  operator = await portal.as('operator');
});
beforeEach(() => portal.database.query('truncate job_executions'));
afterAll(() => portal.stop());

const inHours = (hours: number) => new Date(TEST_NOW.getTime() + hours * HOUR_MS);

async function ignored(hours: number | null): Promise<string> {
  const id = await buildExecution(portal.database, await buildJob(portal.database), { startedAt: daysAgo(1) });
  const until = hours === null ? {} : { ignoredUntil: inHours(hours).toISOString() };
  await operator.call(editJobExecution, { params: { id }, body: { state: 'ignored', ...until } });
  return id;
}

const read = async (id: string) => (await operator.call(getJobExecution, { params: { id } })).data;

describe('an execution that is ignored until a given time', () => {
  it('is pending again from that time on, and not before', async () => {
    const id = await ignored(2);
    expect(await endExpiredIgnores(portal.database, inHours(1.9))).toBe(0);
    expect(await read(id)).toMatchObject({ state: 'ignored' });
    expect(await endExpiredIgnores(portal.database, inHours(2))).toBe(1);
    expect(await read(id)).toMatchObject({ state: 'pending', ignoredUntil: null });
    expect(await endExpiredIgnores(portal.database, inHours(3))).toBe(0);
  });

  it('stays ignored forever when no time was given', async () => {
    const id = await ignored(null);
    expect(await endExpiredIgnores(portal.database, inHours(100_000))).toBe(0);
    expect(await read(id)).toMatchObject({ state: 'ignored' });
  });

  it('is listed again even when more expire at once than one transaction handles', async () => {
    const job = await buildJob(portal.database, { providerId: 2 });
    await execute(
      portal.database,
      sql`insert into job_executions (provider_id, started_at, id, job_instance_uid, source_group, result, state, ignored_until)
          select 2, ${daysAgo(40)}::timestamptz + make_interval(mins => n), gen_random_uuid(), ${job.jobInstanceUid}, ${job.sourceGroup},
            'Failed', 'ignored', ${TEST_NOW} from generate_series(1, 5001) as n`,
    );
    expect(await endExpiredIgnores(portal.database, TEST_NOW)).toBe(5_001);
    expect(await rows(portal.database, sql`select distinct state from job_executions`)).toEqual([{ state: 'pending' }]);
  });

  it('is announced to open screens', async () => {
    await ignored(1);
    const events = await listenForEvents(portal.databaseUrl, openLog('silent', 'test'));
    const heard = new Promise((resolve) => events.subscribe(resolve));
    await endExpiredIgnores(portal.database, inHours(1));
    expect(await heard).toMatchObject({ name: 'executions.changed', providerId: 1 });
    await events.stop();
  });
});
