import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { getSpreadsheetReport, getSpreadsheetStats } from '@keepwatch/contract/insights/calendar';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildDayCounts, buildRow, jobId, openCalendar, PATH, serveCalendar } from './testing/calendar.ts';

test('shows the jobs of this month by days, each with its result in words', async () => {
  const { page, answers } = openCalendar(serveCalendar([buildRow(1)]));
  const row = (await page.findByRole('rowheader', { name: /Job 1/ })).closest<HTMLElement>('[role="row"]');
  const words = within(row ?? document.body)
    .getAllByRole('gridcell')
    .map((cell) => cell.getAttribute('aria-label'));
  expect(words.slice(0, 7)).toEqual([
    'Failed',
    "Didn't run",
    'Warning',
    'Running',
    'Success with an anomaly',
    'Success',
    'No run',
  ]);
  expect(words).toHaveLength(31);
  page.getByRole('heading', { name: 'March 2026' });
  page.getByRole('columnheader', { name: 'Sunday 15, today' });
  expect(answers.asked(getSpreadsheetReport)[0]?.query).toEqual({
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-31T23:59:59.999Z',
    filter: { withTrouble: false },
    sort: 'companyName',
    limit: 500,
    offset: 0,
  });
});

test('shows what happened on each day in all jobs together', async () => {
  const { page } = openCalendar(serveCalendar([buildRow(1)]));
  await page.findByRole('gridcell', { name: '2 failed, 40 successful' });
  page.getByText('All jobs (1)');
  page.getByText('Days in UTC');
});

test.each([
  ['2026-04-01T15:59:59.999Z', 'March 2026', '2026-03-01T17:00:00.000Z', '2026-04-01T15:59:59.999Z'],
  ['2026-04-01T16:00:00.000Z', 'April 2026', '2026-04-01T16:00:00.000Z', '2026-05-01T15:59:59.999Z'],
])('shows the nights of the provider at %s: those of %s', async (now, month, from, to) => {
  const backupClock = { ...buildUser().backupClock, timeZone: 'Europe/Berlin', beginHour: 18 };
  const answers = serveCalendar([buildRow(1)]);
  const { page } = openPortal({ path: PATH, user: buildUser({ backupClock }), answers, now: new Date(now) });
  await page.findByRole('heading', { name: month });
  await page.findByText('Days from 18:00, in Berlin');
  expect(answers.asked(getSpreadsheetReport)[0]?.query).toMatchObject({ from, to });
  expect(answers.asked(getSpreadsheetStats)[0]?.query).toMatchObject({ from, to });
});

test('the bar of a day links to exactly its runs, and each part to those of its result', async () => {
  const { page } = openCalendar(serveCalendar([buildRow(1)]), `${PATH}?source=managed-servers`);
  const searchOf = (name: string) =>
    Object.fromEntries(
      new URL(page.getByRole('link', { name }).getAttribute('href') ?? '', 'http://portal').searchParams,
    );
  await page.findByRole('link', { name: 'Show 2 failed of 2026-03-01' });
  const runs = { day: '2026-03-01', source: 'managed-servers', state: 'all', ignored: 'true' };
  expect(searchOf('Show 2 failed of 2026-03-01')).toEqual({ ...runs, result: 'Failed' });
  expect(searchOf('Show all runs of 2026-03-01: 2 failed, 40 successful')).toEqual(runs);
});

test('the bars lead nowhere while jobs are searched for: the daily checks search in more than the names of jobs', async () => {
  const { page } = openCalendar(serveCalendar([buildRow(1)]), `${PATH}?search=Job`);
  await page.findByRole('gridcell', { name: '2 failed, 40 successful' });
  expect(page.queryByRole('link', { name: /^Show / })).toBeNull();
});

test('the arrow keys go from the bar of one day to the next', async () => {
  const answers = serveCalendar([buildRow(1)]);
  const days = ['2026-03-01', '2026-03-02'].map((day) => buildDayCounts({ day, success: 1 }));
  const data = { jobs: 1, succeeded: 1, days };
  answers.on(getSpreadsheetStats, { success: true as const, data, recountedFrom: null });
  const { page, person } = openCalendar(answers);
  const [first, second] = await page.findAllByRole('link', { name: /^Show all runs of/ });
  expect([first?.tabIndex, second?.tabIndex]).toEqual([-1, 0]);
  second?.focus();
  await person.keyboard('{ArrowLeft}');
  expect(document.activeElement).toBe(first);
});

