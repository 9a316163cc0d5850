import { getHistoryChart } from '@keepwatch/contract/insights/insights';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildDay, quietDashboard } from '../dashboard/testing/quiet-dashboard.ts';

const path = '/monitoring/dashboard';
const days = [
  buildDay('2026-03-13', { success: 1_200, failed: 4, warning: 9, transferredBytes: 1_024 ** 4 }),
  buildDay('2026-03-14', { success: 1_190, failed: 1, didntRun: 2, anomalies: 3 }),
  buildDay('2026-03-15', { success: 400, running: 6 }),
];
const withDays = () => quietDashboard().on(getHistoryChart, { success: true, data: days, recountedFrom: null });

async function openHistory(roles: Parameters<typeof buildUser>[0] = {}, address = path) {
  const opened = openPortal({ path: address, user: buildUser(roles), answers: withDays() });
  const panel = within(await opened.page.findByRole('region', { name: 'History' }));
  await panel.findByRole('table', { name: 'Runs by day and result' });
  return { ...opened, panel };
}

test('has every figure in a table for those who do not see the chart', async () => {
  const { panel } = await openHistory();
  const rows = panel.getAllByRole('row').map((row) => row.textContent);
  expect(rows).toHaveLength(4);
  const row = panel.getByRole('row', { name: /^03\/13\/26/ });
  const cells = within(row).getAllByRole('cell');
  expect(cells.map((cell) => cell.textContent)).toEqual(['4', '0', '9', '0', '1,200', '0', '98.9%', '1 TB']);
});

test('shows problems first: what failed, was missed or is doubtful, and the success rate', async () => {
  const { panel } = await openHistory();
  panel.getByText('problems by day, in UTC');
  const totals = within(panel.getByRole('list', { name: 'Totals' })).getAllByRole('listitem');
  expect(totals.map((total) => total.textContent)).toEqual([
    'Failed 5',
    "Didn't run 2",
    'Doubtful 3',
    'Success rate 99.4% (2,790 of 2,806 runs)',
  ]);
});

test('labels the axis of the success rate, which begins below the lowest one', async () => {
  const { panel } = await openHistory();
  for (const label of ['90%', '95%', '100%']) panel.getByText(label);
});

test('sums up the range beside the colours', async () => {
  const { panel } = await openHistory({}, `${path}?all=true`);
  const totals = within(panel.getByRole('list', { name: 'Totals' })).getAllByRole('listitem');
  expect(totals.map((total) => total.textContent)).toEqual([
    'Failed 5',
    "Didn't run 2",
    'Warning 9',
    'Running 6',
    'Success 2,790',
    'Success rate 99.4% (2,790 of 2,806 runs)',
  ]);
});

test('shows the exact figures of the newest day on keyboard focus', async () => {
  const { panel } = await openHistory();
  const day = panel.getByRole('link', { name: /Mar 15, 2026/ });
  expect(day.getAttribute('aria-label')).toBe(
    "Sun, Mar 15, 2026: 0 failed, 0 didn't run, 0 warning, 6 running, 400 success, 0 doubtful, 100.0% success rate, 0 B transferred",
  );
});

