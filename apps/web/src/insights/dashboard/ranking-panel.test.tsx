import { rankDuration, rankFailures, rankTransferred } from '@keepwatch/contract/insights/insights';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildRankedJob, quietDashboard } from './testing/quiet-dashboard.ts';

const path = '/monitoring/dashboard';

async function openRanking(name: string, answers = quietDashboard()) {
  const opened = openPortal({ path, user: buildUser(), answers });
  const panel = within(await opened.page.findByRole('region', { name }));
  const rows = (await panel.findAllByRole('listitem')).map((row) => row.textContent);
  return { ...opened, panel, rows };
}

test('lists the jobs that failed most, with their company', async () => {
  const data = [buildRankedJob(1, { value: 1_021, runs: 1_400 }), buildRankedJob(2, { value: 4, companyName: null })];
  const answers = quietDashboard().on(rankFailures, { success: true, data });
  const { rows } = await openRanking('Most failures', answers);
  expect(rows).toEqual(['Job 1Company 11,021 of 1,400', 'Job 2No company4 of 7']);
});

test('ranks failures by their rate at first, and by count on demand', async () => {
  const daily = buildRankedJob(1, { value: 7, runs: 7 });
  const hourly = buildRankedJob(2, { value: 20, runs: 161 });
  const answers = quietDashboard().on(rankFailures, ({ query: { by } }) => ({
    success: true as const,
    data: by === 'count' ? [hourly, daily] : [daily, hourly],
  }));
  const { rows, panel, person } = await openRanking('Most failures', answers);
  expect(rows).toEqual(['Job 1Company 17 of 7', 'Job 2Company 120 of 161']);
  await person.click(panel.getByRole('button', { name: 'By count' }));
  await waitFor(() =>
    expect(panel.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      'Job 2Company 120 of 161',
      'Job 1Company 17 of 7',
    ]),
  );
  expect(panel.getByRole('button', { name: 'By count' }).getAttribute('aria-pressed')).toBe('true');
});

test('says 1 run of one', async () => {
  const answers = quietDashboard().on(rankDuration, { success: true, data: [buildRankedJob(1, { runs: 1 })] });
  const { panel } = await openRanking('Longest runs', answers);
  panel.getByTitle('1 run');
});

test('leads those who may not open the daily checks from a job to its company', async () => {
  const answers = quietDashboard().on(rankFailures, { success: true, data: [buildRankedJob(1)] });
  const { page } = openPortal({ path, user: buildUser({ roles: ['admin'] }), answers });
  const link = await page.findByRole('link', { name: 'Job 1' });
  expect(link.getAttribute('href')).toBe(`/monitoring/companies/${buildId(1)}`);
});

test('shows the longest run as a duration', async () => {
  const data = [buildRankedJob(1, { value: 3_723_000 })];
  const answers = quietDashboard().on(rankDuration, { success: true, data });
  expect((await openRanking('Longest runs', answers)).rows).toEqual(['Job 1Company 11h 2m 3s']);
});

test('shows what was transferred as bytes', async () => {
  const data = [buildRankedJob(1, { value: 1_024 ** 4 * 1.5 })];
  const answers = quietDashboard().on(rankTransferred, { success: true, data });
  expect((await openRanking('Most transferred', answers)).rows).toEqual(['Job 1Company 11.5 TB']);
});

test('links a job that failed to the failed runs that are counted', async () => {
  const answers = quietDashboard().on(rankFailures, { success: true, data: [buildRankedJob(1)] });
  const { panel } = await openRanking('Most failures', answers);
  const link = panel.getByRole('link', { name: 'Job 1' });
  expect(link.getAttribute('href')).toBe(
    `/monitoring/daily-checks?day=2026-03-09..2026-03-15&job=${buildId(1)}&result=Failed&state=all&ignored=true`,
  );
});

test('links a job to all its runs of the range', async () => {
  const answers = quietDashboard().on(rankDuration, { success: true, data: [buildRankedJob(1)] });
  const { panel } = await openRanking('Longest runs', answers);
  const link = panel.getByRole('link', { name: 'Job 1' });
  expect(link.getAttribute('href')).toBe(
    `/monitoring/daily-checks?day=2026-03-09..2026-03-15&job=${buildId(1)}&state=all&ignored=true`,
  );
});

test('says that no job failed', async () => {
  const { page } = openPortal({ path, user: buildUser(), answers: quietDashboard() });
  const panel = within(await page.findByRole('region', { name: 'Most failures' }));
  await panel.findByText('No job failed on these days.');
});

test('shows a name with markup in it as the text that it is', async () => {
  const data = [buildRankedJob(1, { jobName: '<img src=x onerror=alert(1)>' })];
  const answers = quietDashboard().on(rankFailures, { success: true, data });
  const { panel } = await openRanking('Most failures', answers);
  panel.getByText('<img src=x onerror=alert(1)>');
});
