import { listUsersToNotify } from '@keepwatch/contract/directory/users';
import {
  deleteM365Job,
  disableM365Job,
  editJobNotification,
  listM365Jobs,
  listProxies,
  listSessionLog,
  type Microsoft365Job,
  readJobNotification,
  readLatestSession,
  readM365Job,
  startM365Job,
  stopM365Job,
} from '@keepwatch/contract/microsoft365/jobs';
import { listOrganizationNames } from '@keepwatch/contract/microsoft365/organizations';
import { listRepositoriesOf } from '@keepwatch/contract/microsoft365/repositories';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildOrganizationName, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildJob, buildSession } from '../testing/builders.ts';

const path = '/o365/jobs';
const user = buildUser({ roles: ['o365_admin'] });
const organization = buildOrganizationName();

const running = buildSession(41, {
  status: 'Running',
  endTime: null,
  progress: 42,
  expectedEndTime: '2026-03-15T12:10:00.000Z',
  statistics: { ...buildSession(41).statistics, processingRateBytesPS: 12 * 1_024 ** 2 },
});
const failed = buildSession(42, {
  status: 'Warning',
  statistics: { ...buildSession(42).statistics, itemsLost: 2 },
});

function answersWith(rows: Microsoft365Job[], sessions = [failed, buildSession(43), buildSession(44)]) {
  const [latest = null, ...history] = sessions;
  return createAnswers()
    .on(listM365Jobs, { success: true, count: rows.length, data: rows })
    .on(listOrganizationNames, { success: true, data: [organization] })
    .on(listProxies, { success: true, data: [] })
    .on(listRepositoriesOf, { success: true, data: [] })
    .on(readM365Job, ({ params: { jobId } }) => {
      const job = rows.find(({ id }) => id === jobId);
      if (job === undefined) throw new Error(`The test has no job ${jobId}.`);
      return {
        success: true as const,
        data: { ...job, selectedItems: { results: [] }, excludedItems: { results: [] } },
      };
    })
    .on(readLatestSession, { success: true, data: latest, history })
    .on(listSessionLog, ({ query: { type = ['info', 'warning', 'error'], limit, offset } }) => {
      const lines = logLines().filter((line) => type.includes(line.type));
      return { success: true as const, count: lines.length, data: lines.slice(offset, offset + limit) };
    });
}

/** 150 lines, two of them problems. */
function logLines() {
  return Array.from({ length: 150 }, (_, place) => ({
    creationTime: '2026-03-15T02:00:00.000Z',
    type: place === 5 || place === 6 ? ('error' as const) : ('info' as const),
    objectName: place === 5 ? 'Ada Lovelace' : null,
    message: place === 5 ? 'The mailbox has no licence.' : `Line ${place}`,
  }));
}

const nightly = buildJob(30, {
  name: 'Nightly',
  excludedCount: 3,
  restorePoints: 41,
  lastSession: buildSession(40),
});

async function openOne(job = nightly, sessions?: (typeof failed)[]) {
  const opened = openPortal({ path: `${path}?open=${job.id}`, user, answers: answersWith([job], sessions) });
  const panel = within(await opened.page.findByRole('complementary', { name: job.name }));
  return { ...opened, panel };
}

test('lists each job as a sentence, with how its last run ended', async () => {
  const { page } = openPortal({ path, user, answers: answersWith([nightly]) });
  await page.findByText('Nightly');
  page.getByText('Daily at 22:00, the whole organization but 3, 41 restore points, last one complete');
  const grid = within(page.getByRole('grid', { name: 'Jobs' }));
  grid.getByText('Success');
  page.getByText('1 job');
});

test('shows progress, rate and estimate of a job that runs, and stops it from its row', async () => {
  const answers = answersWith([{ ...nightly, lastSession: running }]).on(stopM365Job, { success: true });
  const { page, person } = openPortal({ path, user, answers });
  await page.findByText('42% · 12 MB/s · ends in 10 minutes');
  await person.click(page.getByRole('button', { name: 'Stop Nightly' }));
  await page.findByText('Nightly is stopping; what it has read stays.');
  expect(answers.asked(stopM365Job)).toMatchObject([
    { params: { jobId: nightly.id }, body: { organizationId: buildId(10), organizationName: 'Organization 10' } },
  ]);
});

test('says that a run ends soon when its estimate has nearly passed', async () => {
  const lastSession = {
    ...running,
    expectedEndTime: new Date(Date.parse(running.expectedEndTime ?? '') - 600_000).toISOString(),
  };
  const { page } = openPortal({ path, user, answers: answersWith([{ ...nightly, lastSession }]) });
  await page.findByText('42% · 12 MB/s · ends soon');
});

