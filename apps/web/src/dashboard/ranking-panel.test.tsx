import { rankDuration, rankFailures, rankTransferred } from '@keepwatch/contract/monitoring/insight';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { buildRankedJob, quietDashboard } from './testing/quiet-dashboard.ts';

const path = '/monitoring/dashboard';

async function openRanking(name: string, answers = quietDashboard()) {
  const opened = openPortal({ path, user: buildUser(), answers });
  const panel = within(await opened.page.findByRole('region', { name }));
  const rows = (await panel.findAllByRole('listitem')).map((row) => row.textContent);
  return { ...opened, panel, rows };
}

test('lists the jobs that failed most, with their company', async () => {
  const data = [buildRankedJob(1, { value: 1_021 }), buildRankedJob(2, { value: 4, companyName: null })];
  const answers = quietDashboard().on(rankFailures, { success: true, data });
  const { rows } = await openRanking('Most failures', answers);
  expect(rows).toEqual(['Job 1Company 11,021', 'Job 2No company4']);
});

test('shows the longest run as a duration', async () => {
  const data = [buildRankedJob(1, { value: 3_723_000 })];
  const answers = quietDashboard().on(rankDuration, { success: true, data });
  expect((await openRanking('Longest run', answers)).rows).toEqual(['Job 1Company 11h 2m 3s']);
});

test('shows what was transferred as bytes', async () => {
  const data = [buildRankedJob(1, { value: 1_024 ** 4 * 1.5 })];
  const answers = quietDashboard().on(rankTransferred, { success: true, data });
  expect((await openRanking('Most transferred', answers)).rows).toEqual(['Job 1Company 11.5 TB']);
});

test('leads from a job to all its runs of the range', async () => {
  const answers = quietDashboard().on(rankFailures, { success: true, data: [buildRankedJob(1)] });
  const { panel } = await openRanking('Most failures', answers);
  const link = panel.getByRole('link', { name: 'Job 1' });
  expect(link.getAttribute('href')).toBe(
    `/monitoring/daily-checks?day=2026-03-09..2026-03-15&job=${buildId(1)}&state=all&ignored=true`,
  );
});

test('says so where no job failed', async () => {
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
