import { editJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { editProfile } from '@keepwatch/contract/identity/sessions';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Answers } from '../../testing/answers.ts';
import { buildUser } from '../../testing/builders.ts';
import { openPortal, TEST_NOW } from '../../testing/open-portal.tsx';
import { buildExecution, MADE_AT, runId, serveRuns, UNTOUCHED } from '../testing/executions.ts';

const three = () => [1, 2, 3].map((number) => buildExecution(number));
const undoes = { madeAt: MADE_AT, ...UNTOUCHED };
const edits = (answers: Answers) => answers.asked(editJobExecutions).map(({ body }) => body);

async function openList(answers = serveRuns(three())) {
  const portal = openPortal({ path: '/monitoring/daily-checks', user: buildUser(), answers });
  await portal.page.findByText('Job 1');
  return portal;
}

test('works down the list without the mouse: a resolved run leaves, and the next one moves up', async () => {
  const { page, person, answers } = await openList();
  await person.keyboard('j{Enter}');
  await page.findByRole('dialog', { name: 'Job execution: Job 1' });
  await person.keyboard('r');
  await page.findByRole('dialog', { name: 'Job execution: Job 2' });
  await waitFor(() => expect(page.queryByText('Job 1')).toBeNull());
  await person.keyboard('r');
  await page.findByRole('dialog', { name: 'Job execution: Job 3' });
  expect(edits(answers)).toEqual([
    { ids: [runId(1)], change: { state: 'resolved' } },
    { ids: [runId(2)], change: { state: 'resolved' } },
  ]);
  await waitFor(() => expect(activeText(page)).toContain('Job 3'));
});

test('resolves the active row without opening it', async () => {
  const { page, person, answers } = await openList();
  await person.keyboard('jjr');
  await waitFor(() => expect(page.queryByText('Job 2')).toBeNull());
  expect(edits(answers)).toEqual([{ ids: [runId(2)], change: { state: 'resolved' } }]);
  await waitFor(() => expect(activeText(page)).toContain('Job 3'));
});

test('resolves several at once, and undo restores each as it was', async () => {
  const runs = [buildExecution(1), buildExecution(2, { state: 'in-progress' }), buildExecution(3)];
  const portal = openPortal({
    path: '/monitoring/daily-checks?state=all',
    user: buildUser(),
    answers: serveRuns(runs),
  });
  const { page, person, answers } = portal;
  await page.findByText('Job 1');
  await person.keyboard('jxjxjx');
  page.getByText('3 selected');
  await person.click(page.getByRole('button', { name: 'Resolve' }));
  await page.findByText('3 runs resolved.');
  await person.click(page.getByRole('button', { name: 'Undo' }));
  await page.findByText('Undone. 3 runs are as before.');
  expect(edits(answers)).toEqual([
    { ids: [runId(1), runId(2), runId(3)], change: { state: 'resolved' } },
    { ids: [runId(1), runId(3)], change: { state: 'pending' }, undoes },
    { ids: [runId(2)], change: { state: 'in-progress' }, undoes },
  ]);
});

test('undoes what was not changed since, and says how many were', async () => {
  const { page, person, answers } = await openList();
  await person.keyboard('jxjxr');
  await page.findByText('2 runs resolved.');
  const left = { _id: runId(1), state: 'resolved' as const, ignoredUntil: null, ...UNTOUCHED };
  const undone = { updated: 1, notFound: [], changedSince: [runId(2)], madeAt: MADE_AT, before: [left], noteId: null };
  answers.on(editJobExecutions, { success: true, ...undone });
  await person.keyboard('z');
  await page.findByText('Undone. 1 run is pending again.');
  page.getByText('1 run was changed since and stays as it is.');
});

test('chooses a range with Shift and everything loaded with Control + a', async () => {
  const { page, person } = await openList();
  await person.keyboard('j{Shift>}{ArrowDown}{/Shift}');
  page.getByText('2 selected');
  await person.keyboard('{Control>}a{/Control}');
  page.getByText('3 selected');
  await person.keyboard('{Escape}');
  page.getByText('3 runs');
});

test('chooses every run of the list, also those that are not loaded', async () => {
  const many = Array.from({ length: 450 }, (_, place) => buildExecution(place + 1));
  const { page, person, answers } = await openList(serveRuns(many));
  await person.keyboard('jx');
  await person.click(page.getByRole('button', { name: 'Select all 450' }));
  await page.findByText('450 selected');
  await person.click(page.getByRole('button', { name: 'In progress' }));
  await page.findByText('450 runs marked in progress.');
  expect(edits(answers)[0]?.ids).toHaveLength(450);
});