test('goes from day to day with the arrow keys and stops at both ends', async () => {
  const { panel, person } = await openHistory();
  panel.getByRole('link', { name: /Mar 15/ }).focus();
  await person.keyboard('{ArrowRight}');
  panel.getByRole('link', { name: /Mar 15/ });
  await person.keyboard('{ArrowLeft}');
  panel.getByRole('link', { name: /Mar 14.*1 failed, 2 didn't run/ });
  await person.keyboard('{Home}{ArrowLeft}');
  panel.getByRole('link', { name: /Mar 13/ });
  await person.keyboard('{End}');
  panel.getByRole('link', { name: /Mar 15/ });
});

test('opens the daily checks of the day, all states', async () => {
  const { panel, person } = await openHistory({}, `${path}?all=true`);
  panel.getByRole('link', { name: /Mar 15/ }).focus();
  await person.keyboard('{ArrowLeft}');
  const day = panel.getByRole('link', { name: /Mar 14/ });
  expect(day.getAttribute('href')).toBe('/monitoring/daily-checks?day=2026-03-14&state=all&ignored=true');
});

const ALL = 'state=all&ignored=true';
const hrefOf = (link: HTMLElement) => link.getAttribute('href');

test('opens exactly the problems where only problems are shown', async () => {
  const { panel, person } = await openHistory();
  panel.getByRole('link', { name: /Mar 15/ }).focus();
  await person.keyboard('{ArrowLeft}');
  const results = 'result=Failed&result=DidntRun&doubtful=true';
  expect(hrefOf(panel.getByRole('link', { name: /Mar 14/ }))).toBe(
    `/monitoring/daily-checks?day=2026-03-14&${results}&${ALL}`,
  );
});

test('links the doubtful part of a bar to its doubtful runs', async () => {
  const { panel, person } = await openHistory();
  panel.getByRole('link', { name: /Mar 15/ }).focus();
  await person.keyboard('{ArrowLeft}');
  expect(hrefOf(panel.getByRole('link', { name: 'Show 3 doubtful' }))).toBe(
    `/monitoring/daily-checks?day=2026-03-14&doubtful=true&${ALL}`,
  );
  expect(panel.queryByRole('link', { name: /success$/ })).toBeNull();
});

test('links each part of a bar to its runs, also by keyboard', async () => {
  const { panel, person } = await openHistory({}, `${path}?all=true`);
  panel.getByRole('link', { name: /Mar 15/ }).focus();
  await person.keyboard('{ArrowLeft}');
  expect(hrefOf(panel.getByRole('link', { name: 'Show 1 failed' }))).toBe(
    `/monitoring/daily-checks?day=2026-03-14&result=Failed&${ALL}`,
  );
  expect(hrefOf(panel.getByRole('link', { name: "Show 2 didn't run" }))).toBe(
    `/monitoring/daily-checks?day=2026-03-14&result=DidntRun&${ALL}`,
  );
  expect(hrefOf(panel.getByRole('link', { name: 'Show 1,190 success' }))).toBe(
    `/monitoring/daily-checks?day=2026-03-14&result=Success&${ALL}`,
  );
  // A part of which there is nothing leads nowhere.
  expect(panel.queryByRole('link', { name: /^Show 0/ })).toBeNull();
  await person.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(panel.getByRole('link', { name: 'Show 1 failed' }));
  await person.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(panel.getByRole('link', { name: "Show 2 didn't run" }));
  await person.keyboard('{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(panel.getByRole('link', { name: /Mar 14/ }));
});

test('moves to the next day from a part of a bar', async () => {
  const { panel, person } = await openHistory();
  panel.getByRole('link', { name: /Mar 15/ }).focus();
  await person.keyboard('{ArrowLeft}{ArrowUp}{ArrowLeft}');
  expect(document.activeElement).toBe(panel.getByRole('link', { name: /Mar 13/ }));
});

test('links each sum of the legend to its runs of the whole range', async () => {
  const { panel } = await openHistory({}, `${path}?source=office365&all=true`);
  const totals = within(panel.getByRole('list', { name: 'Totals' }));
  expect(hrefOf(totals.getByRole('link', { name: 'Warning 9' }))).toBe(
    `/monitoring/daily-checks?day=2026-03-09..2026-03-15&source=office365&result=Warning&${ALL}`,
  );
  expect(totals.getAllByRole('link')).toHaveLength(6);
  expect(hrefOf(totals.getByRole('link', { name: /^Success rate/ }))).toBe(
    hrefOf(totals.getByRole('link', { name: /^Success 2/ })),
  );
});

test('reads day by day also for those who may not open the daily checks', async () => {
  const { panel, person } = await openHistory({ roles: ['admin'] });
  panel.getByRole('img', { name: /Mar 15/ }).focus();
  await person.keyboard('{ArrowLeft}');
  panel.getByRole('img', { name: /Mar 14/ });
  expect(panel.queryAllByRole('link')).toEqual([]);
});

test('shows all results on demand, and stores that in the address', async () => {
  const { panel, person, address } = await openHistory();
  await person.click(panel.getByRole('button', { name: 'All results' }));
  expect(address()).toBe(`${path}?all=true`);
  const totals = within(panel.getByRole('list', { name: 'Totals' })).getAllByRole('listitem');
  expect(totals).toHaveLength(6);
});

test('says in words that nothing ran', async () => {
  const answers = quietDashboard().on(getHistoryChart, {
    success: true,
    data: [buildDay('2026-03-15')],
    recountedFrom: null,
  });
  const { page } = openPortal({ path, user: buildUser(), answers });
  const panel = within(await page.findByRole('region', { name: 'History' }));
  await panel.findByText('No job ran on these days, and none was due.');
});

test('says which days are still counted by the clock before', async () => {
  const backupClock = { ...buildUser().backupClock, timeZone: 'Europe/Berlin', recountedFrom: '2026-03-14' };
  const { panel } = await openHistory({ backupClock });
  panel.getByText('Days before 03/14/26 are being recounted in the new time zone, Berlin.');
});
