import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { listJobNames } from '@keepwatch/contract/insights/calendar';
import {
  getHistoryChart,
  getOverviewStats,
  listDidntRun,
  rankDuration,
  rankTransferred,
} from '@keepwatch/contract/insights/insights';
import { listComputers } from '@keepwatch/contract/inventory/computers';
import { listRepositories } from '@keepwatch/contract/inventory/repositories';
import { getLastSync } from '@keepwatch/contract/sources/sources';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildBranding, buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildInactiveJob, buildStats, quietDashboard } from './testing/quiet-dashboard.ts';

const path = '/monitoring/dashboard';
const week = { from: '2026-03-09T00:00:00.000Z', to: '2026-03-15T23:59:59.999Z' };
const broken = {
  code: 'INTERNAL_ERROR',
  message: 'Error while trying to get the ranking, try again later.',
} as const;

test('shows the last 7 days of all companies at first', async () => {
  const { page, answers } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  await page.findByRole('button', { name: 'Last 7 days' });
  await page.findByText('97.3%');
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
  await person.click(await page.findByRole('button', { name: 'Last 7 days' }));
  await person.click(await page.findByRole('button', { name: 'Yesterday' }));
  await waitFor(() => expect(address()).toBe(`${path}?date=Yesterday`));
  await waitFor(() => expect(answers.asked(getOverviewStats).at(-1)?.query.from).toBe('2026-03-14T00:00:00.000Z'));
});

test('shows the change of the success rate against the range before', async () => {
  const { page } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  await page.findByText('▲ 0.4 pts vs. previous 7 days');
});

test.each([
  [0.97, 0.98, '▼ 1.0 pts vs. previous 7 days'],
  [0.97, 0.97, 'same as the previous 7 days'],
  [0.97, null, 'no runs in the previous 7 days'],
  [null, 0.97, 'no runs in these 7 days'],
])('says in words how a rate of %s compares with %s', async (successRate, successRateBefore, text) => {
  const stats = buildStats({ successRate, successRateBefore });
  const answers = quietDashboard().on(getOverviewStats, { success: true, data: stats });
  const { page } = openPortal({ path, user: buildUser(), answers });
  await page.findByText(text);
});