test('ignores until tomorrow', async () => {
  const { page, person, answers } = await openList();
  await person.keyboard('jxi');
  await person.click(await page.findByRole('button', { name: 'Until tomorrow' }));
  await page.findByText('1 run ignored.');
  const tomorrow = new Date(TEST_NOW.getFullYear(), TEST_NOW.getMonth(), TEST_NOW.getDate() + 1).toISOString();
  expect(edits(answers)).toEqual([{ ids: [runId(1)], change: { state: 'ignored', ignoredUntil: tomorrow } }]);
});

test('writes one note on several runs', async () => {
  const { page, person, answers } = await openList();
  await person.keyboard('jxjxn');
  const panel = await page.findByRole('dialog', { name: 'Note on the selected runs' });
  await person.type(within(panel).getByLabelText('Note'), 'Disk ordered');
  await person.keyboard('{Control>}{Enter}{/Control}');
  await page.findByText('Note saved for 2 runs.');
  expect(edits(answers)).toEqual([{ ids: [runId(1), runId(2)], change: { note: { content: 'Disk ordered' } } }]);
});

test('says how far it came where some runs do not exist any more', async () => {
  const answers = serveRuns(three());
  answers.on(editJobExecutions, ({ body: { ids } }) => ({
    success: true as const,
    updated: 1,
    notFound: ids.slice(1),
    changedSince: [],
    madeAt: MADE_AT,
    before: [{ _id: ids[0] ?? '', state: 'pending' as const, ignoredUntil: null, ...UNTOUCHED }],
    noteId: null,
  }));
  const { page, person } = await openList(answers);
  await person.keyboard('jxjxr');
  await page.findByText('1 of 2 runs resolved; the others no longer exist.');
});

test('leaves everything as it is where the server refuses', async () => {
  const answers = serveRuns(three()).refuse(editJobExecutions, 409, {
    code: 'INTERNAL_ERROR',
    message: 'Another user was faster.',
  });
  const { page, person } = await openList(answers);
  await person.keyboard('jr');
  await page.findByText('Job 1 (Acme) was not resolved: Another user was faster.');
  page.getByText('Job 1');
});

function activeText(page: { getByRole: (role: string) => HTMLElement }): string {
  const id = page.getByRole('grid').getAttribute('aria-activedescendant') ?? '';
  return document.getElementById(id)?.textContent ?? '';
}

test('names what was resolved; what follows is said together, and z undoes one after the other', async () => {
  const { page, person, answers } = await openList();
  await person.keyboard('jr');
  await page.findByText('Job 1 (Acme) resolved.');
  await person.keyboard('r');
  await page.findByText('2 runs resolved.');
  await person.keyboard('z');
  await page.findByText('Undone. Job 2 (Acme) is pending again.');
  page.getByText('Job 1 (Acme) resolved.');
  await person.keyboard('z');
  await page.findByText('Undone. 2 runs are pending again.');
  expect(edits(answers).slice(2)).toEqual([
    { ids: [runId(2)], change: { state: 'pending' }, undoes },
    { ids: [runId(1)], change: { state: 'pending' }, undoes },
  ]);
  await waitFor(() => expect(page.getByRole('grid').textContent).toContain('Job 1'));
  await person.keyboard('z');
  await page.findByText('Nothing to undo.');
});

test('lists all keys of the list under "?"', async () => {
  const { page, person } = await openList();
  await person.keyboard('?');
  const help = await page.findByRole('dialog', { name: 'Keyboard shortcuts' });
  const keys = [...help.querySelectorAll('dl > div')].map((line) => line.textContent);
  expect(keys).toEqual(
    expect.arrayContaining([
      'Next rowj',
      'Previous rowk',
      'Select the rowxorSpace',
      'Open the rowEnter',
      'Select down to the next rowShift↓',
      'Select up to the row aboveShift↑',
      'Select all loaded runsCtrla',
      'Undo the last changez',
    ]),
  );
});

test('leads past the filters to the list, for those who go with Tab', async () => {
  const { page, person } = await openList();
  await person.click(page.getByRole('button', { name: 'Skip to the list of runs' }));
  expect(document.activeElement).toBe(page.getByRole('grid'));
});

test('goes on with the keyboard after a filter was set', async () => {
  const answers = serveRuns(three()).on(editProfile, { success: true as const, data: buildUser() });
  const { page, person } = await openList(answers);
  await person.click(page.getByRole('button', { name: 'State: Pending' }));
  await person.click(await page.findByRole('option', { name: 'All' }));
  await page.findByRole('button', { name: 'State: All' });
  await person.keyboard('jj{Enter}');
  await page.findByRole('dialog', { name: 'Job execution: Job 2' });
});