test('reads jobs again when the server says that they have changed', async () => {
  const answers = answersWith([nightly]);
  const { page } = openPortal({ path, user, answers });
  await page.findByText('Success');
  answers.on(listM365Jobs, { success: true, count: 1, data: [{ ...nightly, lastSession: failed }] });
  answers.emit('m365-jobs.changed');
  await page.findByText('Warning');
});

test('starts a job, and says why one cannot be started', async () => {
  const answers = answersWith([nightly]);
  const message = 'The job already runs.';
  answers.refuse(startM365Job, 409, { code: 'JOB_RUNNING', message });
  const { page, person } = openPortal({ path, user, answers });
  const start = await page.findByRole('button', { name: 'Start Nightly' });
  await person.click(start);
  await page.findByText(message);
  answers.on(startM365Job, { success: true, data: { sessionId: buildId(41) } });
  await person.click(start);
  await page.findByText('Nightly has been asked to run.');
});

test('leads from an empty list to the wizard', async () => {
  const { page, person, address } = openPortal({ path, user, answers: answersWith([]) });
  await person.click(await page.findByRole('button', { name: 'Create job' }));
  await page.findByRole('heading', { name: /^Basics/ });
  expect(address()).toBe('/o365/jobs/1');
});

test('leads from an empty list to the organizations where there is none', async () => {
  const answers = answersWith([]).on(listOrganizationNames, { success: true, data: [] });
  const { page } = openPortal({ path, user, answers });
  const link = await page.findByRole('link', { name: 'Connect organization' });
  expect(link.getAttribute('href')).toBe('/o365/organizations/new/1');
});

test('shows the last run with its counters, and first the items that it could not read', async () => {
  const { panel, person } = await openOne();
  await panel.findByText('Last run');
  panel.getByText('40 of 40');
  panel.getByText('1,200');
  await panel.findByText('The mailbox has no licence.');
  panel.getByText(/Ada Lovelace/);
  expect(panel.queryByText('Line 0')).toBeNull();
  await person.click(panel.getByRole('button', { name: 'Problems only' }));
  await panel.findByText('Line 0');
  expect(panel.queryByText('Line 149')).toBeNull();
  await person.click(panel.getByRole('button', { name: 'Show more (50 left)' }));
  await panel.findByText('Line 149');
});

test('shows the runs as bars, each of which opens its run', async () => {
  const long = buildSession(44, { endTime: '2026-03-15T04:00:00.000Z' });
  const { panel, person } = await openOne(nightly, [failed, buildSession(43), long]);
  const bars = within(await panel.findByRole('group', { name: 'Runs, by how long each took' })).getAllByRole('button');
  expect(bars).toHaveLength(3);
  expect(bars[0]?.getAttribute('aria-label')).toMatch(/^Success, .*, 2h$/);
  expect(bars[2]?.getAttribute('aria-pressed')).toBe('true');
  await person.click(bars[0] as HTMLElement);
  await panel.findByText('Run');
  panel.getByText('2h');
});

test('shows what a job does above its last run', async () => {
  const { panel } = await openOne();
  await panel.findByText('Last run');
  const titles = panel.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(titles.slice(0, 3)).toEqual(['Job', 'Last proof', 'Last run']);
  const terms = panel.getAllByRole('term').map(({ textContent }) => textContent);
  expect(terms.slice(0, 5)).toEqual(['Selection', 'Schedule', 'Time zone', 'Next run', 'Repository']);
});

test('says that a job has not run yet', async () => {
  const { panel } = await openOne(nightly, []);
  await panel.findByText('It has not run yet.');
});

test('offers no proofs of a job of a Veeam server', async () => {
  const { panel } = await openOne({ ...nightly, engine: 'veeam' });
  panel.getByRole('button', { name: 'Notifications' });
  expect(panel.queryByRole('button', { name: 'Proofs' })).toBeNull();
  expect(panel.queryByText('Last proof')).toBeNull();
});

