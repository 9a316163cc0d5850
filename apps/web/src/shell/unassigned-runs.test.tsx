import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { getLastSync } from '@keepwatch/contract/sources/sources';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { serveRuns } from '../executions/testing/executions.ts';
import { buildUser } from '../testing/builders.ts';
import { openPortal, TEST_NOW } from '../testing/open-portal.tsx';
import { runsText } from './unassigned-runs.tsx';

type Sync = CallReply<typeof getLastSync>;

const SUCCEEDED: Sync = { success: true, status: 'SUCCEEDED', lastSync: TEST_NOW.toISOString(), failed: [] };
const UNASSIGNED: Sync = {
  ...SUCCEEDED,
  unassigned: { since: '2026-02-20T18:48:00.000Z', results: [{ result: 'Failed', runs: 460 }] },
  unmatched: { results: [{ result: 'Success', runs: 1 }] },
};

async function openDetails(sync: Sync, roles: Parameters<typeof buildUser>[0] = {}) {
  const answers = serveRuns([]).on(getLastSync, sync);
  const portal = openPortal({ path: '/monitoring/daily-checks', user: buildUser(roles), answers });
  await portal.person.click(await portal.page.findByRole('button', { name: /^Synced/ }));
  const details = within(await portal.page.findByRole('dialog', { name: 'Last sync' }));
  await details.findByText(/^Last sync:/);
  return { ...portal, answers, details };
}

test('says that all was read completely only where no run is left without a job', async () => {
  const { details, page } = await openDetails(SUCCEEDED);
  details.getByText('All sources were read completely.');
  expect(page.getByRole('button', { name: /^Synced/ }).hasAttribute('data-warned')).toBe(false);
});

test('warns of runs that could not be assigned, and links to exactly these', async () => {
  const { details, page, person, answers } = await openDetails(UNASSIGNED);
  expect(details.queryByText(/completely/)).toBeNull();
  expect(page.getByRole('button', { name: /^Synced/ }).hasAttribute('data-warned')).toBe(true);
  await person.click(details.getByRole('link', { name: '460 failed runs could not be assigned to one job.' }));
  await page.findByText(/filtered by not assigned to one job/);
  // Beside the list, one row is asked for to count all runs without the filter.
  const asked = () => answers.asked(listJobExecutions).filter(({ query }) => query.limit !== 1);
  await waitFor(() =>
    expect(asked().at(-1)?.query).toMatchObject({
      from: '2026-02-20T00:00:00.000Z',
      to: '2026-03-15T23:59:59.999Z',
      filter: { unassigned: true, state: 'pending' },
    }),
  );
  await person.click(page.getByRole('button', { name: 'Clear' }));
  await waitFor(() => expect(asked().at(-1)?.query.filter.unassigned).toBeUndefined());
});

test('warns an operator, who has no page of the sources, of runs that fit no job', async () => {
  const { details } = await openDetails(UNASSIGNED);
  details.getByText('1 successful run fit no job and are missing from all figures.');
  expect(details.queryByRole('link', { name: /fit no job/ })).toBeNull();
});

test('links to the runs that fit no job for users who connect consoles', async () => {
  const { details } = await openDetails(UNASSIGNED, { roles: ['admin', 'operator'] });
  const link = details.getByRole('link', { name: /fit no job/ });
  expect(link.getAttribute('href')).toBe('/monitoring/sources');
});

test('does not report a complete sync after a failure, even to a user who may not see what failed', async () => {
  const { details } = await openDetails({ ...SUCCEEDED, status: 'PARTIAL' });
  details.getByText('Some data could not be read.');
  expect(details.queryByText(/completely/)).toBeNull();
});

test('names runs by their results', () => {
  const results = [
    { result: 'Failed', runs: 1_460 },
    { result: 'Warning', runs: 1 },
    { result: 'Success', runs: 2 },
  ] as const;
  expect(runsText([...results])).toBe('1,460 failed runs, 1 run with warnings, and 2 successful runs');
});
