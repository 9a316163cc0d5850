import { editProfile } from '@keepwatch/contract/identity/sessions';
import { listJobNames } from '@keepwatch/contract/insights/calendar';
import { fireEvent, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { dailyChecksFilters } from '../entities/daily-checks.ts';
import { buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { DEFAULT_FILTERS } from './filters.ts';
import { askedLists, buildExecution, serveRuns } from './testing/executions.ts';

const { saved } = dailyChecksFilters;

const PATH = '/monitoring/daily-checks';

async function open(
  path = PATH,
  user = buildUser({ preferences: { 'daily-checks.filters': saved(DEFAULT_FILTERS) } }),
) {
  const answers = serveRuns([1, 2, 3].map((number) => buildExecution(number)));
  answers.on(editProfile, { success: true, data: user });
  answers.on(listJobNames, { success: true, count: 0, data: [] });
  const opened = openPortal({ path, user, answers });
  await opened.page.findByText('Job 1');
  const choose = async (button: RegExp, choice: string) => {
    await opened.person.click(opened.page.getByRole('button', { name: button }));
    await opened.person.click(await opened.page.findByRole('option', { name: choice }));
  };
  const chooseDays = async (button: RegExp, preset: string) => {
    await opened.person.click(opened.page.getByRole('button', { name: button }));
    await opened.person.click(await opened.page.findByRole('button', { name: preset }));
  };
  return { ...opened, choose, chooseDays };
}

test('stores several changes in a row with one call that has all of them', async () => {
  const { answers, page } = await open();
  // Between the changes no time passes, however slowly they are drawn.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (const state of ['In progress', 'Resolved']) {
    fireEvent.click(page.getByRole('button', { name: /^State: / }));
    fireEvent.click(page.getByRole('option', { name: state }));
  }
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  await waitFor(() => expect(answers.asked(editProfile)).toHaveLength(1));
  expect(answers.asked(editProfile)[0]?.body.preferences).toEqual({
    'daily-checks.filters': saved({ ...DEFAULT_FILTERS, state: 'resolved' }),
  });
});

const STORED = buildUser({
  preferences: { 'daily-checks.filters': saved({ ...DEFAULT_FILTERS, state: 'all', source: ['office365'] }) },
});

// Otherwise a colleague who gets the address has other stored filters and sees other rows.
test('puts the stored filters into an address without filters, without another history entry', async () => {
  const { address, answers, router } = await open(PATH, STORED);
  await waitFor(() => expect(address()).toBe(`${PATH}?source=office365&state=all`));
  expect(router.history.length).toBe(1);
  expect(askedLists(answers)).toHaveLength(1);
  expect(askedLists(answers)[0]?.query.filter).toMatchObject({ source: ['office365'], state: 'all' });
});

test('the filters of a link replace the stored ones, including those that it omits', async () => {
  const { address, answers } = await open(`${PATH}?state=pending`, STORED);
  expect(askedLists(answers)[0]?.query.filter).toMatchObject({ state: 'pending' });
  expect(askedLists(answers)[0]?.query.filter).not.toHaveProperty('source');
  expect(address()).toBe(`${PATH}?state=pending`);
});

test('goes to another screen without passing its filters on', async () => {
  const { address, router, page } = await open(PATH, STORED);
  await router.navigate({ to: '/monitoring/forbidden' });
  await page.findByText("You don't have access to this page");
  expect(address()).toBe('/monitoring/forbidden');
});

// Otherwise a user who opens a colleague's link would find that link's company in the list the next morning.
test("what a link narrows to does not become the user's habit, what the user changes on it does", async () => {
  const { answers, choose } = await open(`${PATH}?source=office365&state=all`);
  await choose(/^State: /, 'Resolved');
  await waitFor(() => expect(answers.asked(editProfile)).toHaveLength(1));
  expect(answers.asked(editProfile)[0]?.body.preferences).toEqual({ 'daily-checks.filters': { state: ['resolved'] } });
});

test('a search is in the address but is not stored', async () => {
  // The database returns the names in its own order.
  const saved = { state: ['pending'], source: ['office365'] };
  const user = buildUser({ preferences: { 'daily-checks.filters': saved } });
  const { page, person, answers, address, portal } = await open(PATH, user);
  const stored = portal.session.get()?.user.preferences;
  await person.type(page.getByLabelText('Search runs'), 'sql');
  await waitFor(() => expect(askedLists(answers).at(-1)?.query.filter.search).toBe('sql'));
  expect(address()).toContain('search=sql');
  expect(portal.session.get()?.user.preferences).toBe(stored);
  expect(answers.asked(editProfile)).toEqual([]);
});

test('a choice applies in this browser even if the server fails to store it, without a message', async () => {
  const { page, answers, choose, portal } = await open();
  answers.refuse(editProfile, 422, { code: 'INTERNAL_ERROR', message: 'Not now.' });
  await choose(/^State: /, 'Resolved');
  await waitFor(() => expect(answers.asked(editProfile)).toHaveLength(1));
  expect(portal.session.get()?.user.preferences['daily-checks.filters']).toEqual({ state: ['resolved'] });
  expect(page.queryByText('Not now.')).toBeNull();
});

test('stores a changed filter even if the user opens another screen at once', async () => {
  const { answers, choose, router } = await open();
  await choose(/^State: /, 'Resolved');
  await router.navigate({ to: '/monitoring/forbidden' });
  await waitFor(() => expect(answers.asked(editProfile)).toHaveLength(1));
});

test.each([
  ['state=nonsense', { state: 'pending' }],
  ['source=office365&source=nonsense', { source: ['office365'] }],
  ['state=all&day=2026-02-31x', { state: 'all' }],
  ['state=all&managed=perhaps', { state: 'all' }],
  ['state=all&latest=perhaps', { state: 'all', latest: false }],
])('uses the valid part of a malformed address (%s)', async (query, filter) => {
  const { answers } = await open(`${PATH}?${query}`);
  expect(askedLists(answers)[0]?.query.filter).toMatchObject(filter);
});

test.each(['2026-01-25..2027-03-01', '2026-01-31..2026-01-25', '2026-01-25..', '2026-02-30', 'Any Time'])(
  'an address with the days %s shows the usual ones',
  async (days) => {
    const { answers, page } = await open(`${PATH}?state=all&day=${days}&date=${days}`);
    page.getByRole('button', { name: 'Last 2 days' });
    const { from = '', to = '' } = askedLists(answers)[0]?.query ?? {};
    expect(Date.parse(to) - Date.parse(from)).toBe(2 * 86_400_000 - 1);
  },
);

test('UTC days are on the button of the range, and choosing a range replaces them', async () => {
  const { answers, chooseDays, address } = await open(`${PATH}?day=2026-01-25..2026-01-31&state=all`);
  expect(askedLists(answers)[0]?.query.from).toBe('2026-01-25T00:00:00.000Z');
  await chooseDays(/^Jan 25 – Jan 31 \(UTC\)$/, 'Yesterday');
  await waitFor(() => expect(address()).toBe(`${PATH}?state=all&date=Yesterday`));
});

test('the latest runs can be asked for whenever they were, all runs only of some days', async () => {
  const { answers, page, address, choose, chooseDays } = await open();
  await choose(/^More filters/, 'Latest run per job');
  await waitFor(() => expect(askedLists(answers).at(-1)?.query.filter.latest).toBe(true));
  await chooseDays(/^Last 2 days$/, 'Any time');
  await waitFor(() => expect(askedLists(answers).at(-1)?.query).not.toHaveProperty('from'));
  expect(address()).toBe(`${PATH}?state=pending&latest=true&date=Any+Time`);
  await choose(/^More filters \(1\)/, 'Latest run per job');
  await page.findByRole('button', { name: 'Last 2 days' });
  await waitFor(() => expect(address()).toBe(`${PATH}?state=pending`));
});

// Who resolves "the chosen ones" must be able to see them: rows of another filter are not on the page.
test('another filter leaves nothing chosen', async () => {
  const { page, person, choose } = await open();
  await person.click(page.getByLabelText('Select Job 1 (Acme)'));
  await page.findByRole('toolbar', { name: 'Selected runs' });
  await choose(/^State: /, 'All');
  await waitFor(() => expect(page.queryByRole('toolbar', { name: 'Selected runs' })).toBeNull());
});
