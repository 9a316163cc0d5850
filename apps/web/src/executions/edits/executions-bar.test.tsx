import { editJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { fireEvent, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { countText } from '../count-text.ts';
import { buildExecution, MADE_AT, serveRuns, UNTOUCHED } from '../testing/executions.ts';

test('counts in words, and does not pretend to know more than the server counted', () => {
  expect(countText(0)).toBe('0 runs');
  expect(countText(1)).toBe('1 run');
  expect(countText(1_234)).toBe('1,234 runs');
  expect(countText(100_000)).toBe('100,000 or more runs');
});

async function openMany(count: number) {
  const answers = serveRuns(Array.from({ length: count }, (_, place) => buildExecution(place + 1)));
  const portal = openPortal({ path: '/monitoring/daily-checks', user: buildUser(), answers });
  await portal.page.findByText('Job 1');
  portal.page.getByRole('grid').focus();
  await portal.person.keyboard('jx');
  return portal;
}

test('changes more than a thousand in several calls', async () => {
  const { page, person, answers } = await openMany(1_300);
  await person.click(page.getByRole('button', { name: 'Select all 1,300' }));
  await page.findByText('1,300 selected');
  await person.click(page.getByRole('button', { name: 'Resolve' }));
  await page.findByText('1,300 runs resolved.');
  expect(answers.asked(editJobExecutions).map(({ body }) => body.ids.length)).toEqual([1_000, 300]);
  await page.findByText('All clear for the last 2 days');
});

test('never shows a part as the whole: says how many were changed and why not the rest', async () => {
  const { page, person, answers } = await openMany(1_300);
  await person.click(page.getByRole('button', { name: 'Select all 1,300' }));
  await page.findByText('1,300 selected');
  answers.on(editJobExecutions, ({ body: { ids } }) => {
    answers.refuse(editJobExecutions, 503, { code: 'INTERNAL_ERROR', message: 'The database rests.' });
    const before = ids.map((_id) => ({ _id, state: 'pending' as const, ignoredUntil: null, ...UNTOUCHED }));
    const done = { notFound: [], changedSince: [], madeAt: MADE_AT, before, noteId: null };
    return { success: true as const, updated: ids.length, ...done };
  });
  await person.click(page.getByRole('button', { name: 'Resolve' }));
  const alert = await page.findByRole('alert');
  expect(alert.textContent).toBe('300 runs were not resolved: The database rests.Retry');
  expect(page.getByText('1,000 runs resolved.').parentElement?.textContent).toContain('Undo');
  await page.findByText('300 selected');
});

test('ignores until a day that the user picks, and refuses one in the past', async () => {
  const { page, person, answers } = await openMany(2);
  await person.click(page.getByRole('button', { name: 'Ignore' }));
  const day = await page.findByLabelText('Until a date');
  fireEvent.change(day, { target: { value: '2026-03-01' } });
  await page.findByText('Choose a day that is still to come.');
  fireEvent.change(day, { target: { value: '2026-04-01' } });
  await person.click(page.getAllByRole('button', { name: 'Ignore' }).at(-1) ?? day);
  await page.findByText('1 run ignored.');
  const until = new Date(2026, 3, 1).toISOString();
  expect(answers.asked(editJobExecutions)[0]?.body.change).toEqual({ state: 'ignored', ignoredUntil: until });
  await waitFor(() => expect(page.queryByRole('toolbar')).toBeNull());
});

test('gives the keyboard back to the list when something was done', async () => {
  const { page, person } = await openMany(3);
  await person.click(page.getByRole('button', { name: 'In progress' }));
  await page.findByText('1 run marked in progress.');
  expect(document.activeElement).toBe(page.getByRole('grid'));
});
