import {
  ignoreDidntRun,
  ignoreDisabled,
  unignoreDidntRun,
  unignoreDisabled,
} from '@keepwatch/contract/executions/inactive-jobs';
import { type InactiveJob, listDidntRun } from '@keepwatch/contract/insights/insights';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildInactiveJob, quietDashboard } from './testing/quiet-dashboard.ts';

const path = '/monitoring/dashboard';
const done = { success: true } as const;

/** A server with these inactive jobs. It omits the ignored ones unless asked for them. */
function answersWith(jobs: InactiveJob[]) {
  return quietDashboard().on(listDidntRun, ({ query: { filter, limit, offset } }) => {
    const ofType = jobs.filter(({ expectedAt }) => (expectedAt === null) === (filter.type === 'disabled'));
    const found = ofType.filter(({ isIgnored }) => filter.ignored || !isIgnored);
    return { success: true as const, count: found.length, data: found.slice(offset, offset + limit) };
  });
}

async function openPanel(name: string, answers = answersWith([buildInactiveJob(1)]), user = buildUser()) {
  const opened = openPortal({ path, user, answers });
  const panel = within(await opened.page.findByRole('region', { name }));
  await panel.findByRole('list');
  return { ...opened, answers, panel };
}

test('says of each job how late it is and when it last ran', async () => {
  const { panel } = await openPanel("Didn't run");
  expect(panel.getByRole('listitem').textContent).toContain('Job 1Company 114 hours overduelast run 1 day ago');
});

test('says of a job without any run that it has none', async () => {
  const { panel } = await openPanel("Didn't run", answersWith([buildInactiveJob(1, { lastStartedAt: null })]));
  panel.getByText('never run');
});

test('links a job to its runs', async () => {
  const { panel } = await openPanel("Didn't run");
  const href = panel.getByRole('link', { name: 'Job 1' }).getAttribute('href');
  expect(href).toBe(`/monitoring/daily-checks?date=Last+90+Days&job=${buildId(1)}&state=all`);
});

test('ignores a job for 7 days, and undoes that from the message', async () => {
  const { page, panel, person, answers } = await openPanel("Didn't run");
  answers.on(ignoreDidntRun, done).on(unignoreDidntRun, done);
  await person.click(panel.getByRole('button', { name: 'Ignore Job 1' }));
  await person.click(page.getByRole('button', { name: '7 days' }));
  await page.findByText('Job 1 is ignored.');
  expect(answers.asked(ignoreDidntRun)).toEqual([
    {
      params: { jobInstanceUid: buildId(1) },
      query: undefined,
      body: { ignoredUntil: '2026-03-22T12:00:00.000Z' },
    },
  ]);
  await person.click(page.getByRole('button', { name: 'Undo' }));
  await page.findByText('Job 1 is shown again.');
  expect(answers.asked(unignoreDidntRun)[0]?.params).toEqual({ jobInstanceUid: buildId(1) });
});

test('removes a job from the list as soon as it is ignored', async () => {
  const jobs = [buildInactiveJob(1), buildInactiveJob(2)];
  const { page, panel, person, answers } = await openPanel("Didn't run", answersWith(jobs));
  answers.on(ignoreDidntRun, ({ params }) => {
    for (const job of jobs) job.isIgnored ||= job.jobInstanceUid === params.jobInstanceUid;
    return done;
  });
  await person.click(panel.getByRole('button', { name: 'Ignore Job 1' }));
  await person.click(page.getByRole('button', { name: 'Permanently' }));
  await waitFor(() => expect(panel.queryByText('Job 1')).toBeNull());
  panel.getByText('Job 2');
  expect(answers.asked(ignoreDidntRun)[0]?.body).toEqual({});
});

test('shows the ignored jobs on demand, with until when, and shows one again', async () => {
  const ignored = buildInactiveJob(1, { isIgnored: true, ignoredUntil: new Date(2026, 2, 22, 12).toISOString() });
  const { panel, person, page, answers } = await openPanel("Didn't run", answersWith([ignored, buildInactiveJob(2)]));
  expect(panel.queryByText('Job 1')).toBeNull();
  await person.click(panel.getByRole('button', { name: 'Show ignored' }));
  await panel.findByText(/^ignored until 03\/22\/26/);
  answers.on(unignoreDidntRun, done);
  await person.click(panel.getByRole('button', { name: 'Show Job 1 again' }));
  await page.findByText('Job 1 is shown again.');
});

test('ignores disabled jobs by their own call', async () => {
  const disabled = buildInactiveJob(1, { expectedAt: null });
  const { page, panel, person, answers } = await openPanel('Disabled', answersWith([disabled]));
  answers.on(ignoreDisabled, done).on(unignoreDisabled, done);
  panel.getByText('disabled');
  await person.click(panel.getByRole('button', { name: 'Ignore Job 1' }));
  await person.click(page.getByRole('button', { name: '1 day' }));
  await page.findByText('Job 1 is ignored.');
  expect(answers.asked(ignoreDisabled)[0]?.body).toEqual({ ignoredUntil: '2026-03-16T12:00:00.000Z' });
});

test('keeps the job and says what the server said when it could not be ignored', async () => {
  const { page, panel, person, answers } = await openPanel("Didn't run");
  const message = 'Error while trying to add the job to the ignore, try again later.';
  answers.refuse(ignoreDidntRun, 500, { code: 'INTERNAL_ERROR', message });
  await person.click(panel.getByRole('button', { name: 'Ignore Job 1' }));
  await person.click(page.getByRole('button', { name: 'Permanently' }));
  expect((await page.findByRole('alert')).textContent).toContain(message);
  panel.getByText('Job 1');
});

test('offers nothing to ignore to those who may not', async () => {
  const user = buildUser({ roles: ['read-only'] });
  const { panel } = await openPanel("Didn't run", answersWith([buildInactiveJob(1)]), user);
  expect(panel.queryByRole('button', { name: /Ignore Job/ })).toBeNull();
});

test('shows the first 50 and more on demand, with the count of all', async () => {
  const jobs = Array.from({ length: 120 }, (_, number) => buildInactiveJob(number + 1));
  const { panel, person } = await openPanel("Didn't run", answersWith(jobs));
  panel.getByText('120');
  expect(panel.getAllByRole('link')).toHaveLength(50);
  await person.click(panel.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(panel.getAllByRole('link')).toHaveLength(100));
  await person.click(panel.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(panel.getAllByRole('link')).toHaveLength(120));
  expect(panel.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('says when the run was due, with its weekday', async () => {
  const expectedAt = new Date(2026, 2, 14, 6).toISOString();
  const { panel } = await openPanel("Didn't run", answersWith([buildInactiveJob(1, { expectedAt })]));
  panel.getByTitle('Was due Sat 03/14/26 06:00 AM');
});

test('does not report that all is fine while ignored jobs are hidden', async () => {
  const ignored = buildInactiveJob(1, { isIgnored: true });
  const { page } = openPortal({ path, user: buildUser(), answers: answersWith([ignored]) });
  const panel = within(await page.findByRole('region', { name: "Didn't run" }));
  await panel.findByText('No job is overdue. Ignored jobs are not shown.');
});
