import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import {
  getHistoryChart,
  getOverviewStats,
  listDidntRun,
  rankDuration,
  rankTransferred,
} from '@keepwatch/contract/monitoring/insight';
import { listJobExecutions } from '@keepwatch/contract/monitoring/job-executions';
import { listRepositories } from '@keepwatch/contract/monitoring/repositories';
import { getLastSync } from '@keepwatch/contract/monitoring/sources';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildBranding, buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { buildStats, quietDashboard } from './testing/quiet-dashboard.ts';

const path = '/monitoring/dashboard';
const week = { from: '2026-03-09T00:00:00.000Z', to: '2026-03-15T23:59:59.999Z' };
const broken = { code: 'BROKEN', message: 'Error while trying to get the ranking, try again later.' };

test('shows the last 7 days of all companies at first', async () => {
  const { page, answers } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  await page.findByRole('button', { name: 'Last 7 Days' });
  await page.findByText('97.3 %');
  expect(answers.asked(getOverviewStats)[0]?.query).toEqual({ ...week, filter: {} });
  expect(answers.asked(getHistoryChart)[0]?.query).toEqual({ ...week, filter: {} });
});

test('asks every panel for the company and the source of the address', async () => {
  const answers = quietDashboard().on(listReportingCompanies, {
    success: true,
    count: 1,
    data: [{ _id: buildId(7), name: 'Adler Logistics', vacId: null, vcdId: null, zertoId: null }],
    query: { limit: 1, offset: 0 },
  });
  const address = `${path}?company=${buildId(7)}&source=office365&date=Yesterday`;
  const { page } = openPortal({ path: address, user: buildUser(), answers });
  await page.findByRole('button', { name: 'Company: Adler Logistics' });
  await waitFor(() => expect(answers.asked(listRepositories)).toHaveLength(1));
  const filter = { companyIds: [buildId(7)], source: ['office365'] };
  const yesterday = { from: '2026-03-14T00:00:00.000Z', to: '2026-03-14T23:59:59.999Z' };
  expect(answers.asked(getOverviewStats)[0]?.query).toEqual({ ...yesterday, filter });
  expect(answers.asked(rankDuration)[0]?.query).toEqual({ ...yesterday, filter, limit: 8 });
  expect(answers.asked(listDidntRun)[0]?.query.filter).toMatchObject(filter);
  expect(answers.asked(listRepositories)[0]?.query.companyIds).toEqual([buildId(7)]);
});

test('keeps the chosen range in the address', async () => {
  const { page, person, address, answers } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  await person.click(await page.findByRole('button', { name: 'Last 7 Days' }));
  await person.click(page.getByRole('button', { name: 'Yesterday' }));
  await waitFor(() => expect(address()).toBe(`${path}?date=Yesterday`));
  await waitFor(() => expect(answers.asked(getOverviewStats).at(-1)?.query.from).toBe('2026-03-14T00:00:00.000Z'));
});

test('shows the change of the success rate against the range before', async () => {
  const { page } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  await page.findByText('▲ 0.4 points up');
});

test.each([
  [0.97, 0.98, '▼ 1 point down'],
  [0.97, 0.97, 'as in the range before'],
  [0.97, null, 'no runs in the range before'],
  [null, 0.97, 'no runs in this range'],
])('says in words how a rate of %s compares with %s', async (successRate, successRateBefore, text) => {
  const stats = buildStats({ successRate, successRateBefore });
  const answers = quietDashboard().on(getOverviewStats, { success: true, data: stats });
  const { page } = openPortal({ path, user: buildUser(), answers });
  await page.findByText(text);
});

test('leads from a figure to the daily checks behind it', async () => {
  const { page } = openPortal({ path: `${path}?source=office365`, user: buildUser(), answers: quietDashboard() });
  const overview = within(await page.findByRole('region', { name: 'Overview' }));
  const failed = await overview.findByRole('link', { name: '12 Failed' });
  const query = 'source=office365&result=Failed&state=all&ignored=true&latest=true&date=Any+Time';
  expect(failed.getAttribute('href')).toBe(`/monitoring/daily-checks?${query}`);
  const pending = overview.getByRole('link', { name: '31 pending' });
  const search = new URL(pending.getAttribute('href') ?? '', 'http://portal.test').searchParams;
  expect(search.get('state')).toBe('pending');
  expect(search.get('source')).toBe('office365');
});

