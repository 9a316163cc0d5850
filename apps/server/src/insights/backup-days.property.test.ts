import { editBackupClock } from '@keepwatch/contract/backup-days/backup-clock';
import { dayNumber, dayNumberOf, dayOf, dayText, rangeOfDays } from '@keepwatch/contract/backup-days/backup-day';
import { exportJobExecutions, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { getSpreadsheetReport, getSpreadsheetStats } from '@keepwatch/contract/insights/calendar';
import { getHistoryChart, getOverviewStats, rankFailures } from '@keepwatch/contract/insights/insights';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import { forgetEverythingIngested, rollupsAndRecount } from '../ingest/recount.fixture.ts';
import { recountEarlierDays } from '../ingest/recount-days.ts';
import type { NewRun } from '../runs/new-run.ts';
import { type BuiltJob, buildCompany, buildJob } from '../testing/builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

const MINUTE_MS = 60_000;
/** In between the clocks of all these zones change that change at all. */
const BEGIN_MS = Date.UTC(2026, 1, 10);
const NOW = new Date('2026-04-12T12:00:00.000Z');
const MINUTES = (NOW.getTime() - BEGIN_MS) / MINUTE_MS;
const ZONES = [
  'Europe/Berlin',
  'America/Los_Angeles',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/St_Johns',
];

let portal: TestPortal;
let administrator: Caller;
let operator: Caller;
let companyId: string;
let jobs: BuiltJob[];

beforeAll(async () => {
  portal = await startTestPortal();
  portal.clock.now = NOW;
  administrator = await portal.as('super-admin');
  operator = await portal.as('operator');
  companyId = await buildCompany(portal.database);
  jobs = [await buildJob(portal.database, { companyId }), await buildJob(portal.database, { companyId })];
});
afterAll(() => portal.stop());

const clock = fc.record({ timeZone: fc.constantFrom(...ZONES), beginHour: fc.integer({ min: 0, max: 23 }) });
const run = fc.record({
  job: fc.nat({ max: 1 }),
  minute: fc.nat({ max: MINUTES - 1 }),
  result: fc.constantFrom('Success', 'Warning', 'Failed'),
});
const runs = fc.array(run, { maxLength: 25 });

it('dashboard, daily checks, calendar, companies and CSV count the same runs on each day, in every zone', async () => {
  await fc.assert(
    fc.asyncProperty(clock, runs, clock, runs, fc.nat({ max: 2 }), async (before, early, after, late, pieces) => {
      await forgetEverythingIngested(portal.database);
      await ingest(early);
      await administrator.call(editBackupClock, { body: before });
      for (let piece = 0; piece < pieces; piece += 1) await recountEarlierDays(portal.database, 1);
      await ingest(late);
      await administrator.call(editBackupClock, { body: after });
      while (await recountEarlierDays(portal.database, 1));
      const { stored, counted } = await rollupsAndRecount(portal.database, (ms) => dayOf(after, ms));
      expect(stored).toEqual(counted);
      const last = dayNumberOf(after, NOW.getTime());
      const { from, to } = rangeOfDays(after, dayText(last - 61), dayText(last));
      await expectAgreement(after, { from, to });
    }),
    { numRuns: tries(8, 150), endOnFailure: true },
  );
}, 300_000);

function ingest(given: readonly { job: number; minute: number; result: 'Success' | 'Warning' | 'Failed' }[]) {
  const reported = given.map(({ job, minute, result }): NewRun => {
    const startedAt = new Date(BEGIN_MS + minute * MINUTE_MS);
    return { jobInstanceUid: jobs[job]?.jobInstanceUid ?? '', startedAt, endedAt: startedAt, result };
  });
  return ingestRuns(portal.database, 1, reported, NOW);
}

async function expectAgreement(
  after: { timeZone: string; beginHour: number },
  range: { from: string; to: string },
): Promise<void> {
  const all = { state: 'all', ignored: true } as const;
  const history = await operator.call(getHistoryChart, { query: range });
  expect(history.recountedFrom).toBeNull();
  const ofCompany = await operator.call(getHistoryChart, { query: { ...range, filter: { companyIds: companyId } } });
  expect(ofCompany.data).toEqual(history.data);
  const stats = await operator.call(getSpreadsheetStats, { query: range });
  expect(stats.data.days).toEqual(history.data);
  const report = await operator.call(getSpreadsheetReport, { query: range });
  const csv = await operator.call(exportJobExecutions, {
    body: { source: 'JOBS', format: 'csv', ...range, filter: all },
  });
  const exported = csv
    .trimEnd()
    .split('\r\n')
    .slice(1)
    // Before the last column, which is the tool.
    .map((line) => line.split(',').at(-2));
  for (const [place, { day, ...counts }] of history.data.entries()) {
    const total = counts.success + counts.warning + counts.failed + counts.running + counts.didntRun;
    expect([day, exported.filter((text) => text === day).length]).toEqual([day, total]);
    const hasCells = report.data.some(({ cells }) => cells[place] !== '-');
    expect([day, hasCells]).toEqual([day, total > 0]);
    if (total === 0) continue;
    const ofDay = rangeOfDays(after, day);
    const listed = await operator.call(listJobExecutions, { query: { ...ofDay, filter: all } });
    expect([day, listed.count]).toEqual([day, total]);
    const [alone] = (await operator.call(getHistoryChart, { query: ofDay })).data;
    expect(alone).toEqual({ day, ...counts });
  }
  expect(report.firstDay).toBe(history.data[0]?.day);
  expect(dayNumber(history.data.at(-1)?.day ?? '')).toBe(dayNumberOf(after, NOW.getTime()));
  const failed = history.data.reduce((sum, day) => sum + day.failed, 0);
  const ranked = await operator.call(rankFailures, { query: { ...range, by: 'count' } });
  expect(ranked.data.reduce((sum, job) => sum + job.value, 0)).toBe(failed);
  const ended = history.data.reduce((sum, day) => sum + day.success + day.warning + day.failed, 0);
  const success = history.data.reduce((sum, day) => sum + day.success, 0);
  const overview = await operator.call(getOverviewStats, { query: range });
  expect(overview.data.successRate).toBe(ended === 0 ? null : success / ended);
}
