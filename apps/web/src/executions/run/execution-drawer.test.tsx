import {
  editJobExecutions,
  getJobExecution,
  type JobExecutionDetail,
} from '@keepwatch/contract/executions/job-executions';
import { editProfile } from '@keepwatch/contract/identity/sessions';
import { act, fireEvent, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildUser } from '../../testing/builders.ts';
import { openPortal, TEST_NOW } from '../../testing/open-portal.tsx';
import { buildExecution, runId, serveRuns } from '../testing/executions.ts';

const three = () => [1, 2, 3].map((number) => buildExecution(number));

async function openDrawer(
  detail: Partial<JobExecutionDetail> = {},
  answers = serveRuns(three(), { [runId(1)]: detail }),
) {
  const portal = openPortal({
    path: `/monitoring/daily-checks?execution=${runId(1)}`,
    user: buildUser(),
    answers,
  });
  const drawer = await portal.page.findByRole('dialog', { name: 'Job execution: Job 1' });
  return { ...portal, drawer };
}

test('shows all details of a run', async () => {
  const { drawer } = await openDrawer({
    targetName: 'Vault',
    serverName: 'server-1',
    anomalyTexts: ['It took 2h; the last 30 runs took 5m to 12m.'],
    lastSuccessAt: '2026-03-13T12:00:00.000Z',
  });
  await within(drawer).findByText('Message of run 1');
  for (const text of ['Vault', 'server-1', 'Daily', '10m', '1 MB']) within(drawer).getByText(text);
  within(drawer).getByText(/2 days ago/);
  within(within(drawer).getByRole('region', { name: "Why it's flagged" })).getByText(/It took 2h/);
});

test('hides details that a missed run does not have', async () => {
  const run = buildExecution(1, { result: 'DidntRun', endedAt: null, durationMs: null, message: null });
  const { drawer } = await openDrawer({}, serveRuns([run]));
  await within(drawer).findByText(/^Expected .*; no run has come since\.$/);
  within(drawer).getByText('Expected');
  for (const name of ['Started', 'Ended', 'Duration', 'Transferred', 'Attempts'])
    expect(factOf(drawer, name), name).toBeUndefined();
  expect(within(drawer).queryByRole('region', { name: 'Log' })).toBeNull();
});

test('gives the whole duration of a run of several attempts, and that of the last one beside it', async () => {
  const { drawer } = await openDrawer({ attempts: 3, durationMs: 1_560_000, lastAttemptMs: 33_000 });
  await waitFor(() => expect(factOf(drawer, 'Duration')).toBe('26m'));
  expect(factOf(drawer, 'Attempts')).toBe('33s (last attempt) · 3 attempts');
});

test('shows the log before what is less useful, and no fact that the source does not report', async () => {
  const { drawer } = await openDrawer({ transferredBytes: null, serverName: null, jobType: 'SimpleBackupCopy' });
  await waitFor(() => expect(factOf(drawer, 'Type')).toBe('Backup copy'));
  const parts = [...drawer.querySelectorAll('section, dl')].map(
    (part) => part.getAttribute('aria-label') ?? part.tagName,
  );
  expect(parts.indexOf('Log')).toBeGreaterThanOrEqual(0);
  expect(parts.indexOf('Log')).toBeLessThan(parts.indexOf('Notes'));
  expect(parts.at(-1)).toBe('DL');
  for (const name of ['Transferred', 'Server', 'Target', 'Match']) expect(factOf(drawer, name), name).toBeUndefined();
  expect([...drawer.querySelectorAll('dd')].filter(({ textContent }) => textContent === '–')).toEqual([]);
});

const solved = {
  why: 'message',
  by: 'anna',
  at: '2026-02-03T10:00:00.000Z',
  note: 'Renewed the application certificate',
  jobName: 'Mail',
  companyName: 'Borealis',
} as const;