// The server counts days of UTC: those of Los Angeles would leave out the first hours and add some of tomorrow.
test('leads from a count of days to the same days, whatever the zone of the browser', async () => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(new Date(2026, 2, 1).toISOString()).toBe('2026-03-01T08:00:00.000Z');
  const none = { success: true as const, count: 0, data: [], query: { limit: 50, offset: 0, ...week } };
  const answers = quietDashboard()
    .on(listJobExecutions, none)
    .on(getLastSync, { ...never, status: 'SUCCEEDED' });
  const { page, person, router } = openPortal({ path, user: buildUser(), answers });
  await person.click(await page.findByRole('link', { name: '31 pending' }));
  await page.findByText('03/09/26 – 03/15/26 UTC');
  expect(router.state.location.search).toMatchObject({ day: '2026-03-09..2026-03-15' });
  expect(answers.asked(getOverviewStats)[0]?.query).toMatchObject(week);
  expect(answers.asked(listJobExecutions)[0]?.query).toMatchObject(week);
});

test('does not pretend to have counted more than it did', async () => {
  const stats = buildStats({ pending: 100_000 });
  const answers = quietDashboard().on(getOverviewStats, { success: true, data: stats });
  const { page } = openPortal({ path, user: buildUser(), answers });
  await page.findByRole('link', { name: '100,000+ pending' });
});

test('shows figures without links to those who may not open the daily checks', async () => {
  const { page } = openPortal({ path, user: buildUser({ roles: ['admin'] }), answers: quietDashboard() });
  const overview = within(await page.findByRole('region', { name: 'Overview' }));
  await overview.findByText('97.3 %');
  expect(overview.queryAllByRole('link')).toEqual([]);
});

test('says how many computers nobody protects', async () => {
  const { page } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  await page.findByText('12 of 340');
});

test('shows the other panels when one cannot be read, and reads it again on demand', async () => {
  const answers = quietDashboard().refuse(rankTransferred, 422, broken);
  const { page, person } = openPortal({ path, user: buildUser(), answers });
  const panel = within(await page.findByRole('region', { name: 'Most transferred' }));
  expect((await panel.findByRole('alert')).textContent).toContain(broken.message);
  await page.findByText('97.3 %');
  answers.on(rankTransferred, { success: true, data: [] });
  await person.click(panel.getByRole('button', { name: 'Try again' }));
  await panel.findByText('No job transferred anything on these days.');
});

test('keeps the figures and says that they are old when a refresh fails', async () => {
  const { page, answers } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  const overview = within(await page.findByRole('region', { name: 'Overview' }));
  await overview.findByText('97.3 %');
  answers.refuse(getOverviewStats, 422, broken);
  answers.tell('executions.changed');
  await overview.findByText('Not up to date');
  overview.getByText('97.3 %');
});

test('reads again quietly when runs have changed', async () => {
  const { page, answers } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  await page.findByText('97.3 %');
  answers.on(getOverviewStats, { success: true, data: buildStats({ successRate: 0.5 }) });
  answers.tell('executions.changed');
  await page.findByText('50 %');
});

const nothing = { success: true, data: buildStats({ jobs: 0, companies: 0 }) } as const;
const never: CallReply<typeof getLastSync> = { success: true, status: 'NEVER', lastSync: null, failed: [] };

test('leads whoever may from an empty portal to the sources', async () => {
  const answers = quietDashboard().on(getOverviewStats, nothing).on(getLastSync, never);
  const { page } = openPortal({ path, user: buildUser({ roles: ['admin'] }), answers });
  const link = await page.findByRole('link', { name: 'Connect a console' });
  expect(link.getAttribute('href')).toBe('/monitoring/sources');
});

test('tells everybody else whom to ask', async () => {
  const answers = quietDashboard().on(getOverviewStats, nothing).on(getLastSync, never);
  const branding = buildBranding({ supportEmail: 'help@provider.test' });
  const { page } = openPortal({ path, user: buildUser(), answers, branding });
  await page.findByText(/Ask an administrator/);
  expect(within(page.getByRole('main')).getByRole('link', { name: 'help@provider.test' })).toBeTruthy();
});

test('does not ask for a console while the first one is being read', async () => {
  const running: typeof never = { ...never, status: 'RUNNING' };
  const answers = quietDashboard().on(getOverviewStats, nothing).on(getLastSync, running);
  const { page } = openPortal({ path, user: buildUser({ roles: ['admin'] }), answers });
  await page.findByText('No jobs yet');
  expect(page.queryByRole('link', { name: 'Connect a console' })).toBeNull();
});

test('does not call the portal empty because a filter leaves nothing', async () => {
  const answers = quietDashboard().on(getOverviewStats, nothing);
  const { page } = openPortal({ path: `${path}?source=office365`, user: buildUser(), answers });
  await page.findByRole('region', { name: 'Overview' });
  await page.findByText('Every job that was due has run.');
  expect(page.queryByText('Nothing is monitored yet')).toBeNull();
});
