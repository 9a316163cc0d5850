import { getHistoryChart } from '@keepwatch/contract/insights/insights';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildJob } from '../testing/builders.ts';
import { buildDay, dayAgo, lastDays } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

const NOTHING = {
  success: 0,
  warning: 0,
  failed: 0,
  running: 0,
  didntRun: 0,
  anomalies: 0,
  transferredBytes: 0,
  isTransferredPartial: false,
};
let portal: TestPortal;
let reader: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  reader = await portal.as('read-only');
});
afterAll(() => portal.stop());

describe('GET monitoring/reporting/jobs/history-chart', () => {
  it('200: returns every day of the range, oldest first, with zeros for days without runs', async () => {
    const companyId = await buildCompany(portal.database);
    const [one, other] = [
      await buildJob(portal.database, { companyId }),
      await buildJob(portal.database, { companyId }),
    ];
    await buildDay(portal.database, one, dayAgo(2), { success: 1, transferredBytes: 10 });
    await buildDay(portal.database, other, dayAgo(2), { failed: 2, anomalies: 1, transferredBytes: 5 });
    await buildDay(portal.database, one, dayAgo(0), { warning: 1, didntRun: 1, running: 1 });
    await buildDay(portal.database, one, dayAgo(9), { failed: 99 });

    const { data } = await reader.call(getHistoryChart, {
      query: { ...lastDays(3), filter: { companyIds: companyId } },
    });
    expect(data).toEqual([
      { ...NOTHING, day: dayAgo(3) },
      { ...NOTHING, day: dayAgo(2), success: 1, failed: 2, anomalies: 1, transferredBytes: 15 },
      { ...NOTHING, day: dayAgo(1) },
      { ...NOTHING, day: dayAgo(0), warning: 1, didntRun: 1, running: 1 },
    ]);
  });

  it('200: marks sums of bytes as complete, as a minimum, or as unknown', async () => {
    const job = await buildJob(portal.database);
    await buildDay(portal.database, job, dayAgo(2), { success: 2, transferredBytes: 10 });
    await buildDay(portal.database, job, dayAgo(1), { success: 3, warning: 1, unmeasured: 3, transferredBytes: 10 });
    await buildDay(portal.database, job, dayAgo(0), { success: 2, unmeasured: 2 });
    const { data } = await reader.call(getHistoryChart, {
      query: { ...lastDays(2), filter: { companyIds: job.companyId ?? '' } },
    });
    expect(data.map((day) => [day.transferredBytes, day.isTransferredPartial])).toEqual([
      [10, false],
      [10, true],
      [null, true],
    ]);
  });

  it('200: counts single jobs when the filter names them or searches for them', async () => {
    const companyId = await buildCompany(portal.database, { name: 'Chart Works' });
    const one = await buildJob(portal.database, { companyId, name: 'Mail 100%' });
    const other = await buildJob(portal.database, { companyId, name: 'Files', sourceGroup: 'office365' });
    await buildDay(portal.database, one, dayAgo(0), { success: 3 });
    await buildDay(portal.database, other, dayAgo(0), { success: 4 });
    const successes = async (filter: object) => {
      const { data } = await reader.call(getHistoryChart, { query: { ...lastDays(0), filter } });
      return data.map((day) => day.success);
    };
    expect(await successes({ jobInstanceUids: one.jobInstanceUid })).toEqual([3]);
    expect(await successes({ search: 'mail 100%' })).toEqual([3]);
    expect(await successes({ search: 'chart works' })).toEqual([7]);
    expect(await successes({ companyIds: companyId, source: 'office365' })).toEqual([4]);
    expect(await successes({ search: '%_%' })).toEqual([0]);
  });

  it("200: returns zeros for a filter that names another provider's company or job", async () => {
    const foreign = await buildJob(portal.database, { providerId: 2 });
    await buildDay(portal.database, foreign, dayAgo(0), { failed: 7 });
    for (const filter of [{ companyIds: foreign.companyId ?? '' }, { jobInstanceUids: foreign.jobInstanceUid }]) {
      const { data } = await reader.call(getHistoryChart, { query: { ...lastDays(0), filter } });
      expect(data).toEqual([{ ...NOTHING, day: dayAgo(0) }]);
    }
  });

  it('200: counts only the companies that a user is limited to', async () => {
    const [own, other] = [await buildJob(portal.database), await buildJob(portal.database)];
    await buildDay(portal.database, own, dayAgo(0), { failed: 1 });
    await buildDay(portal.database, other, dayAgo(0), { failed: 10 });
    const limited = await portal.as('read-only', { companyIds: [own.companyId ?? ''] });
    const { data } = await limited.call(getHistoryChart, { query: lastDays(0) });
    expect(data[0]?.failed).toBe(1);
  });

  it('422: refuses a range of more than 400 days', async () => {
    const response = await reader.send(getHistoryChart, { query: lastDays(401) });
    expect(response.status).toBe(422);
    expect((await response.json()).errors).toMatchObject([{ path: 'query.from' }]);
  });
});