test('offers the note with which the same message was solved before, and adds it to what was written', async () => {
  const { drawer, person } = await openDrawer({ solved });
  const field = await within(drawer).findByRole('textbox', { name: 'Note' });
  await within(drawer).findByText(/This message was last solved by/);
  await person.click(within(drawer).getByRole('button', { name: 'Use this note' }));
  await waitFor(() => expect(field).toHaveProperty('value', solved.note));
  expect(document.activeElement).toBe(field);
  fireEvent.change(field, { target: { value: 'Called them' } });
  await person.click(within(drawer).getByRole('button', { name: 'Use this note' }));
  await waitFor(() => expect(field).toHaveProperty('value', `Called them\n${solved.note}`));
});

test('offers no note beside a run that was resolved', async () => {
  const { drawer } = await openDrawer({ solved, state: 'resolved' });
  await within(drawer).findByRole('region', { name: 'Log' });
  expect(within(drawer).queryByRole('region', { name: 'Solved before' })).toBeNull();
});

test('names the tool of a run that a tool reports, and leaves out what it does not say', async () => {
  const run = buildExecution(1, {
    ...{ tool: 'restic', source: 'intake', sourceGroup: 'file-share-jobs', jobType: null, serverName: null },
    ...{ durationMs: null, transferredBytes: null },
  });
  const unknown = { scheduleType: null, targetName: null, nextRunAt: null, lastAttemptMs: null };
  const { drawer } = await openDrawer({}, serveRuns([run], { [runId(1)]: unknown }));
  await waitFor(() => expect(factOf(drawer, 'Source')).toBe('restic'));
  expect(within(drawer).getAllByText('restic')).toHaveLength(2);
  const terms = [...drawer.querySelectorAll('dt')].map((term) => term.textContent);
  expect(terms).toEqual(['Started', 'Ended', 'Source', 'Last success']);
});

test('says how long a running run has been running', async () => {
  const startedAt = new Date(TEST_NOW.getTime() - 754_000).toISOString();
  const run = buildExecution(1, { result: 'Running', startedAt, endedAt: null, durationMs: null });
  const { page, drawer } = await openDrawer({}, serveRuns([run]));
  await waitFor(() => expect(factOf(drawer, 'Duration')).toBe('12m so far'));
  within(page.getByRole('grid')).getByText('12m');
});

/** The value of a fact of the run, if it has one. */
function factOf(drawer: HTMLElement, name: string): string | undefined {
  const term = [...drawer.querySelectorAll('dt')].find(({ textContent }) => textContent === name);
  return term?.nextElementSibling?.textContent;
}

test('goes to the next and the previous run, and gives the keyboard back to the list', async () => {
  const { page, person, address } = await openDrawer();
  await page.findByText('1 of 3');
  await person.keyboard('j');
  await page.findByRole('dialog', { name: 'Job execution: Job 2' });
  await person.keyboard('{ArrowDown}');
  await page.findByRole('dialog', { name: 'Job execution: Job 3' });
  await person.keyboard('k');
  await page.findByRole('dialog', { name: 'Job execution: Job 2' });
  expect(address()).toContain(`execution=${runId(2)}`);
  await person.keyboard('{Escape}');
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(page.getByRole('grid'));
  const active = page.getByRole('grid').getAttribute('aria-activedescendant') ?? '';
  expect(document.getElementById(active)?.textContent).toContain('Job 2');
});

test('gives the keyboard back to the list also where the way back in the history closes the run', async () => {
  const { page, person, router } = openPortal({
    path: '/monitoring/daily-checks?state=pending',
    user: buildUser(),
    answers: serveRuns(three()),
  });
  await person.click(await page.findByText('Job 2'));
  await page.findByRole('dialog', { name: 'Job execution: Job 2' });
  act(() => router.history.back());
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(page.getByRole('grid'));
});

test('closing a run that was opened from the list leaves nothing to go back through', async () => {
  const path = '/monitoring/daily-checks?state=pending';
  const answers = serveRuns(three());
  const { page, person, router, address } = openPortal({ path: '/monitoring/forbidden', user: buildUser(), answers });
  await page.findByText("You don't have access to this page");
  await act(() => router.navigate({ to: '/monitoring/daily-checks', search: { state: 'pending' } }));
  await person.click(await page.findByText('Job 2'));
  await page.findByRole('dialog', { name: 'Job execution: Job 2' });
  await person.keyboard('j');
  await page.findByRole('dialog', { name: 'Job execution: Job 3' });
  // The second press comes before the browser has gone back.
  await person.keyboard('{Escape}{Escape}');
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
  expect(address()).toBe(path);
  expect(document.activeElement).toBe(page.getByRole('grid'));
  act(() => router.history.back());
  await waitFor(() => expect(address()).toBe('/monitoring/forbidden'));
});