test('lists the workers, with what each does now', async () => {
  const { page, person, answers } = await openOne();
  const worker = { id: buildId(70), version: '2.2.14', seenAt: '2026-03-15T05:00:00.000Z', capacity: 4 };
  const run = { jobId: nightly.id, jobName: 'Nightly', organizationName: 'Contoso', startTime: worker.seenAt };
  answers.on(listProxies, {
    success: true,
    data: [
      { ...worker, name: 'worker-1', pool: 'Berlin', isOnline: true, running: 3, runs: [run] },
      { ...worker, id: buildId(71), name: 'worker-2', pool: null, isOnline: false, running: 0, runs: [] },
    ],
  });
  await person.click(page.getByRole('button', { name: 'Workers' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Workers' }));
  await dialog.findByRole('heading', { name: 'worker-1' });
  dialog.getByText('3 of 4 places');
  dialog.getByText('Berlin');
  expect(dialog.getByRole('list', { name: 'Runs of worker-1' }).textContent).toBe('Nightly Contoso');
  dialog.getByText(/^Offline, last seen /);
});

test('disables a job', async () => {
  const { panel, page, person, answers } = await openOne();
  answers.on(disableM365Job, { success: true });
  await person.click(panel.getByRole('button', { name: 'Disable' }));
  await page.findByText('Nightly no longer runs by its schedule.');
});

test('deletes a job once that was confirmed', async () => {
  const { panel, page, person, answers, address } = await openOne();
  answers.on(deleteM365Job, { success: true });
  await person.click(panel.getByRole('button', { name: 'Delete…' }));
  await person.click(await page.findByRole('button', { name: 'Delete job' }));
  await page.findByText('The job Nightly has been deleted.');
  await waitFor(() => expect(address()).toBe(path));
  expect(answers.asked(deleteM365Job)[0]?.body).toEqual({
    organizationId: buildId(10),
    organizationName: 'Organization 10',
  });
});

test('changes who is mailed', async () => {
  const { panel, page, person, answers } = await openOne();
  const before = {
    jobId: nightly.id,
    organizationId: buildId(10),
    enabled: true,
    userIds: [],
    externalAddresses: ['it@contoso.test'],
    notifyOnFailure: false,
  };
  answers
    .on(readJobNotification, { success: true, data: before })
    .on(editJobNotification, { success: true, data: before })
    .on(listUsersToNotify, {
      success: true,
      count: 1,
      users: [{ _id: buildId(7), name: 'Ada', email: 'ada@contoso.test' }],
    });
  await person.click(panel.getByRole('button', { name: 'Notifications' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Notifications of Nightly' }));
  await person.click(await dialog.findByLabelText('Only if something failed'));
  await person.click(dialog.getByRole('button', { name: /^Users/ }));
  await person.click(await page.findByText('Ada'));
  expect(answers.asked(listUsersToNotify)[0]?.params).toEqual({ veeamId: nightly.companyId });
  await person.keyboard('{Escape}');
  await person.type(dialog.getByLabelText('Other addresses'), '\nboss@contoso.test');
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  await page.findByText('The notifications of Nightly have been changed.');
  expect(answers.asked(editJobNotification)[0]?.body).toEqual({
    organizationId: buildId(10),
    enabled: true,
    notifyOnFailure: true,
    userIds: [buildId(7)],
    externalAddresses: ['it@contoso.test', 'boss@contoso.test'],
  });
});

test('shows as a chip what a figure of the dashboard narrowed it to, and removes it', async () => {
  const answers = answersWith([nightly]);
  const { page, person } = openPortal({ path: `${path}?ranOn=2026-03-14&status=Failed`, user, answers });
  await page.findByText('Nightly');
  expect(answers.asked(listM365Jobs)[0]?.query).toMatchObject({ status: ['Failed'] });
  expect(answers.asked(listM365Jobs)[0]?.query.ranOn).toMatch(/^2026-03-14T00:00/);
  await person.click(page.getByRole('button', { name: 'Remove Ran on 03/14/26 (UTC)' }));
  await waitFor(() => expect(answers.asked(listM365Jobs).at(-1)?.query.ranOn).toBeUndefined());
});

test('lists jobs that have never run, as the dashboard counts them', async () => {
  const answers = answersWith([nightly]);
  const { page } = openPortal({ path: `${path}?only=never-run`, user, answers });
  await page.findByRole('button', { name: 'Remove Never run' });
  expect(answers.asked(listM365Jobs).at(-1)?.query.only).toBe('never-run');
});

test('says of a run that no worker has begun that it waits for one', async () => {
  const waiting = buildSession(45, { status: 'Running', endTime: null, progress: null, proxyName: null });
  const { page } = openPortal({ path, user, answers: answersWith([buildJob(31, { lastSession: waiting })]) });
  await page.findAllByText(/Waiting for a worker/);
});
