import { rankDuration, rankFailures, rankTransferred } from '@keepwatch/contract/insights/insights';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { type BuiltJob, buildCompany, buildJob } from '../testing/builders.ts';
import { buildDay, dayAgo, lastDays } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
let reader: Caller;
let companyId: string;
let mail: BuiltJob;
let files: BuiltJob;
let idle: BuiltJob;

beforeAll(async () => {
  portal = await startTestPortal();
  reader = await portal.as('read-only');
  companyId = await buildCompany(portal.database, { name: 'Northwind' });
  mail = await buildJob(portal.database, { companyId, name: 'Mail' });
  files = await buildJob(portal.database, { companyId, name: 'Files' });
  idle = await buildJob(portal.database, { companyId, name: 'Idle' });
  await buildDay(portal.database, mail, dayAgo(1), {
    failed: 2,
    success: 1,
    transferredBytes: 100,
    durationMsMax: 9_000,
  });
  await buildDay(portal.database, mail, dayAgo(0), {
    failed: 1,
    success: 4,
    transferredBytes: 100,
    durationMsMax: 1_000,
  });
  await buildDay(portal.database, files, dayAgo(0), {
    failed: 1,
    warning: 2,
    transferredBytes: 5_000,
    durationMsMax: 8_000,
  });
  await buildDay(portal.database, files, dayAgo(8), { failed: 99, transferredBytes: 99_999, durationMsMax: 99_999 });
  await buildDay(portal.database, idle, dayAgo(0), { didntRun: 1 });
});
afterAll(() => portal.stop());

const within = () => ({ ...lastDays(2), filter: { companyIds: companyId } });

describe('GET monitoring/reporting/jobs/ranking/…', () => {
  it('200: ranks by failures in the range and returns the number of runs', async () => {
    const { data } = await reader.call(rankFailures, { query: within() });
    expect(data).toEqual([
      { ...named(mail, 'Mail'), value: 3, runs: 8 },
      { ...named(files, 'Files'), value: 1, runs: 3 },
    ]);
  });

  it('200: ranks 7 failures of 7 runs above 20 of 161 by rate, and below by count', async () => {
    const company = await buildCompany(portal.database, { name: 'Rates' });
    const build = (name: string) => buildJob(portal.database, { companyId: company, name });
    const [hourly, daily, once] = [await build('Hourly'), await build('Daily'), await build('Once')];
    await buildDay(portal.database, hourly, dayAgo(1), { failed: 20, success: 120 });
    await buildDay(portal.database, hourly, dayAgo(0), { success: 20, warning: 1 });
    await buildDay(portal.database, daily, dayAgo(1), { failed: 6 });
    await buildDay(portal.database, daily, dayAgo(0), { failed: 1, running: 1 });
    await buildDay(portal.database, once, dayAgo(0), { failed: 1 });
    const ranked = async (by?: 'rate' | 'count') =>
      (await reader.call(rankFailures, { query: { ...lastDays(2), filter: { companyIds: company }, by } })).data.map(
        ({ jobName, value, runs }) => `${jobName} ${value} of ${runs}`,
      );
    // One failure of one run says little, so it ranks between them.
    expect(await ranked()).toEqual(['Daily 7 of 7', 'Once 1 of 1', 'Hourly 20 of 161']);
    expect(await ranked('rate')).toEqual(await ranked());
    expect(await ranked('count')).toEqual(['Hourly 20 of 161', 'Daily 7 of 7', 'Once 1 of 1']);
  });

  it('200: ranks by the longest single run, not by the sum', async () => {
    const { data } = await reader.call(rankDuration, { query: within() });
    expect(data.map((job) => [job.jobName, job.value])).toEqual([
      ['Mail', 9_000],
      ['Files', 8_000],
    ]);
  });

  it('200: ranks by the sum of transferred bytes', async () => {
    const { data } = await reader.call(rankTransferred, { query: within() });
    expect(data.map((job) => [job.jobName, job.value])).toEqual([
      ['Files', 5_000],
      ['Mail', 200],
    ]);
  });

  it('200: counts only the runs that report bytes, and does not rank a job without any', async () => {
    const partly = await buildJob(portal.database, { name: 'Partly' });
    const never = await buildJob(portal.database, { name: 'Never', companyId: partly.companyId });
    await buildDay(portal.database, partly, dayAgo(1), { success: 4, unmeasured: 4 });
    await buildDay(portal.database, partly, dayAgo(0), { success: 3, failed: 1, unmeasured: 2, transferredBytes: 50 });
    await buildDay(portal.database, never, dayAgo(0), { success: 4, unmeasured: 4 });
    const { data } = await reader.call(rankTransferred, {
      query: { ...lastDays(2), filter: { companyIds: partly.companyId ?? '' } },
    });
    expect(data).toMatchObject([{ jobName: 'Partly', value: 50, runs: 2 }]);
  });

  it('200: returns as many jobs as requested, from the top', async () => {
    const { data } = await reader.call(rankTransferred, { query: { ...within(), limit: 1 } });
    expect(data.map((job) => job.jobName)).toEqual(['Files']);
  });

  it('200: finds jobs by a text in the name of job or company, and treats wildcards literally', async () => {
    const ranked = async (search: string) =>
      (await reader.call(rankFailures, { query: { ...lastDays(2), filter: { search } } })).data.map(
        (job) => job.jobName,
      );
    expect(await ranked('MAIL')).toEqual(['Mail']);
    expect(await ranked('northwind')).toEqual(['Mail', 'Files']);
    expect(await ranked("%' or 1=1 --")).toEqual([]);
  });

  it('200: does not rank a job that has moved to a company outside the scope', async () => {
    const [before, after] = [
      await buildCompany(portal.database),
      await buildCompany(portal.database, { name: 'Elsewhere' }),
    ];
    const job = await buildJob(portal.database, { companyId: before });
    await buildDay(portal.database, job, dayAgo(0), { failed: 1 });
    await execute(
      portal.database,
      sql`update jobs set company_id = ${after} where job_instance_uid = ${job.jobInstanceUid}`,
    );
    const limited = await portal.as('read-only', { companyIds: [before] });
    expect((await limited.call(rankFailures, { query: lastDays(2) })).data).toEqual([]);
  });

  it('422: refuses a limit beyond 1,000 and one below 1', async () => {
    for (const limit of [0, -1, 1_001])
      expect((await reader.send(rankFailures, { query: { ...lastDays(1), limit } })).status).toBe(422);
  });
});

function named(job: BuiltJob, jobName: string) {
  const { jobInstanceUid, sourceGroup } = job;
  return { jobInstanceUid, jobName, companyId, companyName: 'Northwind', sourceGroup };
}
