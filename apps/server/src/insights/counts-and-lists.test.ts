import { editJobExecutions, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { getSpreadsheetReport, getSpreadsheetStats } from '@keepwatch/contract/insights/calendar';
import { getHistoryChart, getOverviewStats } from '@keepwatch/contract/insights/insights';
import { RESULTS, type Result } from '@keepwatch/contract/runs/values';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import type { NewRun } from '../runs/new-run.ts';
import { storeMissedRuns } from '../schedules/missed-runs.ts';
import { type BuiltJob, buildCompany, buildJob } from '../testing/builders.ts';
import { dayAgo, daysAgo } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

const COUNTS = {
  Failed: 'failed',
  DidntRun: 'didntRun',
  Warning: 'warning',
  Running: 'running',
  Success: 'success',
} as const;
const PROBLEMS: Result[] = ['Failed', 'DidntRun'];
const DAYS = [dayAgo(2), dayAgo(1), dayAgo(0)];

let portal: TestPortal;
let operator: Caller;
let companyId: string;
let jobs: BuiltJob[];

beforeAll(async () => {
  portal = await startTestPortal();
  operator = await portal.as('operator');
  companyId = await buildCompany(portal.database, { name: 'Counted' });
  jobs = await Promise.all([1, 2, 3].map((name) => buildJob(portal.database, { companyId, name: `Job ${name}` })));
  await reportRuns();
  await workOnSome();
});
afterAll(() => portal.stop());

/** Stores runs of every result over three days, some at the edges of their day, with a different count for each result. */
async function reportRuns(): Promise<void> {
  const runs: NewRun[] = [];
  const reported = ['Failed', 'Warning', 'Success'] as const;
  jobs.forEach(({ jobInstanceUid }, place) => {
    for (const day of DAYS.slice(0, 2)) {
      reported.forEach((result, kind) => {
        for (let at = 0; at <= kind + place; at += 1) {
          const startedAt = new Date(Date.parse(`${day}T00:00:00.000Z`) + (kind * 8 + at) * 3_600_000);
          runs.push({ jobInstanceUid, startedAt, endedAt: new Date(startedAt.getTime() + 60_000), result });
        }
      });
      const endOfDay = new Date(`${day}T23:59:59.999Z`);
      runs.push({
        jobInstanceUid,
        startedAt: endOfDay,
        endedAt: new Date(endOfDay.getTime() + 1_000),
        result: 'Failed',
      });
    }
    const doubtful = new Date(`${DAYS[place]}T23:00:00.000Z`);
    const contradicting = { message: 'The disk was not found.', endedAt: new Date(doubtful.getTime() + 60_000) };
    if (place < 2) runs.push({ jobInstanceUid, startedAt: doubtful, result: 'Success', ...contradicting });
    runs.push({ jobInstanceUid, startedAt: new Date(TEST_NOW.getTime() - 60_000), endedAt: null, result: 'Running' });
  });
  await ingestRuns(portal.database, 1, runs, TEST_NOW);
  const inactive = await Promise.all(
    [4, 5, 6].map((name) => buildJob(portal.database, { companyId, name: `Job ${name}` })),
  );
  const expectedAtMs = daysAgo(0.5).getTime();
  const missed = inactive.map(({ jobInstanceUid }) => ({ jobInstanceUid, expectedAtMs, cadence: null }));
  expect(await storeMissedRuns(portal.database, 1, missed)).toBe(3);
}

/** Ignores, resolves and begins one run of each result. Users' changes must not affect any count. */
async function workOnSome(): Promise<void> {
  for (const result of RESULTS) {
    const [first, second, third] = await runsOf({ type: [result] }, dayAgo(1), dayAgo(0));
    const changes = [
      [first, { state: 'ignored' }],
      [second, { state: 'resolved' }],
      [third, { state: 'in-progress' }],
    ] as const;
    for (const [id, change] of changes)
      if (id !== undefined) await operator.call(editJobExecutions, { body: { ids: [id], change } });
  }
}

interface Narrowing {
  type?: Result[];
  doubtful?: boolean;
  jobInstanceUids?: string[];
}

/** Returns the ids of the runs to which a figure of these days leads. */
async function runsOf(narrowing: Narrowing, first: string, last = first): Promise<string[]> {
  const range = { from: `${first}T00:00:00.000Z`, to: `${last}T23:59:59.999Z` };
  const filter = { companyIds: companyId, state: 'all', ignored: true, ...narrowing } as const;
  const { count, data } = await operator.call(listJobExecutions, { query: { ...range, limit: 1_000, filter } });
  expect(data).toHaveLength(count);
  return data.map(({ _id }) => _id);
}

const range = { from: `${DAYS[0]}T00:00:00.000Z`, to: `${DAYS[2]}T23:59:59.999Z` };
const query = {
  ...range,
  filter: {
    get companyIds() {
      return companyId;
    },
  },
};

describe('a figure of the history', () => {
  it.each(RESULTS)(
    '%s counts as many runs as its list has, on every day and in all, ignored ones included',
    async (result) => {
      const { data: days } = await operator.call(getHistoryChart, { query });
      expect(days.map(({ day }) => day)).toEqual(DAYS);
      let all = 0;
      for (const day of days) {
        all += day[COUNTS[result]];
        expect(await runsOf({ type: [result] }, day.day), day.day).toHaveLength(day[COUNTS[result]]);
      }
      expect(all).toBeGreaterThan(0);
      expect(await runsOf({ type: [result] }, DAYS[0] ?? '', DAYS[2])).toHaveLength(all);
    },
  );

  it('of problems counts exactly the runs that its list shows', async () => {
    const { data: days } = await operator.call(getHistoryChart, { query });
    for (const { day, failed, didntRun, anomalies } of days)
      expect(await runsOf({ type: PROBLEMS, doubtful: true }, day), day).toHaveLength(failed + didntRun + anomalies);
  });

  it('of doubtful runs counts exactly the runs that its list shows', async () => {
    const { data: days } = await operator.call(getHistoryChart, { query });
    expect(days.map(({ anomalies }) => anomalies)).toEqual([1, 1, 0]);
    for (const { day, anomalies } of days) expect(await runsOf({ doubtful: true }, day), day).toHaveLength(anomalies);
  });
});

describe('a share of the overview', () => {
  it('is of the runs that the lists of its results show', async () => {
    const { data } = await operator.call(getOverviewStats, { query });
    const count = async (type: Result[]) => (await runsOf({ type }, DAYS[0] ?? '', DAYS[2])).length;
    expect(data).toMatchObject({
      successRuns: await count(['Success']),
      warningRuns: await count(['Warning']),
      countedRuns: await count(['Success', 'Warning', 'Failed', 'DidntRun']),
    });
    expect(data.successRate).toBeCloseTo(data.successRuns / data.countedRuns);
    expect(data.warningRate).toBeCloseTo(data.warningRuns / data.countedRuns);
  });
});

describe('a cell of the calendar', () => {
  it('leads to runs of its result, also when all of them are ignored', async () => {
    const [job] = jobs;
    const jobInstanceUids = [job?.jobInstanceUid ?? ''];
    for (const id of await runsOf({ jobInstanceUids }, dayAgo(1)))
      await operator.call(editJobExecutions, { body: { ids: [id], change: { state: 'ignored' } } });
    const { data } = await operator.call(getSpreadsheetReport, {
      query: { ...range, filter: { companyIds: companyId, jobInstanceUids } },
    });
    expect(data[0]?.cells).toBe('FFR');
    for (const [place, type] of (['Failed', 'Failed', 'Running'] as const).entries())
      expect((await runsOf({ jobInstanceUids, type: [type] }, DAYS[place] ?? '')).length).toBeGreaterThan(0);
  });

  it('of a day counts exactly the runs that the list of that day shows', async () => {
    const { data } = await operator.call(getSpreadsheetStats, { query });
    for (const { day, success, warning, failed, running, didntRun } of data.days)
      expect(await runsOf({}, day)).toHaveLength(success + warning + failed + running + didntRun);
  });
});