test('goes to the month before and back, in the address too', async () => {
  const { page, person, address, answers } = openCalendar(serveCalendar([buildRow(1)]));
  await page.findByText('Job 1');
  await person.click(page.getByRole('button', { name: 'Previous month' }));
  await page.findByRole('heading', { name: 'February 2026' });
  expect(address()).toContain('month=2026-02');
  await waitFor(() => expect(answers.asked(getSpreadsheetReport).at(-1)?.query.to).toBe('2026-02-28T23:59:59.999Z'));
  await person.click(page.getByRole('button', { name: 'Today' }));
  await page.findByRole('heading', { name: 'March 2026' });
  expect(address()).not.toContain('month=');
});

test('moves with the keyboard, and never into a month to come', async () => {
  const { page, person } = openCalendar(serveCalendar([buildRow(1)]));
  await page.findByText('Job 1');
  expect(page.getByRole('button', { name: 'Next month' })).toHaveProperty('disabled', true);
  await person.keyboard('[[');
  await page.findByRole('heading', { name: 'February 2026' });
  await person.keyboard(']');
  await page.findByRole('heading', { name: 'March 2026' });
});

test('restores everything from the address', async () => {
  const path = `${PATH}?month=2026-01&search=sql&source=office365&trouble=true&sort=jobName`;
  const { page, answers } = openCalendar(serveCalendar([buildRow(1)]), path);
  await page.findByText('Job 1');
  expect(answers.asked(getSpreadsheetReport)[0]?.query).toMatchObject({
    from: '2026-01-01T00:00:00.000Z',
    filter: { search: 'sql', source: ['office365'], withTrouble: true },
    sort: 'jobName',
  });
  expect(answers.asked(getSpreadsheetStats)[0]?.query.filter).toEqual({ search: 'sql', source: ['office365'] });
});

test('narrows to jobs with trouble, and orders by job', async () => {
  const { page, person, answers } = openCalendar(serveCalendar([buildRow(1)]));
  await page.findByText('Job 1');
  await person.click(page.getByRole('switch', { name: 'Problems only' }));
  await waitFor(() => expect(answers.asked(getSpreadsheetReport).at(-1)?.query.filter.withTrouble).toBe(true));
  await person.click(page.getByRole('button', { name: 'Order by job' }));
  await waitFor(() => expect(answers.asked(getSpreadsheetReport).at(-1)?.query.sort).toBe('jobName'));
});

test('goes from cell to cell with the arrow keys, and opens the runs of that day with Enter', async () => {
  const answers = serveCalendar([buildRow(1), buildRow(2)]).on(listJobExecutions, {
    success: true as const,
    count: 0,
    data: [],
    query: { limit: 1, offset: 0, from: '2026-03-02T00:00:00.000Z', to: '2026-03-02T00:00:00.000Z' },
  });
  const { page, person, address } = openCalendar(answers);
  await page.findByText('Job 2');
  page.getByRole('grid').focus();
  await person.keyboard('{ArrowDown}{ArrowDown}{ArrowRight}');
  const active = document.getElementById(page.getByRole('grid').getAttribute('aria-activedescendant') ?? '');
  expect(active?.getAttribute('aria-label')).toBe("Didn't run");
  expect(active?.closest('[role="row"]')?.textContent).toContain('Job 2');
  await person.keyboard('{Enter}');
  await page.findByText('No runs match these filters');
  const asked = answers.asked(listJobExecutions)[0]?.query;
  expect(asked?.from).toBe('2026-03-02T00:00:00.000Z');
  expect(asked?.filter).toMatchObject({ state: 'all', ignored: true, jobInstanceUids: [jobId(2)] });
  expect(address()).toContain('day=2026-03-02');
  await page.findByRole('button', { name: 'Mar 2 (UTC)' });
  await page.findByText(/filtered by Job 2/);
});

test('has nothing to open on a day without runs', async () => {
  const { page, person, address } = openCalendar(serveCalendar([buildRow(1, '-')]));
  const cells = await page.findAllByRole('gridcell', { name: 'No run' });
  await person.click(cells[0] ?? document.body);
  expect(address()).toBe(PATH);
});

test('puts only the jobs on screen onto the page', async () => {
  const rows = Array.from({ length: 5_000 }, (_, place) => buildRow(place + 1));
  const { page } = openCalendar(serveCalendar(rows));
  await page.findByText('Job 1');
  expect(page.getByRole('grid').getAttribute('aria-rowcount')).toBe('5002');
  expect(page.getAllByRole('rowheader').length).toBeLessThan(80);
});

