import { editJobExecutions, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { editProfile } from '@keepwatch/contract/identity/sessions';
import { getLastSync } from '@keepwatch/contract/sources/sources';
import { act, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dailyChecksFilters } from '../entities/daily-checks.ts';
import { createAnswers } from '../testing/answers.ts';
import { buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { DEFAULT_FILTERS } from './filters.ts';
import { askedLists, buildExecution, runId, serveRuns } from './testing/executions.ts';

const { saved } = dailyChecksFilters;

const PATH = '/monitoring/daily-checks';
const three = () => [1, 2, 3].map((number) => buildExecution(number));

test('asks for pending runs of the last two days, with anomalies and without ignored ones', async () => {
  const { page, answers } = openPortal({ path: PATH, user: buildUser(), answers: serveRuns(three()) });
  await page.findByText('Job 1');
  const query = askedLists(answers)[0]?.query;
  expect(query).toMatchObject({
    filter: { state: 'pending', anomaly: true, ignored: false },
    sort: '-startedAt',
    limit: 50,
    offset: 0,
  });
  const rangeMs = Date.parse(query?.to ?? '') - Date.parse(query?.from ?? '');
  expect(rangeMs).toBe(2 * 86_400_000 - 1);
});

test('shows of each run who, what, how it ended and why', async () => {
  const run = buildExecution(1, {
    anomalies: ['duration'],
    anomalyTexts: ['took 10 m, usually 2 m'],
    match: 'doubtful',
    attempts: 3,
  });
  const { page } = openPortal({ path: PATH, user: buildUser(), answers: serveRuns([run]) });
  const row = (await page.findByText('Job 1')).closest<HTMLElement>('[role="row"]') ?? document.body;
  for (const text of ['Acme', 'Failed', '10m', '1 MB', 'took 10 m, usually 2 m', 'Message of run 1'])
    within(row).getByText(text, { exact: false });
  for (const name of ['May be another job', '3 attempts']) within(row).getByRole('img', { name });
  expect(within(row).queryByText('Pending'), 'all are').toBeNull();
  within(row).getByRole('img', { name: 'Managed servers' });
});

test('follows the address, whatever filters the user has stored', async () => {
  const user = buildUser({
    preferences: { 'daily-checks.filters': saved({ ...DEFAULT_FILTERS, source: ['office365'] }) },
  });
  const path = `${PATH}?state=all&result=Failed&result=Warning&anomaly=false&day=2026-03-10&sort=-durationMs`;
  const { page, answers } = openPortal({ path, user, answers: serveRuns(three()) });
  await page.findByText('Job 1');
  expect(askedLists(answers)[0]?.query).toEqual({
    from: '2026-03-10T00:00:00.000Z',
    to: '2026-03-10T23:59:59.999Z',
    filter: { state: 'all', type: ['Failed', 'Warning'], anomaly: false, ignored: false, latest: false },
    sort: '-durationMs',
    limit: 50,
    offset: 0,
  });
  page.getByRole('button', { name: 'Mar 10 (UTC)' });
  expect(page.queryByRole('button', { name: 'Select Date' })).toBeNull();
});

test.each([
  ['Yesterday', '2026-03-15T03:59:59.999Z', '2026-03-13T04:00:00.000Z', '2026-03-14T03:59:59.999Z'],
  ['Yesterday', '2026-03-15T04:00:00.000Z', '2026-03-14T04:00:00.000Z', '2026-03-15T03:59:59.999Z'],
  ['Last 2 Days', '2026-03-08T17:00:00.000Z', '2026-03-07T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
])('%s at %s is of the provider in New York, also over a change of its clocks', async (date, now, from, to) => {
  const backupClock = { ...buildUser().backupClock, timeZone: 'America/New_York' };
  const answers = serveRuns(three());
  const path = `${PATH}?state=all&date=${encodeURIComponent(date)}`;
  const { page } = openPortal({ path, user: buildUser({ backupClock }), answers, now: new Date(now) });
  await page.findByText('Job 1');
  expect(askedLists(answers)[0]?.query).toMatchObject({ from, to });
  page.getByRole('columnheader', { name: /^Started \(New York\)/ });
});

test('opens with the filters that the user last used, and stores a change', async () => {
  const user = buildUser({
    preferences: { 'daily-checks.filters': saved({ ...DEFAULT_FILTERS, source: ['office365'] }) },
  });
  const answers = serveRuns(three()).on(editProfile, { success: true as const, data: user });
  const { page, person, address } = openPortal({ path: PATH, user, answers });
  await page.findByText('Job 1');
  expect(askedLists(answers)[0]?.query.filter.source).toEqual(['office365']);
  await person.click(page.getByRole('button', { name: 'State: Pending' }));
  await person.click(await page.findByRole('option', { name: 'All' }));
  await waitFor(() => expect(askedLists(answers).at(-1)?.query.filter.state).toBe('all'));
  expect(address()).toContain('state=all');
  expect(address()).toContain('source=office365');
  await waitFor(() => expect(answers.asked(editProfile)).toHaveLength(1));
  expect(answers.asked(editProfile)[0]?.body.preferences).toMatchObject({
    'daily-checks.filters': { state: ['all'], source: ['office365'] },
  });
});

test('says what narrows the list, and shows all of it again with one click', async () => {
  const answers = serveRuns(three());
  const path = `${PATH}?state=all&search=sql`;
  const { page, person, address } = openPortal({ path, user: buildUser(), answers });
  await page.findByText('3 of 3 runs');
  page.getByText(', filtered by “sql”');
  await person.click(page.getByRole('button', { name: 'Clear' }));
  await waitFor(() => expect(address()).toBe(`${PATH}?state=all`));
  await page.findByText('3 runs');
  expect(askedLists(answers).at(-1)?.query.filter.search).toBeUndefined();
});

test('orders by a column', async () => {
  const answers = serveRuns(three());
  const { page, person, address } = openPortal({ path: PATH, user: buildUser(), answers });
  await page.findByText('Job 1');
  await person.click(page.getByRole('button', { name: 'Duration' }));
  await waitFor(() => expect(askedLists(answers).at(-1)?.query.sort).toBe('durationMs'));
  expect(address()).toContain('sort=durationMs');
});

test('gives a reader the list and the log, and nothing to change', async () => {
  const answers = serveRuns(three());
  const user = buildUser({ roles: ['read-only'] });
  const { page, person } = openPortal({ path: PATH, user, answers });
  await person.click(await page.findByText('Job 1'));
  const drawer = await page.findByRole('dialog', { name: 'Job execution: Job 1' });
  await within(drawer).findByText('Message of run 1');
  for (const name of ['Resolve', 'In progress', 'Ignore', 'Save note']) {
    expect(page.queryByRole('button', { name }), name).toBeNull();
  }
  expect(page.queryByRole('checkbox')).toBeNull();
  await person.keyboard('r');
  expect(answers.asked(editJobExecutions)).toEqual([]);
});

test('says that all is clear, and leads on to everything', async () => {
  const user = buildUser();
  const answers = serveRuns([buildExecution(1, { state: 'resolved' })]).on(editProfile, {
    success: true as const,
    data: user,
  });
  const { page, person } = openPortal({ path: PATH, user: buildUser(), answers });
  await page.findByText('All clear for the last 2 days');
  await person.click(page.getByRole('button', { name: 'Show all results' }));
  await page.findByText('Job 1');
});

test('says that nothing ran, not that all is clear, where the days have no run', async () => {
  const answers = serveRuns([]);
  const none = { success: true as const, data: [] };
  answers.on(listJobExecutions, ({ query: { limit, offset, filter } }) => ({
    ...none,
    count: filter.latest ? 3 : 0,
    query: { limit, offset, from: null, to: null },
  }));
  const { page } = openPortal({ path: PATH, user: buildUser(), answers });
  await page.findByText('No runs for the last 2 days');
  expect(page.queryByText(/All clear/)).toBeNull();
});

test('says that there are no runs yet where no job has ever run', async () => {
  const { page } = openPortal({ path: PATH, user: buildUser(), answers: serveRuns([]) });
  await page.findByText('No runs yet');
  expect(page.queryByText(/All clear/)).toBeNull();
});

test('says that nothing has been read if there is no source', async () => {
  const answers = serveRuns([]).on(getLastSync, {
    success: true as const,
    status: 'NEVER',
    lastSync: null,
    failed: [],
  });
  const user = buildUser({ roles: ['operator', 'admin'] });
  const { page } = openPortal({ path: PATH, user, answers });
  await page.findByText('No runs yet');
  expect(page.getByRole('link', { name: 'Connect a source' }).getAttribute('href')).toBe('/monitoring/sources');
});

test('offers to clear the filters if no run matches', async () => {
  const { page } = openPortal({ path: `${PATH}?state=pending&search=nope`, user: buildUser(), answers: serveRuns([]) });
  await page.findByText('No runs match these filters');
  page.getByRole('button', { name: 'Reset filters' });
});

test('shows what went wrong, and tries again', async () => {
  const answers = createAnswers().refuse(listJobExecutions, 403, {
    code: 'INTERNAL_ERROR',
    message: 'The list is closed today.',
  });
  const { page, person } = openPortal({ path: PATH, user: buildUser(), answers });
  await page.findByText('The list is closed today.');
  const again = serveRuns(three());
  answers.on(listJobExecutions, () => ({
    success: true as const,
    count: 1,
    data: [buildExecution(1)],
    query: { limit: 1, offset: 0, from: '2026-03-14T00:00:00.000Z', to: '2026-03-15T00:00:00.000Z' },
  }));
  await person.click(page.getByRole('button', { name: 'Try again' }));
  await page.findByText('Job 1');
  expect(again.unexpected).toEqual([]);
});

test('announces new runs quietly and shows them on request', async () => {
  const answers = serveRuns(three());
  const { page, person } = openPortal({ path: PATH, user: buildUser(), answers });
  await page.findByText('Job 1');
  const more = serveRuns([buildExecution(9), ...three()]);
  answers.on(listJobExecutions, async ({ query }) => {
    const reply = await more.fetch(`/api/monitoring/reporting/jobs?filter.state=pending&limit=${query.limit}`);
    return reply.json();
  });
  answers.emit('executions.changed');
  const pill = await page.findByRole('button', { name: '1 new failure' });
  expect(page.queryByText('Job 9')).toBeNull();
  await person.click(pill);
  await page.findByText('Job 9');
  await waitFor(() => expect(page.queryByRole('button', { name: '1 new failure' })).toBeNull());
});

test('opens the run of the address', async () => {
  const path = `${PATH}?execution=${runId(2)}`;
  const { page } = openPortal({ path, user: buildUser(), answers: serveRuns(three()) });
  await page.findByRole('dialog', { name: 'Job execution: Job 2' });
});

test('a page that stays open over night asks for the days of the new day', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { page, portal, answers } = openPortal({
    path: `${PATH}?date=Yesterday&state=pending`,
    user: buildUser(),
    answers: serveRuns([buildExecution(1)]),
  });
  await page.findByText('Job 1');
  const days = () => askedLists(answers).map(({ query }) => new Date(query.from ?? 0).getDate());
  expect(days().at(-1)).toBe(14);
  vi.spyOn(portal.clock, 'now').mockReturnValue(new Date('2026-03-16T12:00:00.000Z'));
  act(() => void vi.advanceTimersByTime(60_000));
  await waitFor(() => expect(days().at(-1)).toBe(15));
});
