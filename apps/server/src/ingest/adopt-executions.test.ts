import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { buildCompany, buildJob } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { adoptExecutions } from './adopt-executions.ts';
import { ingestRuns } from './ingest-runs.ts';
import { rollupsAndRecount } from './recount.fixture.ts';

const DAY_MS = 86_400_000;
let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

it('moves the history of a job to its company once that is known, with the sums of days, and none from another company', async () => {
  const [companyId, otherId] = [await buildCompany(portal.database), await buildCompany(portal.database)];
  const [late, settled] = [
    await buildJob(portal.database, { companyId: null }),
    await buildJob(portal.database, { companyId: otherId }),
  ];
  const runs = [late, settled].flatMap(({ jobInstanceUid }) =>
    [1, 2, 3].map((days) => ({
      jobInstanceUid,
      startedAt: new Date(TEST_NOW.getTime() - days * DAY_MS),
      endedAt: new Date(TEST_NOW.getTime() - days * DAY_MS + 60_000),
      result: 'Failed' as const,
      transferredBytes: 1_000,
    })),
  );
  await ingestRuns(portal.database, 1, runs, TEST_NOW);

  await execute(
    portal.database,
    sql`update jobs set company_id = ${companyId} where job_instance_uid = ${late.jobInstanceUid}`,
  );
  const jobs = [
    { uid: late.jobInstanceUid, companyId },
    { uid: settled.jobInstanceUid, companyId },
  ];
  await adoptExecutions(portal.database, 1, jobs);
  await adoptExecutions(portal.database, 1, jobs);

  const { stored, counted } = await rollupsAndRecount(portal.database);
  expect(stored).toEqual(counted);
  const theirs = await portal.as('read-only', { companyIds: [companyId] });
  const list = await theirs.call(listJobExecutions, { query: { from: '2026-02-01', filter: { state: 'all' } } });
  expect(list.data.map(({ jobInstanceUid }) => jobInstanceUid)).toEqual(Array(3).fill(late.jobInstanceUid));
});