test('says that the only matching job was fine', async () => {
  const { page } = openCalendar(serveCalendar([], 1), `${PATH}?trouble=true`);
  await page.findByText('No problems in March 2026');
  page.getByText('The only matching job was fine.');
});

test('says that all matching jobs were fine if only problems are requested, and links back', async () => {
  const { page, person, address } = openCalendar(serveCalendar([], 14), `${PATH}?trouble=true`);
  await page.findByText('No problems in March 2026');
  page.getByText('All 14 matching jobs were fine.');
  await person.click(page.getByRole('button', { name: 'Show all jobs' }));
  expect(address()).toBe(PATH);
});

test('gives no all-clear for a search that matches no job', async () => {
  const { page, person, address } = openCalendar(serveCalendar([], 0), `${PATH}?trouble=true&search=zzzzz`);
  await page.findByText("No job matches 'zzzzz'");
  expect(page.queryByText(/no problems|fine/i)).toBeNull();
  await person.click(page.getByRole('button', { name: 'Reset filters' }));
  expect(address()).toBe(PATH);
});

test('gives no all-clear for a source without any job', async () => {
  const { page } = openCalendar(serveCalendar([], 0), `${PATH}?trouble=true&source=office365`);
  await page.findByText('No jobs match these filters');
  expect(page.queryByText(/no problems|fine/i)).toBeNull();
});

const NEVER_RAN = 'No runs in March 2026';
const NOT_ALL = 'Not every job has succeeded in March 2026';
test.each([
  { jobs: 2, succeeded: 0, success: 0, title: NEVER_RAN, text: 'None of the 2 matching jobs ran.' },
  { jobs: 1, succeeded: 0, success: 0, title: NEVER_RAN, text: 'The only matching job did not run.' },
  {
    jobs: 1_493,
    succeeded: 12,
    success: 14,
    title: NOT_ALL,
    text: 'No problem was reported, but only 12 of 1,493 matching jobs have a successful run of their own.',
  },
  // The runs of a job of that name, which may be of any of three.
  {
    jobs: 3,
    succeeded: 0,
    success: 5,
    title: NOT_ALL,
    text: 'No problem was reported, but no matching job has a successful run of its own.',
  },
])('gives no all-clear where $succeeded of $jobs jobs had a successful run of their own', async (known) => {
  const { jobs, succeeded, success, title, text } = known;
  const answers = serveCalendar([]).on(getSpreadsheetStats, {
    success: true,
    data: { jobs, succeeded, days: [buildDayCounts({ success })] },
    recountedFrom: null,
  });
  const { page } = openCalendar(answers, `${PATH}?trouble=true`);
  await page.findByText(title);
  page.getByText(text);
  expect(page.queryByText(/no problems|fine/i)).toBeNull();
});

test('gives no all-clear while it is not known how many jobs match', async () => {
  const answers = serveCalendar([], 2).refuse(getSpreadsheetStats, 422, {
    code: 'INTERNAL_ERROR',
    message: 'Not today.',
  });
  const { page, person } = openCalendar(answers, `${PATH}?trouble=true`);
  await page.findByText('Not today.');
  answers.on(getSpreadsheetStats, { success: true, data: { jobs: 0, succeeded: 0, days: [] }, recountedFrom: null });
  await person.click(page.getByRole('button', { name: 'Try again' }));
  await page.findByText('No jobs in March 2026');
});

test('says of a link with a malformed company that it has such a filter, and resets it', async () => {
  const { page, person, address } = openCalendar(serveCalendar([buildRow(1)]), `${PATH}?company=nonsense&search=job`);
  await page.findByText('This link has a filter that does not exist.');
  expect(page.queryByRole('grid')).toBeNull();
  await person.click(page.getByRole('button', { name: 'Reset filters' }));
  await page.findByText('Job 1');
  expect(address()).toBe(PATH);
});

test('shows what went wrong, and tries again', async () => {
  const answers = serveCalendar([buildRow(1)]);
  answers.refuse(getSpreadsheetReport, 403, { code: 'INTERNAL_ERROR', message: 'Not today.' });
  const { page, person } = openCalendar(answers);
  await page.findByText('Not today.');
  const data = [buildRow(1)];
  answers.on(getSpreadsheetReport, {
    success: true as const,
    count: 1,
    firstDay: '2026-03-01',
    recountedFrom: null,
    data,
  });
  await person.click(page.getByRole('button', { name: 'Try again' }));
  await page.findByText('Job 1');
});