test('closing a run beside which another filter was chosen leaves that filter', async () => {
  const path = '/monitoring/daily-checks?state=pending';
  const answers = serveRuns(three()).on(editProfile, { success: true as const, data: buildUser() });
  const { page, person, address } = openPortal({ path, user: buildUser(), answers });
  await person.click(await page.findByText('Job 2'));
  await page.findByRole('dialog', { name: 'Job execution: Job 2' });
  await person.click(page.getByRole('button', { name: /^State: / }));
  await person.click(await page.findByRole('option', { name: 'All' }));
  await waitFor(() => expect(address()).toContain('state=all'));
  await person.keyboard('{Escape}');
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
  expect(address()).toBe('/monitoring/daily-checks?state=all');
});

test('closing a run that a link led to stays in the list', async () => {
  const { page, person, address, router } = await openDrawer();
  await person.keyboard('{Escape}');
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
  expect(address()).toBe('/monitoring/daily-checks?state=pending');
  expect(router.history.length).toBe(1);
});

test('scrolls to the first error of the log, and copies it', async () => {
  const log: JobExecutionDetail['log'] = [
    { at: '2026-03-15T08:00:00.000Z', level: 'info', text: 'Begun' },
    { at: null, level: 'error', text: '<b>Disk</b> full' },
  ];
  const { drawer, page, person } = await openDrawer({ log });
  await person.click(await within(drawer).findByRole('button', { name: 'Jump to error' }));
  expect(document.activeElement?.textContent).toContain('<b>Disk</b> full');
  const written = vi.spyOn(navigator.clipboard, 'writeText');
  await person.click(within(drawer).getByRole('button', { name: 'Copy' }));
  await page.findByText('The log was copied to the clipboard.');
  expect(written).toHaveBeenCalledWith('2026-03-15T08:00:00.000Z\tInfo\tBegun\n-\tError\t<b>Disk</b> full');
});

test('distinguishes log lines that are seconds apart', async () => {
  const line = (at: string, text: string) => ({ at, level: 'info' as const, text });
  const log = [line('2026-03-15T08:00:00.000Z', 'Begun'), line('2026-03-15T08:00:07.000Z', 'Opened')];
  const { drawer } = await openDrawer({ log });
  const lines = within(await within(drawer).findByRole('list', { name: 'Lines of the log' })).getAllByRole('listitem');
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^\d\d:00:00 [AP]MInfoBegun$/),
    expect.stringMatching(/^\d\d:00:07 [AP]MInfoOpened$/),
  ]);
});

test('says that the log of a run in progress will follow', async () => {
  const { drawer } = await openDrawer({}, serveRuns([buildExecution(1, { result: 'Running' })]));
  await within(drawer).findByText('Still running, no log yet.');
});

