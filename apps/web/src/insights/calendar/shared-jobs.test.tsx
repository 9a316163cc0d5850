import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildRow, jobId, openCalendar, serveCalendar } from './testing/calendar.ts';

const NAME = 'Terminal Servers (one of 2 with this name)';

function serveShared() {
  const shared = buildRow(3, 'FS', { jobName: NAME, sharedBy: 2 });
  return serveCalendar([1, 2].map((number) => buildRow(number, '?S', { sharedJob: jobId(3) })).concat(shared));
}

async function cellsOf(page: ReturnType<typeof openCalendar>['page'], name: RegExp) {
  const row = (await page.findByRole('rowheader', { name })).closest<HTMLElement>('[role="row"]');
  return within(row ?? document.body).getAllByRole('gridcell');
}

test('hatches days whose run belongs to one of several jobs, on their rows and on the row of these runs', async () => {
  const { page } = openCalendar(serveShared());
  const [unsure, sure] = await cellsOf(page, /Job 1/);
  expect([unsure?.dataset.kind, unsure?.getAttribute('aria-label')]).toEqual([
    'shared',
    'Belongs to one of several jobs',
  ]);
  expect([sure?.dataset.kind, sure?.getAttribute('aria-label')]).toEqual(['success', 'Success']);
  const [failed, success, empty] = await cellsOf(page, /Terminal Servers/);
  expect(
    [failed, success].map((cell) => [cell?.dataset.kind, cell?.dataset.hatched, cell?.getAttribute('aria-label')]),
  ).toEqual([
    ['failed', 'true', 'Failed, belongs to one of several jobs'],
    ['success', 'true', 'Success, belongs to one of several jobs'],
  ]);
  expect(empty?.getAttribute('aria-label')).toBe('No run');
  within(page.getByRole('list', { name: 'Legend' })).getByText('Belongs to one of several jobs');
});

test('opens from such a day of a job the runs that it may have had', async () => {
  const none = { success: true as const, count: 0, data: [], query: { limit: 1, offset: 0, from: null, to: null } };
  const { page, person, answers, address } = openCalendar(serveShared().on(listJobExecutions, none));
  await person.click((await cellsOf(page, /Job 2/))[0] ?? document.body);
  await waitFor(() => expect(answers.asked(listJobExecutions)).not.toEqual([]));
  expect(address()).toContain('day=2026-03-01');
  expect(answers.asked(listJobExecutions)[0]?.query.filter).toMatchObject({
    jobInstanceUids: [jobId(3)],
    state: 'all',
  });
});
