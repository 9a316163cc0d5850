import { exportJobExecutions, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { buildExecution, serveRuns } from './testing/executions.ts';

const CSV = 'Company,Job\r\nAcme,Job 1\r\nAcme,"Job\r\n2"\r\n';
const runs = () => serveRuns([1, 2].map((number) => buildExecution(number)));
const exportButton = { name: 'Export CSV' };

async function open(answers = runs(), path = '/monitoring/daily-checks?state=all') {
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:test');
  const opened = openPortal({ path, user: buildUser(), answers });
  await opened.page.findByText('Job 1');
  return { ...opened, saved };
}

test('saves what the filters leave, and says how many runs that were', async () => {
  const { page, person, answers, saved } = await open(runs().on(exportJobExecutions, CSV));
  await person.click(page.getByRole('button', exportButton));
  await page.findByText('2 runs saved as DailyChecks-20260315-120000.csv.');
  expect(answers.asked(exportJobExecutions)[0]?.body).toMatchObject({
    source: 'JOBS',
    filter: { state: 'all' },
    sort: '-startedAt',
  });
  expect(saved).toHaveBeenCalledOnce();
});

test('says what the server says where it refuses', async () => {
  const refused = { code: 'TOO_MANY_EXPORTS', message: 'Other exports are still running.' } as const;
  const { page, person, saved } = await open(runs().refuse(exportJobExecutions, 429, refused));
  await person.click(page.getByRole('button', exportButton));
  await page.findByText('Other exports are still running.');
  expect(saved).not.toHaveBeenCalled();
});

// A customer's report made of half a list would be believed.
test('saves nothing of an incomplete file, and reports the failure', async () => {
  const { page, person, saved } = await open(runs().on(exportJobExecutions, CSV.slice(0, -4)));
  await person.click(page.getByRole('button', exportButton));
  await page.findByText(/broke off before all of it had arrived/);
  expect(saved).not.toHaveBeenCalled();
});

test('an export is stopped on a click, saves nothing, and can be started again', async () => {
  const answers = runs().on(exportJobExecutions, () => new Promise<string>(() => {}));
  const { page, person, saved } = await open(answers);
  await person.click(page.getByRole('button', exportButton));
  await person.click(await page.findByRole('button', { name: /^Stop export/ }));
  await page.findByText('Export stopped, nothing was saved.');
  expect(saved).not.toHaveBeenCalled();
  answers.on(exportJobExecutions, CSV);
  await person.click(await page.findByRole('button', exportButton));
  await page.findByText(/^2 runs saved/);
});

test('a person who picks no file for a long list asks the server for nothing', async () => {
  Object.assign(window, {
    showSaveFilePicker: vi.fn().mockRejectedValue(new DOMException('The user aborted a request.', 'AbortError')),
  });
  onTestFinished(() => {
    delete window.showSaveFilePicker;
  });
  const range = { from: '2026-03-14T00:00:00.000Z', to: '2026-03-15T23:59:59.999Z' };
  const answers = runs().on(listJobExecutions, ({ query: { limit, offset } }) => ({
    success: true as const,
    count: 20_000,
    data: [buildExecution(offset + 1)],
    query: { limit, offset, ...range },
  }));
  const { page, person } = await open(answers);
  await person.click(page.getByRole('button', exportButton));
  await page.findByRole('button', exportButton);
  expect(window.showSaveFilePicker).toHaveBeenCalledWith({ suggestedName: 'DailyChecks-20260315-120000.csv' });
  expect(answers.asked(exportJobExecutions)).toEqual([]);
});