test('shows the last runs in words too, and opens one of them', async () => {
  const past = (number: number, result: 'Failed' | 'Success') => ({
    _id: runId(number),
    startedAt: '2026-03-14T08:00:00.000Z',
    result,
    durationMs: 60_000,
    transferredBytes: 2_048,
    anomalies: [],
  });
  const { drawer, page, person } = await openDrawer({ pastRuns: [past(3, 'Success'), past(1, 'Failed')] });
  const picture = await within(drawer).findByRole('group', { name: /1 failed, 0 didn't run/ });
  expect(within(picture).getByRole('button', { current: true }).getAttribute('aria-label')).toMatch(/Failed, 1m, 2 KB/);
  await person.click(within(picture).getByRole('button', { name: /Success/ }));
  await page.findByRole('dialog', { name: 'Job execution: Job 3' });
});

test('saves a note with Control + Enter', async () => {
  const { drawer, page, person, answers } = await openDrawer();
  await within(drawer).findByRole('textbox', { name: 'Note' });
  await person.keyboard('n');
  await person.keyboard('Called the customer{Control>}{Enter}{/Control}');
  await page.findByText('Note saved for Job 1 (Acme).');
  const [edit] = answers.asked(editJobExecutions);
  expect(edit?.body).toEqual({ ids: [runId(1)], change: { note: { content: 'Called the customer' } } });
});

const THREAD = [
  { _id: runId(91), content: 'Called the customer', by: 'anna', at: '2026-03-14T08:00:00.000Z', isOwn: false },
  { _id: runId(92), content: 'Disk ordered', by: 'ben', at: '2026-03-15T08:00:00.000Z', isOwn: true },
];

test('lists the notes with their authors, oldest first, above the field for the next one', async () => {
  const { drawer } = await openDrawer({ notes: THREAD });
  const notes = within(await within(drawer).findByRole('region', { name: 'Notes' }));
  const entries = notes.getAllByRole('listitem').map((entry) => entry.textContent);
  expect(entries).toEqual([
    expect.stringMatching(/^anna.*Called the customer$/),
    expect.stringMatching(/^ben.*Disk ordered$/),
  ]);
  expect(notes.getByRole('textbox', { name: 'Note' })).toHaveProperty('value', '');
});

test("removes one's own note after a question, and offers that for no other", async () => {
  const { drawer, page, person, answers } = await openDrawer({ notes: THREAD });
  const notes = within(await within(drawer).findByRole('region', { name: 'Notes' }));
  await person.click(notes.getByRole('button', { name: 'Remove' }));
  const question = await page.findByRole('dialog', { name: 'Remove your note?' });
  await person.click(within(question).getByRole('button', { name: 'Remove note' }));
  await waitFor(() => expect(answers.asked(editJobExecutions)).toHaveLength(1));
  expect(answers.asked(editJobExecutions)[0]?.body).toEqual({ ids: [runId(1)], change: { removeNote: runId(92) } });
});

test.each(['resolved', 'in-progress', 'ignored'] as const)('says who set a run to %s, and when', async (state) => {
  const changed = { state, changedBy: 'anna', changedAt: '2026-03-15T09:14:00.000Z' };
  const answers = serveRuns([buildExecution(1, changed), buildExecution(2)]);
  const { drawer } = await openDrawer({}, answers);
  await within(drawer).findByText((text) => text.startsWith('by anna, ') && text.includes('09:14'));
});

test('keeps an unsaved note while other runs are open, and marks it', async () => {
  const { drawer, page, person, answers } = await openDrawer();
  const note = () => within(drawer).findByRole('textbox', { name: 'Note' });
  await person.type(await note(), 'Called the customer');
  await person.click(page.getByRole('button', { name: 'Next run' }));
  await page.findByRole('dialog', { name: 'Job execution: Job 2' });
  expect(await note()).toHaveProperty('value', '');
  within(page.getByRole('grid')).getByRole('img', { name: 'Unsaved note' });
  await person.click(page.getByRole('button', { name: '1 unsaved note' }));
  await page.findByRole('dialog', { name: 'Job execution: Job 1' });
  await within(drawer).findByDisplayValue('Called the customer');
  expect(answers.asked(editJobExecutions)).toEqual([]);
  await person.click(within(drawer).getByRole('button', { name: 'Save note' }));
  await waitFor(() => expect(page.queryByRole('img', { name: 'Unsaved note' })).toBeNull());
  within(await within(drawer).findByRole('listitem')).getByText('Called the customer');
  expect(await note()).toHaveProperty('value', '');
});

test('discards a note that is not saved', async () => {
  const { drawer, page, person } = await openDrawer();
  await person.type(await within(drawer).findByRole('textbox', { name: 'Note' }), 'Wrong run');
  await person.click(within(drawer).getByRole('button', { name: 'Discard' }));
  expect(within(drawer).getByRole('textbox', { name: 'Note' })).toHaveProperty('value', '');
  expect(page.queryByRole('button', { name: '1 unsaved note' })).toBeNull();
});

test('keeps a note that the server would not save', async () => {
  const answers = serveRuns(three()).refuse(editJobExecutions, 409, {
    code: 'INTERNAL_ERROR',
    message: 'Another user was faster.',
  });
  const { drawer, page, person } = await openDrawer({}, answers);
  await person.type(await within(drawer).findByRole('textbox', { name: 'Note' }), 'Disk ordered');
  await person.click(within(drawer).getByRole('button', { name: 'Save note' }));
  await page.findByText('The note for Job 1 (Acme) was not saved: Another user was faster.');
  within(drawer).getByDisplayValue('Disk ordered');
  page.getByRole('button', { name: '1 unsaved note' });
});

test('restores an unsaved note after the session expired, and shows it to no other user', async () => {
  const answers = serveRuns(three()).refuse(editJobExecutions, 401, {
    code: 'NOT_SIGNED_IN',
    message: 'Session expired',
  });
  const { drawer, page, person, portal, router } = await openDrawer({}, answers);
  await person.type(await within(drawer).findByRole('textbox', { name: 'Note' }), 'Disk ordered');
  await person.click(within(drawer).getByRole('button', { name: 'Save note' }));
  await page.findByLabelText('User name');
  const comeBackAs = (id: string) => {
    portal.session.start({ token: 'another', user: buildUser({ id }) });
    return router.navigate({ href: `/monitoring/daily-checks?state=pending&execution=${runId(1)}` });
  };
  await comeBackAs(buildUser().id);
  await page.findByDisplayValue('Disk ordered');
  await comeBackAs('0193e000-0000-7000-8000-000000000009');
  await waitFor(() => expect(page.getByRole('textbox', { name: 'Note' })).toHaveProperty('value', ''));
});

test('types letters into the note instead of acting on them', async () => {
  const { drawer, person, answers } = await openDrawer();
  await person.type(await within(drawer).findByRole('textbox', { name: 'Note' }), 'rijk');
  expect(answers.asked(editJobExecutions)).toEqual([]);
  within(drawer).getByDisplayValue('rijk');
});

test('keeps the caret where it is when a note is changed in its middle', async () => {
  const { drawer, person } = await openDrawer();
  const note = await within(drawer).findByRole('textbox', { name: 'Note' });
  await person.type(note, 'the customer');
  await person.type(note, 'Called ', { initialSelectionStart: 0, initialSelectionEnd: 0 });
  expect(note).toHaveProperty('value', 'Called the customer');
});

test('shows a letter of a note before the next one can be typed', async () => {
  const { drawer } = await openDrawer();
  const note = await within(drawer).findByRole('textbox', { name: 'Note' });
  fireEvent.change(note, { target: { value: 'C' } });
  expect(note).toHaveProperty('value', 'C');
});

test('Escape leaves the note, so that the keys are for the run again', async () => {
  const { page, drawer, person } = await openDrawer();
  await person.type(await within(drawer).findByRole('textbox', { name: 'Note' }), 'Disk ordered{Escape}');
  expect(document.activeElement).toBe(drawer);
  await person.keyboard('j');
  await page.findByRole('dialog', { name: 'Job execution: Job 2' });
});

test('says what went wrong with a run that cannot be read', async () => {
  const answers = serveRuns(three()).refuse(getJobExecution, 404, {
    code: 'NOT_FOUND',
    message: 'There is no such run.',
  });
  const { drawer } = await openDrawer({}, answers);
  await within(drawer).findByText('There is no such run.');
  within(drawer).getByRole('button', { name: 'Try again' });
});

test('Escape closes the list of keys above the run, not the run', async () => {
  const { page, person } = await openDrawer();
  await person.keyboard('?');
  await page.findByRole('dialog', { name: 'Keyboard shortcuts' });
  await person.keyboard('{Escape}');
  await waitFor(() => expect(page.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull());
  page.getByRole('dialog', { name: 'Job execution: Job 1' });
});

test('shows what administrators wrote for such runs, with links', async () => {
  const text = 'The writer hangs.\nSee https://kb.test/vss?a=1.';
  const { drawer } = await openDrawer({ hints: [{ _id: runId(7), title: 'VSS timeout', text }] });
  const hint = await within(drawer).findByRole('region', { name: 'Hint: VSS timeout' });
  expect(hint.textContent).toBe(`Hint: VSS timeout${text}`);
  expect(within(hint).getByRole('link').getAttribute('href')).toBe('https://kb.test/vss?a=1');
});
