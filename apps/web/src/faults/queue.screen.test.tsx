import { editJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { editFaults, listCauses, listFaults } from '@keepwatch/contract/faults/faults';
import { editProfile } from '@keepwatch/contract/identity/sessions';
import { getChanges } from '@keepwatch/contract/insights/changes';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import {
  buildFault,
  buildSharing,
  causeKey,
  type FaultServer,
  MADE_AT,
  serveFaults,
  viewing,
} from './testing/faults.ts';

const PATH = '/monitoring/queue?state=open';

function openQueue(server: FaultServer, path = PATH, user = buildUser()) {
  server.answers.on(editProfile, { success: true, data: user });
  return { ...openPortal({ path, user, answers: server.answers }), server };
}

/** The row in which a text is. */
const rowOf = (text: HTMLElement) => text.closest<HTMLElement>('[role="row"]') ?? document.body;

test('shows one line a cause, and a cause with one fault as that fault', async () => {
  const single = buildFault(1, { anomalyTexts: ['took 8m 41s, usually 2m'], runs: 9, lastResults: 'SFD' });
  const { page } = openQueue(serveFaults([...buildSharing([2, 3, 4]), single]));
  const cause = within(rowOf(await page.findByText('vbr-03 does not answer')));
  cause.getByText('3 jobs, 1 company');
  cause.getByText('same server', { exact: false });
  const fault = within(rowOf(page.getByText('Job 1')));
  for (const text of ['Acme', 'Failed', '9 runs', '4 days']) fault.getByText(text);
  fault.getByText(/took 8m 41s, usually 2m\s+Message of fault 1/);
  fault.getByRole('img', { name: "Last 3 runs: 1 fine, 1 failed, 1 didn't run; the last one didn't run" });
  await page.findByText('4 faults, 2 causes');
});

test('resolves a cause as one, and undoes it with z', async () => {
  const { page, person, answers } = openQueue(serveFaults([...buildSharing([2, 3, 4]), buildFault(1)]));
  await page.findByText('vbr-03 does not answer');
  await person.keyboard('jr');
  await page.findByText('vbr-03 does not answer: 3 jobs, 1 company resolved.');
  expect(answers.asked(editFaults)[0]?.body).toEqual({
    of: {
      cause: causeKey(99),
      filter: { state: ['pending', 'in-progress'], lastStartedUntil: '2026-03-15T08:00:00.000Z' },
      withoutOthers: true,
    },
    change: { state: 'resolved' },
  });
  expect(page.queryByText('3 jobs, 1 company')).toBeNull();
  await person.keyboard('z');
  await page.findByText('3 jobs, 1 company');
  const undone = answers.asked(editJobExecutions)[0]?.body;
  expect(undone?.ids).toHaveLength(3);
  expect(undone?.undoes).toEqual({ madeAt: MADE_AT, changedById: null, changedAt: null, ofFaults: true });
});

test.each([
  { isOne: true, said: 'Not undone: 1 run was changed since and stays as it is.' },
  { isOne: false, said: 'Undone, except for 1 run that was changed since.' },
])('does not undo what others changed since: $said', async ({ isOne, said }) => {
  const server = serveFaults([...buildSharing([2, 3]), buildFault(1)]);
  const { page, person, answers } = openQueue(server);
  await page.findByText('vbr-03 does not answer');
  await person.keyboard(isOne ? 'jjr' : 'jr');
  await page.findByText(isOne ? 'Job 1 (Acme) resolved.' : 'vbr-03 does not answer: 2 jobs, 1 company resolved.');
  const state = { state: 'resolved' as const, ignoredUntil: null, changedById: null, changedAt: MADE_AT };
  answers.on(editJobExecutions, ({ body: { ids } }) => {
    const before = ids.slice(1).map((id) => ({ _id: id, ...state }));
    const done = { notFound: [], changedSince: ids.slice(0, 1), madeAt: MADE_AT, before, noteId: null };
    return { success: true as const, updated: before.length, ...done };
  });
  await person.keyboard('z');
  await page.findByText(said);
});

test('changes of a cause what its line showed, without what colleagues have, and says who has it', async () => {
  const [first, second, third, fourth] = buildSharing([1, 2, 3, 4]);
  if (!first || !second || !third || !fourth) throw new Error('Four faults were built.');
  const server = serveFaults([first, { ...second, state: 'in-progress', changedBy: 'ben' }, third]);
  server.viewers.push(viewing(buildId(3), 'anna'));
  const { page, person } = openQueue(server);
  await page.findByText('vbr-03 does not answer');
  server.stored.set(buildId(4), { ...fourth, lastStartedAt: '2026-03-15T09:00:00.000Z' });
  await person.keyboard('jr');
  await page.findByText('1 fault is with ben, and was left out. 1 fault is with anna, and was left out.');
  page.getByText('1 fault resolved.');
  expect([...server.stored.values()].map(({ state }) => state)).toEqual([
    'resolved',
    'in-progress',
    'pending',
    'pending',
  ]);
});

test('says for how long a job is not fine, and only of failures that it is without a good restore point', async () => {
  const { page } = openQueue(serveFaults([buildFault(1), buildFault(2, { kind: 'warning' })]));
  const days = async (name: string) => within(rowOf(await page.findByText(name))).getByText('4 days', { exact: false });
  expect((await days('Job 1')).textContent).toBe('4 days without a good restore point');
  expect((await days('Job 2')).textContent).toBe('4 days not fine');
  expect((await days('Job 2')).title).toBe('Not fine for 4 days');
});

test('undoes many runs of a fault by their spans', async () => {
  const { page, person, answers } = openQueue(serveFaults([buildFault(1), buildFault(2)]));
  await page.findByText('Job 1');
  const untouched = { state: 'pending' as const, ignoredUntil: null, changedById: null, changedAt: null };
  const span = { jobInstanceUid: buildId(1_001), from: '2026-03-01T00:00:00.000Z', to: '2026-03-15T08:00:00.000Z' };
  const before = [{ ids: [], spans: [{ ...span, runs: 500 }], ...untouched }];
  const none = { unchanged: 0, unchangedIds: [], ofOthers: [], notFound: [], noteId: null, notedIds: [] };
  answers.on(editFaults, { success: true, changed: 1, madeAt: MADE_AT, before, ...none });
  await person.keyboard('jr');
  await page.findByText('Job 1 (Acme) resolved.');
  const undone = { notFound: [], changedSince: [], madeAt: MADE_AT, before: [], noteId: null };
  answers.on(editJobExecutions, { success: true, updated: 498, ...undone });
  await person.keyboard('z');
  await page.findByText('Undone, except for 2 runs that were changed since.');
  expect(answers.asked(editJobExecutions)[0]?.body).toMatchObject({ ids: [], spans: [span] });
});

test('a line leaves at the key press, and comes back where the change fails', async () => {
  const server = serveFaults([buildFault(1), buildFault(2)]);
  const { page, person, answers } = openQueue(server);
  await page.findByText('Job 1');
  answers.refuse(editFaults, 500, { code: 'INTERNAL_ERROR', message: 'The faults could not be changed.' });
  await person.keyboard('xr');
  await page.findByText('Job 1 (Acme) was not resolved: The faults could not be changed.');
  page.getByText('Job 1');
  page.getByText('1 fault selected');
  page.getByRole('button', { name: 'Retry' });
});

test('says which faults another user had settled before', async () => {
  const server = serveFaults([buildFault(1), buildFault(2)]);
  const { page, person } = openQueue(server, `${PATH}&single=true`);
  await page.findByText('Job 2');
  server.stored.set(buildId(1), buildFault(1, { state: 'resolved', changedBy: 'anna' }));
  await person.keyboard('xjxr');
  await page.findByText('1 fault was resolved already.');
  page.getByText('1 fault resolved.');
});

test('a cause is unfolded into its faults, and c shows each fault on its own', async () => {
  const { page, person, address, answers } = openQueue(serveFaults([...buildSharing([2, 3]), buildFault(1)]));
  await person.click(await page.findByRole('button', { name: '2 jobs, 1 company' }));
  await page.findByText('Job 2');
  expect(address()).toContain(`cause=${causeKey(99)}`);
  expect(answers.asked(listFaults).at(-1)?.query.filter.cause).toBe(causeKey(99));
  expect(page.queryByText('Job 1')).toBeNull();
  await person.click(page.getByRole('button', { name: 'Clear' }));
  await page.findByText('vbr-03 does not answer');
  await person.keyboard('c');
  await page.findByText('Job 3');
  page.getByText('Job 1');
});

test('what is healed is one line, resolved with one key', async () => {
  const healed = [3, 4].map((number) => buildFault(number, { state: 'healed', closedAt: '2026-03-15T09:00:00.000Z' }));
  const { page, person, server } = openQueue(serveFaults([buildFault(1), ...healed]));
  await page.findByRole('button', { name: '2 healed' });
  expect(page.queryByText('Job 3')).toBeNull();
  await person.keyboard('h');
  await page.findByText('2 faults resolved.');
  await waitFor(() => expect(page.queryByRole('button', { name: '2 healed' })).toBeNull());
  expect([...server.stored.values()].map(({ state }) => state)).toEqual(['pending', 'resolved', 'resolved']);
});

test('jobs that run are apart, and lead to their runs', async () => {
  const server = serveFaults([buildFault(1)]);
  server.running.count = 17;
  const { page } = openQueue(server);
  const link = await page.findByRole('link', { name: '17 jobs running now' });
  expect(link.getAttribute('href')).toMatch(/daily-checks\?.*result=Running/);
});

test('v goes to the single runs, whose screen leads back', async () => {
  const { page, person, address } = openQueue(serveFaults([buildFault(1)]));
  await page.findByText('Job 1');
  await person.keyboard('v');
  await waitFor(() => expect(address()).toContain('/monitoring/daily-checks'));
  const ways = within(await page.findByRole('navigation', { name: 'Faults or runs' }));
  await person.click(ways.getByRole('link', { name: 'Faults' }));
  await page.findByText('Job 1');
});

test('what another user settles leaves at once, what is new waits, and who has a fault open is named', async () => {
  const server = serveFaults([buildFault(1), buildFault(2), buildFault(3)]);
  const { page, person, answers } = openQueue(server);
  await page.findByText('Job 3');
  server.stored.set(buildId(1), buildFault(1, { state: 'resolved', changedBy: 'anna' }));
  server.stored.set(buildId(4), buildFault(4));
  server.viewers.push(viewing(buildId(2), 'anna'));
  answers.emit('executions.changed');
  answers.emit('fault-viewers.changed');
  await waitFor(() => expect(page.queryByText('Job 1')).toBeNull());
  await within(rowOf(page.getByText('Job 2'))).findByText('anna');
  expect(page.queryByText('Job 4')).toBeNull();
  await person.click(await page.findByRole('button', { name: '1 new fault' }));
  await page.findByText('Job 4');
});

test('orders by how long there was no good restore point, and back', async () => {
  const { page, person, answers, address } = openQueue(serveFaults([buildFault(1)]));
  await page.findByText('Job 1');
  const heading = page.getByRole('button', { name: 'Not fine for' });
  await person.click(heading);
  await waitFor(() => expect(answers.asked(listCauses).at(-1)?.query.sort).toBe('fineAt'));
  await person.click(heading);
  await waitFor(() => expect(address()).not.toContain('sort='));
});

test('gives a reader the queue and nothing to change', async () => {
  const user = buildUser({ roles: ['read-only'] });
  const { page, person, answers } = openQueue(serveFaults([buildFault(1)]), PATH, user);
  await page.findByText('Job 1');
  await person.keyboard('jrph');
  expect(answers.asked(editFaults)).toEqual([]);
  expect(page.queryByRole('checkbox')).toBeNull();
  await person.keyboard('{Enter}');
  await page.findByRole('heading', { name: 'Job 1' });
  expect(page.queryByRole('button', { name: /^Resolve/ })).toBeNull();
});

test('says that all is clear only where something ran, and not for filters that nothing matches', async () => {
  const { page } = openQueue(serveFaults([]));
  await page.findByText('All clear');
});

test('does not say that all is clear where sources were not read, and names none', async () => {
  const server = serveFaults([]);
  for (const number of [7, 8])
    server.stopped.push({ _id: buildId(number), name: 'Main console', readTo: '2026-03-12T12:00:00.000Z' });
  const { page } = openQueue(server);
  await page.findByText('No open faults');
  page.getByText(/^2 sources have not been read, one of them since 03\/12\/26 12:00 PM\./);
  expect(page.queryByText('All clear')).toBeNull();
  expect(page.queryByText(/Main console/)).toBeNull();
});

test('does not say that all is clear where it is not known whether the sources were read', async () => {
  const server = serveFaults([]);
  server.answers.refuse(getChanges, 409, { code: 'CONFLICT', message: 'Try again later.' });
  const { page } = openQueue(server);
  await page.findByText('Whether all sources were read could not be checked.');
});

test('nothing matches a search', async () => {
  const { page, person } = openQueue(serveFaults([buildFault(1)]), `${PATH}&search=zzz`);
  await page.findByText('No faults match these filters');
  await person.click(page.getByRole('button', { name: 'Reset filters' }));
  await page.findByText('Job 1');
});

test('shows a long message of any script as far as two lines go', async () => {
  const message = 'نسخة احتياطية 备份失败 🧯 '.repeat(4_000);
  const { page } = openQueue(serveFaults([buildFault(1, { message })]));
  const row = rowOf(await page.findByText('Job 1'));
  expect(row.querySelector('[data-part="reason"]')?.textContent?.length).toBeLessThanOrEqual(400);
});
