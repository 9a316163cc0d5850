import { getSpreadsheetReport, getSpreadsheetStats, listJobNames } from '@keepwatch/contract/insights/calendar';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { buildCompany, buildJob } from '../testing/builders.ts';
import { buildDay, type DayFigures, dayAgo, daysAgo, lastDays } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
let reader: Caller;
let companyId: string;

beforeAll(async () => {
  portal = await startTestPortal();
  reader = await portal.as('read-only');
});
beforeEach(async () => {
  companyId = await buildCompany(portal.database, { name: 'Calendar' });
});
afterAll(() => portal.stop());

/** Moves a job that had such a day before to another company, and returns a user of that one. */
async function movedJob(day: DayFigures): Promise<Caller> {
  const job = await buildJob(portal.database, { companyId, name: 'Moved' });
  await buildDay(portal.database, job, dayAgo(2), day);
  const next = await buildCompany(portal.database, { name: 'Next' });
  await execute(
    portal.database,
    sql`update jobs set company_id = ${next} where job_instance_uid = ${job.jobInstanceUid}`,
  );
  return portal.as('read-only', { companyIds: [next] });
}

describe('GET monitoring/reporting/jobs/spreadsheet-report', () => {
  it("200: hides a job's days of a time when it belonged to another company", async () => {
    const theirs = await movedJob({ failed: 1 });
    const report = await theirs.call(getSpreadsheetReport, { query: lastDays(3) });
    expect(report.data.map(({ jobName, cells }) => [jobName, cells])).toEqual([['Moved', '----']]);
  });

  it('200: returns the letter of the worst result for each day of the range', async () => {
    const job = await buildJob(portal.database, { companyId, name: 'Mail' });
    const days = [
      { failed: 1, didntRun: 1, warning: 1, success: 1 },
      { didntRun: 1, warning: 1 },
      { warning: 1, running: 1, success: 5 },
      { running: 1, success: 1, anomalies: 1 },
      { success: 2, anomalies: 1 },
      { success: 1 },
    ];
    for (const [index, day] of days.entries()) await buildDay(portal.database, job, dayAgo(6 - index), day);
    await buildDay(portal.database, job, dayAgo(8), { failed: 1 });

    const report = await reader.call(getSpreadsheetReport, {
      query: { ...lastDays(7), filter: { companyIds: companyId } },
    });
    expect(report).toMatchObject({ count: 1, firstDay: dayAgo(7) });
    expect(report.data).toEqual([
      {
        jobInstanceUid: job.jobInstanceUid,
        jobName: 'Mail',
        companyId,
        companyName: 'Calendar',
        sourceGroup: 'managed-servers',
        isEnabled: true,
        sharedBy: null,
        sharedJob: null,
        cells: '-FDWRsS-',
      },
    ]);
  });

  it('200: returns up to 62 days and refuses 63', async () => {
    const job = await buildJob(portal.database, { companyId });
    await buildDay(portal.database, job, dayAgo(61), { success: 1 });
    await buildDay(portal.database, job, dayAgo(0), { failed: 1 });
    const filter = { companyIds: companyId };
    const { data } = await reader.call(getSpreadsheetReport, { query: { ...lastDays(61), filter } });
    expect(data[0]?.cells).toBe(`S${'-'.repeat(60)}F`);
    expect((await reader.send(getSpreadsheetReport, { query: { ...lastDays(62), filter } })).status).toBe(422);
    expect((await reader.send(getSpreadsheetStats, { query: { ...lastDays(62), filter } })).status).toBe(422);
  });

  it('200: sorts by company, then by job, across pages', async () => {
    const tag = companyId.slice(0, 8);
    const [late, early] = [
      await buildCompany(portal.database, { name: `${tag} zeta` }),
      await buildCompany(portal.database, { name: `${tag} Alpha` }),
    ];
    for (const [company, name] of [
      [late, 'a'],
      [early, 'c'],
      [early, 'B'],
    ] as const)
      await buildJob(portal.database, { companyId: company, name });
    const page = async (offset: number, sort?: '-jobName') => {
      const query = { ...lastDays(1), filter: { search: tag }, limit: 2, offset, sort };
      const { data, count } = await reader.call(getSpreadsheetReport, { query });
      expect(count).toBe(3);
      return data.map((job) => job.jobName);
    };
    expect([...(await page(0)), ...(await page(2))]).toEqual(['B', 'c', 'a']);
    expect([...(await page(0, '-jobName')), ...(await page(2, '-jobName'))]).toEqual(['c', 'B', 'a']);
  });

  it('200: omits jobs without a problem on request', async () => {
    const build = async (name: string, day: Parameters<typeof buildDay>[3]) =>
      buildDay(portal.database, await buildJob(portal.database, { companyId, name }), dayAgo(1), day);
    await build('fine', { success: 3 });
    await build('failed', { failed: 1 });
    await build('warned', { warning: 1 });
    await build('missed', { didntRun: 1 });
    await build('odd', { success: 1, anomalies: 1 });
    await buildJob(portal.database, { companyId, name: 'never ran' });
    const query = { ...lastDays(3), filter: { companyIds: companyId, withTrouble: true }, sort: 'jobName' as const };
    const report = await reader.call(getSpreadsheetReport, { query });
    expect(report.count).toBe(4);
    expect(report.data.map((job) => job.jobName)).toEqual(['failed', 'missed', 'odd', 'warned']);
  });

  it('200: lists a removed job in ranges before its removal, not after', async () => {
    const job = await buildJob(portal.database, { companyId });
    await execute(
      portal.database,
      sql`update jobs set removed_at = ${daysAgo(3)} where job_instance_uid = ${job.jobInstanceUid}`,
    );
    const count = async (days: number) =>
      (await reader.call(getSpreadsheetReport, { query: { ...lastDays(days), filter: { companyIds: companyId } } }))
        .count;
    expect(await count(5)).toBe(1);
    expect(await count(1)).toBe(0);
  });
});

