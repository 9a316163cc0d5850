import { listJobNames } from '@keepwatch/contract/insights/calendar';
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { askedLists, buildExecution, runId, serveRuns } from './testing/executions.ts';

const name = (number: number) => ({
  jobInstanceUid: runId(number),
  jobName: `Nightly ${number}`,
  companyId: null,
  companyName: 'Acme',
  sourceGroup: 'office365' as const,
});

test('finds jobs by name and narrows the list to the chosen one', async () => {
  const answers = serveRuns([buildExecution(1)]).on(listJobNames, ({ query: { search, ids } }) => {
    const data = [name(7), name(8)].filter(
      (job) => job.jobName.includes(search ?? '') && (ids?.includes(job.jobInstanceUid) ?? true),
    );
    return { success: true as const, count: data.length, data };
  });
  const { page, person, address } = openPortal({ path: '/monitoring/daily-checks', user: buildUser(), answers });
  await page.findByText('Job 1');
  await person.click(page.getByRole('button', { name: 'More filters' }));
  await person.type(await page.findByLabelText('Search jobs by name'), '8');
  await waitFor(() => expect(page.queryByRole('option', { name: /^Nightly 7\b.*Acme$/ })).toBeNull());
  await person.click(await page.findByRole('option', { name: /^Nightly 8\b.*Acme$/ }));
  await waitFor(() => expect(askedLists(answers).at(-1)?.query.filter.jobInstanceUids).toEqual([runId(8)]));
  expect(address()).toContain(`job=${runId(8)}`);
  page.getByRole('button', { name: 'More filters (1)' });
  await page.findByRole('region', { name: 'Job: Nightly 8' });
  expect(answers.asked(listJobNames).at(-1)?.query.ids).toEqual([runId(8)]);
});

test('says how many more jobs there are, and when none has the text in its name', async () => {
  const answers = serveRuns([buildExecution(1)]).on(listJobNames, ({ query: { search } }) =>
    search === undefined
      ? { success: true as const, count: 1_200, data: [name(7), name(8)] }
      : { success: true as const, count: 0, data: [] },
  );
  const { page, person } = openPortal({ path: '/monitoring/daily-checks', user: buildUser(), answers });
  await page.findByText('Job 1');
  await person.click(page.getByRole('button', { name: 'More filters' }));
  await page.findByText('Showing 2 of 1,200. Type to narrow.');
  await person.type(page.getByLabelText('Search jobs by name'), 'nothing');
  expect(await page.findByText('No matching job.')).toBeDefined();
});

test('shows the name of the job of a link', async () => {
  const answers = serveRuns([buildExecution(1)]).on(listJobNames, ({ query: { ids = [] } }) => {
    const data = [name(7), name(8)].filter((job) => ids.includes(job.jobInstanceUid));
    return { success: true as const, count: data.length, data };
  });
  const path = `/monitoring/daily-checks?job=${runId(7)}&job=${runId(8)}&state=all`;
  const { page, person } = openPortal({ path, user: buildUser(), answers });
  await person.click(await page.findByRole('button', { name: 'More filters (1)' }));
  await page.findByRole('region', { name: 'Job: Nightly 7 +1' });
});

test.each([
  ['a job that does not exist', `job=${runId(9)}`],
  ['a malformed job', 'job=nonsense'],
  ['a malformed company', 'company=nonsense'],
])('says of a link with %s that it has such a filter, and resets it', async (_, query) => {
  const answers = serveRuns([buildExecution(1)]).on(listJobNames, { success: true, count: 0, data: [] });
  const path = `/monitoring/daily-checks?${query}&state=all`;
  const { page, person, address } = openPortal({ path, user: buildUser(), answers });
  await page.findByText('This link has a filter that does not exist.');
  expect(page.queryByText('Job 1')).toBeNull();
  await person.click(page.getByRole('button', { name: 'Reset filters' }));
  await page.findByText('Job 1');
  expect(address()).toBe('/monitoring/daily-checks?state=pending');
});
