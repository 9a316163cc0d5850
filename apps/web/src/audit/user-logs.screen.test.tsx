import { listUserLogs, type UserLog } from '@keepwatch/contract/audit/user-logs';
import { act, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildBranding, buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const path = '/monitoring/users-logs';
const admin = buildUser({ roles: ['admin'] });

function buildLog(number: number, fields: Partial<UserLog> = {}): UserLog {
  return {
    _id: buildId(number),
    at: '2026-03-02T08:00:00.000Z',
    userId: buildId(900),
    username: `user ${number}`,
    asUserId: null,
    asUsername: null,
    apiKey: null,
    action: 'source.edit',
    actionText: 'Source changed',
    targetKind: 'source',
    targetId: buildId(800),
    targetName: 'A console',
    address: '10.1.2.3',
    before: { name: 'Old', interval: 5, isEnabled: true },
    after: { name: 'A console', interval: 5, isEnabled: false },
    ...fields,
  };
}

function open(logs: readonly UserLog[], address = path, clock: { now?: Date } = {}) {
  const answers = createAnswers().on(listUserLogs, ({ query: { ids, search = '' } }) => {
    const data = logs.filter(({ _id, username }) => (ids?.includes(_id) ?? true) && username?.includes(search));
    return { success: true as const, count: data.length, data };
  });
  return openPortal(Object.assign(clock, { path: address, user: admin, answers }));
}

test('lists who did what to what, of the last 30 days, newest first', async () => {
  const { page, answers } = open([buildLog(1), buildLog(2, { targetKind: 'intake-token', targetName: null })]);
  await page.findByText('user 1');
  page.getByText('A console');
  page.getByText('Intake token');
  page.getByText('2 entries');
  const { from = '', to = '', sort } = answers.asked(listUserLogs)[0]?.query ?? {};
  expect([Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000), sort]).toEqual([30, '-at']);
});

test('shows before and after of an entry field by field, and leads to what else was done', async () => {
  const { page, person, address } = open([buildLog(1)]);
  await person.click(await page.findByText('user 1'));
  const panel = within(await page.findByRole('complementary', { name: 'Source changed' }));
  const rows = (await panel.findAllByRole('row')).map((row) =>
    [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent),
  );
  // What stayed as it was is not among them.
  expect(rows).toEqual([
    ['Field', 'Before', 'After'],
    ['Name', 'Old', 'A console'],
    ['Is enabled', 'yes', 'no'],
  ]);
  expect(address()).toBe(`${path}?open=${buildId(1)}`);
  expect(panel.getByRole('link', { name: 'user 1' }).getAttribute('href')).toBe(`${path}?user=${buildId(900)}`);
  expect(panel.getByRole('link', { name: 'A console' }).getAttribute('href')).toBe(`${path}?target=${buildId(800)}`);
});

test('narrows by the address, and by what the person chooses', async () => {
  const { page, person, answers, address } = open([buildLog(1)], `${path}?user=${buildId(900)}&date=Today`);
  const filters = within(await page.findByRole('region', { name: 'Filters' }));
  await person.click(filters.getByRole('button', { name: 'Action' }));
  await person.click(await page.findByRole('option', { name: 'Signed in' }));
  await waitFor(() =>
    expect(answers.asked(listUserLogs).at(-1)?.query).toMatchObject({
      userIds: [buildId(900)],
      actions: ['session.sign-in'],
    }),
  );
  expect(address()).toContain('action=session.sign-in');
});

test('names the user and the target to which the list is narrowed, also where the days have no entry of them', async () => {
  const old = buildLog(1);
  const answers = createAnswers().on(listUserLogs, ({ query: { from, userIds, targetIds } }) => {
    const data = from === undefined && (userIds ?? targetIds) !== undefined ? [old] : [];
    return { success: true as const, count: data.length, data };
  });
  const { page } = openPortal({ path: `${path}?user=${buildId(900)}&target=${buildId(800)}`, user: admin, answers });
  await page.findByRole('button', { name: 'Remove User: user 1' });
  await page.findByRole('button', { name: 'Remove Target: A console' });
});

test('says how many users and targets where it is not one', async () => {
  const { page } = open([], `${path}?user=${buildId(900)}&user=${buildId(901)}&target=${buildId(800)}`);
  await page.findByRole('button', { name: 'Remove 2 users' });
  // Nothing is known of it.
  page.getByRole('button', { name: 'Remove One target' });
});

test('asks for the entries of today from midnight on', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = { now: new Date(2026, 2, 2, 23, 59) };
  const { answers, page } = open([buildLog(1)], `${path}?date=Today`, clock);
  await page.findByText('user 1');
  const firstDay = () => answers.asked(listUserLogs).at(-1)?.query.from;
  expect(firstDay()).toBe(new Date(2026, 2, 2).toISOString());
  clock.now = new Date(2026, 2, 3, 0, 1);
  act(() => vi.advanceTimersByTime(60_000));
  await waitFor(() => expect(firstDay()).toBe(new Date(2026, 2, 3).toISOString()));
});

test('says that nothing matches and how to see more, and that nothing was done', async () => {
  const { page, person } = open([], `${path}?search=unknown`);
  await page.findByText('No matching entry');
  await person.click(page.getByRole('button', { name: 'Remove the filters' }));
  await page.findByText('No entries on these days');
});

test('is closed to those to whom the brand shows no reports', async () => {
  const { features } = buildBranding();
  const branding = buildBranding({ features: { ...features, reporting: { enabled: true, visibleFor: ['operator'] } } });
  const { address } = openPortal({ path, user: admin, answers: createAnswers(), branding });
  await waitFor(() => expect(address()).toContain('/monitoring/forbidden'));
});