test('links a figure to its daily checks', async () => {
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

// The server counts days of the provider's clock: those of Los Angeles would miss the first hours and add some of tomorrow.
test('links a count of days to the same days, whatever the zone of the browser', async () => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(new Date(2026, 2, 1).toISOString()).toBe('2026-03-01T08:00:00.000Z');
  const none = { success: true as const, count: 0, data: [], query: { limit: 50, offset: 0, ...week } };
  const answers = quietDashboard()
    .on(listJobExecutions, none)
    .on(getLastSync, { ...never, status: 'SUCCEEDED' });
  const { page, person, router } = openPortal({ path, user: buildUser(), answers });
  await person.click(await page.findByRole('link', { name: '31 pending' }));
  await page.findByRole('button', { name: 'Mar 9 – Mar 15 (UTC)' });
  expect(router.state.location.search).toMatchObject({ day: '2026-03-09..2026-03-15' });
  expect(answers.asked(getOverviewStats)[0]?.query).toMatchObject(week);
  expect(answers.asked(listJobExecutions)[0]?.query).toMatchObject(week);
});

test.each([
  ['2026-03-15T16:59:59.999Z', '2026-03-08..2026-03-14', '2026-03-08T17:00:00.000Z', '2026-03-15T16:59:59.999Z'],
  ['2026-03-15T17:00:00.000Z', '2026-03-09..2026-03-15', '2026-03-09T17:00:00.000Z', '2026-03-16T16:59:59.999Z'],
])('counts the nights of the provider at %s, whatever the zone of the browser', async (now, day, from, to) => {
  vi.stubEnv('TZ', 'Pacific/Auckland');
  onTestFinished(() => void vi.unstubAllEnvs());
  const nights = { ...buildUser().backupClock, timeZone: 'Europe/Berlin', beginHour: 18 };
  const answers = quietDashboard()
    .on(listJobExecutions, { success: true as const, count: 0, data: [], query: { limit: 50, offset: 0, from, to } })
    .on(getLastSync, { ...never, status: 'SUCCEEDED' });
  const user = buildUser({ backupClock: nights });
  const { page, person, router } = openPortal({ path, user, answers, now: new Date(now) });
  await page.findByText('problems by day, from 18:00, in Berlin');
  await person.click(await page.findByRole('link', { name: '31 pending' }));
  await page.findByRole('button', { name: /^Mar \d+ – Mar \d+ \(Berlin\)$/ });
  expect(router.state.location.search).toMatchObject({ day });
  expect(answers.asked(getOverviewStats)[0]?.query).toMatchObject({ from, to });
  expect(answers.asked(getHistoryChart)[0]?.query).toMatchObject({ from, to });
  expect(answers.asked(listJobExecutions)[0]?.query).toMatchObject({ from, to });
});

test('does not pretend to have counted more than it did', async () => {
  const stats = buildStats({ pending: 100_000 });
  const answers = quietDashboard().on(getOverviewStats, { success: true, data: stats });
  const { page } = openPortal({ path, user: buildUser(), answers });
  await page.findByRole('link', { name: '100,000+ pending' });
});

const admin = buildUser({ roles: ['admin'] });

test('says what the success rate counts, to the keyboard, too, with the warnings apart from it', async () => {
  const { page, person } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  const rate = await page.findByRole('link', { name: '97.3% (973 of 1,000 runs)' });
  const warnings = page.getByRole('link', { name: '1.6% (16 of 1,000 runs)' });
  const runs = 'day=2026-03-09..2026-03-15&result=';
  expect(rate.getAttribute('href')).toContain(`${runs}Success&`);
  expect(warnings.getAttribute('href')).toContain(`${runs}Warning&`);
  const sign = page.getByRole('button', { name: 'What counts: Success rate' });
  await person.tab();
  sign.focus();
  expect(document.getElementById(sign.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Successful runs of all that ended or did not run. Runs with a warning are not counted as successful; running ones count later.',
  );
});

test('says of how many days the pending runs are', async () => {
  const { page } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  await page.findByText('Pending (7 days)');
  page.getByText('to review');
});

test('leads those who may not open the daily checks from every figure to the companies that have most of it', async () => {
  const { page } = openPortal({ path, user: admin, answers: quietDashboard() });
  const overview = within(await page.findByRole('region', { name: 'Overview' }));
  await overview.findByText('97.3%');
  const href = (name: string) => overview.getByRole('link', { name }).getAttribute('href');
  expect(href('12 Failed')).toBe('/monitoring/companies?sort=-failed');
  expect(href('41 Warning')).toBe('/monitoring/companies?sort=-warning');
  expect(href("5 Didn't run")).toBe('/monitoring/companies?sort=-didntRun');
  expect(href('1,402 Success')).toBe('/monitoring/companies?sort=-jobs');
  expect(href('31 pending')).toBe('/monitoring/companies?sort=-pending');
  expect(href('1,493 jobs')).toBe('/monitoring/companies?sort=-jobs');
});

test('links bytes to the runs and jobs that they are added up of', async () => {
  const { page } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  const transferred = await page.findByRole('link', { name: '1 GB by all runs' });
  expect(transferred.getAttribute('href')).toBe(
    '/monitoring/daily-checks?day=2026-03-09..2026-03-15&state=all&ignored=true',
  );
  expect(page.getByRole('link', { name: '1 TB of all jobs' }).getAttribute('href')).toBe('/monitoring/calendar-report');
});

test('links the companies to those of the filter that have jobs', async () => {
  const { page } = openPortal({ path: `${path}?source=office365`, user: admin, answers: quietDashboard() });
  const link = await page.findByRole('link', { name: '60 companies' });
  expect(link.getAttribute('href')).toBe('/monitoring/companies?source=office365&jobs=true');
});

test('says how many jobs belong to no company, which the companies do not count', async () => {
  const stats = buildStats({ jobsWithoutCompany: 3 });
  const answers = quietDashboard().on(getOverviewStats, { success: true, data: stats });
  answers.on(listJobNames, ({ query: { withoutCompany } }) => {
    expect(withoutCompany).toBe(true);
    const job = { jobInstanceUid: buildId(5), jobName: 'Alone', sourceGroup: 'managed-servers' as const };
    return { success: true as const, count: 1, data: [{ ...job, companyId: null, companyName: null }] };
  });
  const { page, person } = openPortal({ path, user: buildUser(), answers });
  await person.click(await page.findByRole('button', { name: '3 without a company' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Jobs without a company (1)' }));
  dialog.getByRole('link', { name: 'Alone' });
});

const company = (number: number) => ({
  _id: buildId(number),
  name: `Company ${number}`,
  vacId: null,
  vcdId: null,
  zertoId: null,
});

test('lists the companies by name for users without their screen, and links each to its calendar', async () => {
  const answers = quietDashboard().on(listReportingCompanies, ({ query: { limit, offset } }) => {
    const all = Array.from({ length: 60 }, (_, place) => company(place + 1));
    return { success: true as const, count: 60, data: all.slice(offset, offset + limit), query: { limit, offset } };
  });
  const { page, person } = openPortal({ path, user: buildUser(), answers });
  await person.click(await page.findByRole('button', { name: '60 companies' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Companies (60)' }));
  const first = await dialog.findByRole('link', { name: 'Company 1' });
  expect(first.getAttribute('href')).toBe(`/monitoring/calendar-report?company=${buildId(1)}`);
  expect(dialog.getAllByRole('link')).toHaveLength(50);
  await person.click(dialog.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(dialog.getAllByRole('link')).toHaveLength(60));
});

test('says that more of a figure could not be read, and tries it again', async () => {
  const all = Array.from({ length: 60 }, (_, place) => company(place + 1));
  const list = ({ query: { limit, offset } }: { query: { limit: number; offset: number } }) => ({
    success: true as const,
    ...{ count: 60, data: all.slice(offset, offset + limit), query: { limit, offset } },
  });
  const answers = quietDashboard().on(listReportingCompanies, list);
  const { page, person } = openPortal({ path, user: buildUser(), answers });
  await person.click(await page.findByRole('button', { name: '60 companies' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Companies (60)' }));
  answers.refuse(listReportingCompanies, 503, { code: 'BUSY', message: 'The server is busy.' });
  await person.click(dialog.getByRole('button', { name: 'Show more' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('The rest could not be read. The server is busy.');
  expect(dialog.getAllByRole('link')).toHaveLength(50);
  answers.on(listReportingCompanies, list);
  await person.click(dialog.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(dialog.getAllByRole('link')).toHaveLength(60));
  expect(dialog.queryByRole('alert')).toBeNull();
});

test('lists the jobs that have never run', async () => {
  const job = buildInactiveJob(4, { jobName: 'New job', expectedAt: null, lastStartedAt: null });
  const answers = quietDashboard().on(listDidntRun, ({ query: { filter } }) =>
    filter.type === 'never-ran'
      ? { success: true as const, count: 1, data: [job] }
      : { success: true as const, count: 0, data: [] },
  );
  const { page, person } = openPortal({ path: `${path}?source=office365`, user: admin, answers });
  await person.click(await page.findByRole('button', { name: '8 Never run' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Never run (1)' }));
  await dialog.findByText('New job');
  const asked = answers.asked(listDidntRun).find(({ query }) => query.filter.type === 'never-ran');
  expect(asked?.query.filter).toMatchObject({ source: ['office365'] });
});

test('goes from the disabled jobs to their panel', async () => {
  const { page, person } = openPortal({ path, user: admin, answers: quietDashboard() });
  await person.click(await page.findByRole('button', { name: '22 disabled jobs' }));
  await waitFor(() => expect(document.activeElement?.id).toBe('disabled'));
  expect(document.activeElement).toBe(page.getByRole('region', { name: 'Disabled' }));
});

test.each([['operator'], ['admin'], ['read-only'], ['sub-sp']] as const)(
  'lists for the role %s the computers without agent, a page at a time',
  async (role) => {
    const computer = (number: number) => ({ ...anyComputer, _id: buildId(number), hostName: `PC-${number}` });
    const answers = quietDashboard().on(listComputers, ({ query: { filter, limit, offset } }) => {
      expect(filter).toEqual({ unprotected: true, ignored: false });
      const all = Array.from({ length: 60 }, (_, place) => computer(place + 1));
      return { success: true as const, count: 60, data: all.slice(offset, offset + limit) };
    });
    const { page, person } = openPortal({ path, user: buildUser({ roles: [role] }), answers });
    await person.click(await page.findByRole('button', { name: '12 of 340 computers without agent' }));
    const dialog = within(await page.findByRole('dialog', { name: 'Computers without agent (60)' }));
    await dialog.findByText('PC-1');
    dialog.getAllByText('Acme · Windows 11');
    expect(dialog.queryByText('PC-60')).toBeNull();
    await person.click(dialog.getByRole('button', { name: 'Show more' }));
    await dialog.findByText('PC-60');
  },
);

const anyComputer = {
  fqdn: null,
  companyId: buildId(1),
  companyName: 'Acme',
  operatingSystem: 'Windows 11',
  platform: null,
  ipAddresses: [],
  status: 'Online',
  agentInstallationStatus: null,
  agentManagementStatus: null,
  lastSeenAt: '2026-03-15T11:00:00.000Z',
  isIgnored: false,
  note: null,
};

test('shows the other panels when one cannot be read, and reads it again on demand', async () => {
  const answers = quietDashboard().refuse(rankTransferred, 422, broken);
  const { page, person } = openPortal({ path, user: buildUser(), answers });
  const panel = within(await page.findByRole('region', { name: 'Most transferred' }));
  expect((await panel.findByRole('alert')).textContent).toContain(broken.message);
  await page.findByText('97.3%');
  answers.on(rankTransferred, { success: true, data: [] });
  await person.click(panel.getByRole('button', { name: 'Try again' }));
  await panel.findByText('No job transferred anything on these days.');
});

test('keeps the figures and says that they are old when a refresh fails', async () => {
  const { page, answers } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  const overview = within(await page.findByRole('region', { name: 'Overview' }));
  await overview.findByText('97.3%');
  answers.refuse(getOverviewStats, 422, broken);
  answers.emit('executions.changed');
  await overview.findByText('Not up to date');
  overview.getByText('97.3%');
});

test('reads again quietly when runs have changed', async () => {
  const { page, answers } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  await page.findByText('97.3%');
  answers.on(getOverviewStats, { success: true, data: buildStats({ successRate: 0.5 }) });
  answers.emit('executions.changed');
  await page.findByText('50.0%');
});

const nothing = { success: true, data: buildStats({ jobs: 0, companies: 0 }) } as const;
const never: CallReply<typeof getLastSync> = { success: true, status: 'NEVER', lastSync: null, failed: [] };

test('links from an empty portal to the sources for users who may open them', async () => {
  const answers = quietDashboard().on(getOverviewStats, nothing).on(getLastSync, never);
  const { page } = openPortal({ path, user: admin, answers });
  const link = await page.findByRole('link', { name: 'Connect a console' });
  expect(link.getAttribute('href')).toBe('/monitoring/sources');
});

test('shows all other users whom to ask', async () => {
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
  await waitFor(() => expect(page.getAllByText('No job matches these filters.')).toHaveLength(5));
  expect(page.queryByText('Nothing is monitored yet')).toBeNull();
});

// Otherwise a mistyped company name would look as if every due job of that customer had run.
test('gives no all-clear where no job matches', async () => {
  const answers = quietDashboard().on(getOverviewStats, nothing);
  const { page } = openPortal({ path: `${path}?source=office365`, user: buildUser(), answers });
  await waitFor(() => expect(page.getAllByText('No job matches these filters.').length).toBeGreaterThan(0));
  for (const text of [/every job that was due/i, /no job is overdue/i, /no job failed/i, /no job is disabled/i])
    expect(page.queryByText(text)).toBeNull();
});

const companyOf = (ids: readonly string[]) =>
  ids
    .filter((id) => id === buildId(7))
    .map((_id) => ({ _id, name: 'Adler Logistics', vacId: null, vcdId: null, zertoId: null }));

test.each([
  ['a company that does not exist', `company=${buildId(7)}&company=${buildId(8)}`],
  ['a malformed company', 'company=nonsense'],
])('says once that %s is no filter, and resets it', async (_, query) => {
  const answers = quietDashboard().on(listReportingCompanies, ({ query: { ids = [], limit, offset } }) => {
    const data = companyOf(ids);
    return { success: true as const, count: data.length, data, query: { limit, offset } };
  });
  const { page, person, address } = openPortal({ path: `${path}?${query}`, user: buildUser(), answers });
  await page.findByText('This link has a filter that does not exist.');
  expect(page.getAllByText('This link has a filter that does not exist.')).toHaveLength(1);
  expect(page.queryByRole('region', { name: 'Overview' })).toBeNull();
  await person.click(page.getByRole('button', { name: 'Reset filters' }));
  await page.findByRole('region', { name: 'Overview' });
  expect(address()).toBe(path);
});