describe('GET monitoring/reporting/jobs/spreadsheet-report/stats', () => {
  it('200: returns the totals of the same jobs and days', async () => {
    const job = await buildJob(portal.database, { companyId });
    await buildJob(portal.database, { companyId });
    await buildDay(portal.database, job, dayAgo(1), { failed: 2 });
    const { data } = await reader.call(getSpreadsheetStats, {
      query: { ...lastDays(1), filter: { companyIds: companyId } },
    });
    expect(data).toMatchObject({ jobs: 2, succeeded: 0 });
    expect(data.days.map((day) => day.failed)).toEqual([2, 0]);
  });
});

describe('an empty calendar of jobs with problems', () => {
  const read = async (search: string) => {
    const query = { ...lastDays(3), filter: { companyIds: companyId, search } };
    const [report, stats] = await Promise.all([
      reader.call(getSpreadsheetReport, { query: { ...query, filter: { ...query.filter, withTrouble: true } } }),
      reader.call(getSpreadsheetStats, { query }),
    ]);
    return { shown: report.count, matching: stats.data.jobs, succeeded: stats.data.succeeded };
  };

  it('200: returns the number of jobs that match without a problem', async () => {
    for (const name of ['Mail 1', 'Mail 2'])
      await buildDay(portal.database, await buildJob(portal.database, { companyId, name }), dayAgo(1), { success: 1 });
    expect(await read('mail')).toEqual({ shown: 0, matching: 2, succeeded: 2 });
    expect(await read('zzzzz')).toEqual({ shown: 0, matching: 0, succeeded: 0 });
  });

  it('200: counts no job as successful that only ran before the range, still runs or never ran', async () => {
    const buildNamed = (name: string) => buildJob(portal.database, { companyId, name });
    const [fine, before, running, after] = [
      await buildNamed('A'),
      await buildNamed('B'),
      await buildNamed('C'),
      await buildNamed('D'),
    ];
    await buildNamed('E');
    await buildDay(portal.database, fine, dayAgo(2), { success: 1 });
    await buildDay(portal.database, fine, dayAgo(1), { success: 3 });
    await buildDay(portal.database, before, dayAgo(4), { success: 1 });
    await buildDay(portal.database, running, dayAgo(0), { running: 1 });
    await buildDay(portal.database, after, dayAgo(-1), { success: 1 });
    expect(await read('')).toEqual({ shown: 0, matching: 5, succeeded: 1 });
  });

  it('200: counts no success of a time when the job belonged to another company', async () => {
    const theirs = await movedJob({ success: 1 });
    const { data } = await theirs.call(getSpreadsheetStats, { query: lastDays(3) });
    expect(data).toMatchObject({ jobs: 1, succeeded: 0 });
  });
});

