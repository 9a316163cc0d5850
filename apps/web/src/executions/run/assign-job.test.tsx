import { assignJobExecutions, type JobCandidate } from '@keepwatch/contract/executions/job-executions';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildExecution, runId, serveRuns } from '../testing/executions.ts';

const jobId = (number: number) => `0193c000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const NAME = 'Server Protection (one of 2 with this name)';

function candidate(number: number, fields: Partial<JobCandidate> = {}): JobCandidate {
  return {
    jobInstanceUid: jobId(number),
    jobName: 'Server Protection',
    jobType: 'EntireComputer',
    serverName: `SRV-0${number}`,
    targetName: 'Vault',
    lastStartedAt: '2026-03-15T10:00:00.000Z',
    lastResult: 'Success',
    ...fields,
  };
}

async function openShared(roles: Parameters<typeof buildUser>[0] = {}) {
  const runs = [buildExecution(1, { jobName: NAME, sharedBy: 2 }), buildExecution(2)];
  const candidates = [candidate(1), candidate(2, { lastStartedAt: null, lastResult: null })];
  const answers = serveRuns(runs, { [runId(1)]: { candidates } });
  const path = `/monitoring/daily-checks?execution=${runId(1)}` as const;
  const portal = openPortal({ path, user: buildUser(roles), answers });
  const drawer = within(await portal.page.findByRole('dialog', { name: `Job execution: ${NAME}` }));
  return { ...portal, answers, drawer };
}

test('offers the jobs that a run may belong to, with what distinguishes them', async () => {
  const { drawer } = await openShared();
  const section = within(await drawer.findByRole('region', { name: 'Assign to a job' }));
  const jobs = section.getAllByRole('listitem').map((job) => job.textContent);
  expect(jobs).toEqual([
    'SRV-01Agent (whole computer) · VaultLast run 2 hours agoSuccessAssign',
    'SRV-02Agent (whole computer) · VaultNever runAssign',
  ]);
  section.getByText(/2 jobs of the company share the name/);
});

test('assigns the run to the job chosen with the keyboard, and continues with its new id', async () => {
  const { answers, drawer, person, page, address } = await openShared();
  const data = [{ _id: runId(1), assignedId: runId(2) }];
  answers.on(assignJobExecutions, { success: true, data, notFound: [] });
  const button = await drawer.findByRole('button', {
    name: 'Assign to Server Protection, SRV-02, Agent (whole computer)',
  });
  button.focus();
  await person.keyboard('{Enter}');
  const question = await page.findByRole('dialog', {
    name: 'Assign to Server Protection, SRV-02, Agent (whole computer)?',
  });
  expect(question.textContent).toMatch(
    /The run of \d\d\/\d\d\/26 .+ \(Acme\) becomes a run of this job\. This cannot be undone\./,
  );
  expect(answers.asked(assignJobExecutions)).toEqual([]);
  await person.keyboard('{Enter}');
  await page.findByText('Run assigned to Server Protection on SRV-02.');
  expect(answers.asked(assignJobExecutions).map(({ body }) => body)).toEqual([
    { ids: [runId(1)], jobInstanceUid: jobId(2) },
  ]);
  await page.findByRole('dialog', { name: 'Job execution: Job 2' });
  expect(address()).toContain(runId(2));
});

test('assigns nothing after Cancel', async () => {
  const { answers, drawer, person, page } = await openShared();
  await person.click((await drawer.findAllByRole('button', { name: /^Assign to/ }))[0] ?? document.body);
  await person.click(await page.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(page.queryByRole('button', { name: 'Assign run' })).toBeNull());
  expect(answers.asked(assignJobExecutions)).toEqual([]);
});

test('says why a run cannot be assigned to a job', async () => {
  const { answers, drawer, person, page } = await openShared();
  const message = '"Server Protection" already has a run that began at that time.';
  answers.refuse(assignJobExecutions, 409, { code: 'CONFLICT', message });
  await person.click((await drawer.findAllByRole('button', { name: /^Assign to/ }))[0] ?? document.body);
  await person.click(await page.findByRole('button', { name: 'Assign run' }));
  await page.findByText(message);
});

test('shows a reader the jobs and no way to assign', async () => {
  const { drawer } = await openShared({ roles: ['read-only'] });
  const section = within(await drawer.findByRole('region', { name: 'Possible jobs' }));
  expect(section.getAllByRole('listitem')).toHaveLength(2);
  expect(section.queryByRole('button')).toBeNull();
});

test('offers nothing for a run whose job is known', async () => {
  const { page } = openPortal({
    path: `/monitoring/daily-checks?execution=${runId(2)}`,
    user: buildUser(),
    answers: serveRuns([buildExecution(2)]),
  });
  const drawer = within(await page.findByRole('dialog', { name: 'Job execution: Job 2' }));
  await drawer.findByText('Message of run 2');
  expect(drawer.queryByRole('region', { name: 'Assign to a job' })).toBeNull();
});