describe('GET monitoring/reporting/jobs-name', () => {
  it('200: returns exactly the jobs of the given ids, also one removed from its source', async () => {
    const [mail, files] = [
      await buildJob(portal.database, { companyId, name: 'Mail' }),
      await buildJob(portal.database, { companyId, name: 'Files' }),
    ];
    await execute(
      portal.database,
      sql`update jobs set removed_at = ${daysAgo(3)} where job_instance_uid = ${files.jobInstanceUid}`,
    );
    const foreign = await buildJob(portal.database, { providerId: 2, name: 'Foreign' });
    const ids = [mail, files, foreign].map(({ jobInstanceUid }) => jobInstanceUid);
    const { count, data } = await reader.call(listJobNames, { query: { ids } });
    expect(count).toBe(2);
    expect(data.map((job) => job.jobName)).toEqual(['Files', 'Mail']);
  });

  it('200: finds names by a part of them, and sorts them', async () => {
    for (const name of ['Zulu <b>', 'alpha <b>', 'Beta']) await buildJob(portal.database, { companyId, name });
    const query = { companyIds: companyId };
    const all = await reader.call(listJobNames, { query });
    expect(all.data.map((job) => job.jobName)).toEqual(['alpha <b>', 'Beta', 'Zulu <b>']);
    const found = await reader.call(listJobNames, { query: { ...query, search: '<B>', limit: 1, offset: 1 } });
    expect(found).toMatchObject({ count: 2, data: [{ jobName: 'Zulu <b>', companyName: 'Calendar' }] });
  });

  it('200: returns the names of the jobs of the given ids, also of one that is no longer in its source', async () => {
    const [one, gone] = [
      await buildJob(portal.database, { name: 'One' }),
      await buildJob(portal.database, { name: 'Gone' }),
    ];
    await execute(
      portal.database,
      sql`update jobs set removed_at = now() where job_instance_uid = ${gone.jobInstanceUid}`,
    );
    const query = { ids: [one.jobInstanceUid, gone.jobInstanceUid] };
    const { count, data } = await reader.call(listJobNames, { query });
    expect(count).toBe(2);
    expect(data.map((job) => job.jobName)).toEqual(['Gone', 'One']);
  });

  it('200: returns the jobs that are known since a time, without those that no figure counts', async () => {
    const build = (name: string) => buildJob(portal.database, { companyId, name: `${name} known` });
    const [old, gone] = [await build('Old'), await build('Gone')];
    await build('New');
    await execute(
      portal.database,
      sql`update jobs set first_seen_at = case when job_instance_uid = ${old.jobInstanceUid} then ${daysAgo(2)}::timestamptz else ${daysAgo(0.5)} end,
            removed_at = case when job_instance_uid = ${gone.jobInstanceUid} then ${daysAgo(0)}::timestamptz end where name like '% known'`,
    );
    const query = { companyIds: companyId, search: ' known', knownFrom: daysAgo(1).toISOString() };
    expect(await reader.call(listJobNames, { query })).toMatchObject({ count: 1, data: [{ jobName: 'New known' }] });
  });

  it('200: returns the jobs that belong to no company', async () => {
    await buildJob(portal.database, { companyId: null, name: 'Unassigned' });
    await buildJob(portal.database, { companyId, name: 'Unassigned, but of a company' });
    const query = { search: 'Unassigned', withoutCompany: true };
    const { count, data } = await reader.call(listJobNames, { query });
    expect([count, data.map(({ jobName, companyName }) => [jobName, companyName])]).toEqual([
      1,
      [['Unassigned', null]],
    ]);
  });

  it('422: refuses a search that is longer than any name', async () => {
    expect((await reader.send(listJobNames, { query: { search: 'x'.repeat(201) } })).status).toBe(422);
  });
});
