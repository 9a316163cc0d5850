import { editJobExecutions, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { act, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Answers } from '../../testing/answers.ts';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildExecution, MADE_AT, runId, serveRuns, UNTOUCHED } from '../testing/executions.ts';

const six = () => [1, 2, 3, 4, 5, 6].map((number) => buildExecution(number));
const undoes = { madeAt: MADE_AT, ...UNTOUCHED };
const edits = (answers: Answers) => answers.asked(editJobExecutions).map(({ body }) => body);

/** A list over a line on which the replies to edits wait until the test lets them through, or breaks it. */
async function openSlowly(path = '/monitoring/daily-checks?state=pending') {
  const answers = serveRuns(six());
  const { fetch } = answers;
  let waiting: PromiseWithResolvers<void>[] = [];
  let isSlow = true;
  const slowly: typeof fetch = async (input, init) => {
    if (!String(input).endsWith('/jobExecutions/bulk') || !isSlow) return fetch(input, init);
    const gate = Promise.withResolvers<void>();
    waiting.push(gate);
    // As on a slow line, the server has it long before the reply is here.
    const reply = await fetch(input, init);
    await gate.promise;
    return reply;
  };
  const portal = openPortal({ path, user: buildUser(), answers: { ...answers, fetch: slowly } });
  await portal.page.findByText('Job 1');
  const end = (settle: (gate: PromiseWithResolvers<void>) => void) =>
    act(async () => {
      const gates = waiting;
      waiting = [];
      for (const gate of gates) settle(gate);
    });
  return {
    ...portal,
    answers,
    let: () => end((gate) => gate.resolve()),
    breakLine: () => end((gate) => gate.reject(new TypeError('The line broke.'))),
    waits: () => waiting.length,
    beFast: () => {
      isSlow = false;
    },
  };
}

type Page = Awaited<ReturnType<typeof openSlowly>>['page'];

const jobs = (page: Page) =>
  page
    .queryAllByRole('checkbox', { name: /^Select Job/ })
    .map((box) => box.getAttribute('aria-label')?.replace('Select ', '').replace(' (Acme)', ''));

function activeJob(page: Page): string | null {
  const id = page.getByRole('grid').getAttribute('aria-activedescendant') ?? '';
  return document.getElementById(id)?.querySelector('input')?.getAttribute('aria-label') ?? null;
}

test('r r r r resolves four runs with four requests, before the first of them is answered', async () => {
  const { page, person, answers, let: letThrough } = await openSlowly();
  await person.keyboard('jrrrr');
  expect(jobs(page)).toEqual(['Job 5', 'Job 6']);
  expect(edits(answers)).toEqual(
    [1, 2, 3, 4].map((number) => ({ ids: [runId(number)], change: { state: 'resolved' } })),
  );
  expect(activeJob(page)).toBe('Select Job 5 (Acme)');
  await letThrough();
  await page.findByText('4 runs resolved.');
  expect(jobs(page)).toEqual(['Job 5', 'Job 6']);
});

test('a key that is pressed again before the reply sends no second request for the same run', async () => {
  const { page, person, answers, let: letThrough } = await openSlowly('/monitoring/daily-checks?state=all');
  await person.keyboard('jrrr');
  expect(edits(answers)).toHaveLength(1);
  await person.keyboard('p');
  await letThrough();
  await waitFor(() => expect(edits(answers)).toHaveLength(2));
  await letThrough();
  await page.findByText('Job 1 (Acme) marked in progress.');
  expect(edits(answers).map(({ change }) => change.state)).toEqual(['resolved', 'in-progress']);
});

test('puts the rows back into their places where the line breaks, and does it all with Retry', async () => {
  const { page, person, answers, breakLine, beFast } = await openSlowly();
  await person.keyboard('jjrr');
  expect(jobs(page)).toEqual(['Job 1', 'Job 4', 'Job 5', 'Job 6']);
  await breakLine();
  await page.findByText('2 runs were not resolved: no connection.');
  expect(activeJob(page)).toBe('Select Job 4 (Acme)');
  beFast();
  await person.click(page.getByRole('button', { name: 'Retry' }));
  await page.findByText('2 runs resolved.');
  expect(
    edits(answers)
      .slice(2)
      .map(({ ids }) => ids),
  ).toEqual([[runId(2)], [runId(3)]]);
});

test('a bulk action that fails keeps the selection and says what was not done', async () => {
  const { page, person, answers, breakLine, let: letThrough } = await openSlowly();
  await person.keyboard('xjxjxjx');
  page.getByText('4 selected');
  await person.keyboard('r');
  expect(page.queryByText('4 selected')).toBeNull();
  // The list cannot be read again either: nothing waits for that.
  answers.refuse(listJobExecutions, 503, { code: 'INTERNAL_ERROR', message: 'Nothing answers.' });
  await breakLine();
  await page.findByText('4 runs were not resolved: no connection.');
  page.getByText('4 selected');
  await person.click(page.getByRole('button', { name: 'Retry' }));
  expect(edits(answers).map(({ ids }) => ids.length)).toEqual([4, 4]);
  await letThrough();
  await page.findByText('4 runs resolved.');
});

test('continues at the first row after the last one that left, so that no row is skipped', async () => {
  const { page, person, answers, let: letThrough } = await openSlowly();
  await person.keyboard('xjxr');
  expect(activeJob(page)).toBe('Select Job 3 (Acme)');
  await person.keyboard('xjxr');
  expect(activeJob(page)).toBe('Select Job 5 (Acme)');
  await letThrough();
  expect(edits(answers).map(({ ids }) => ids)).toEqual([
    [runId(1), runId(2)],
    [runId(3), runId(4)],
  ]);
  expect(activeJob(page)).toBe('Select Job 5 (Acme)');
});

test('z before the reply undoes the last edit once it is answered, to what the run was at the server', async () => {
  const { page, person, answers, let: letThrough } = await openSlowly('/monitoring/daily-checks?state=all');
  await person.keyboard('jpz');
  expect(edits(answers)).toHaveLength(1);
  await letThrough();
  await waitFor(() => expect(edits(answers)).toHaveLength(2));
  await letThrough();
  await page.findByText('Undone. Job 1 (Acme) is pending again.');
  expect(edits(answers)[1]).toEqual({ ids: [runId(1)], change: { state: 'pending' }, undoes });
});

test('one click undoes all that one message speaks of', async () => {
  const { page, person, answers, let: letThrough, beFast } = await openSlowly();
  await person.keyboard('jrrr');
  await letThrough();
  await page.findByText('3 runs resolved.');
  beFast();
  await person.click(page.getByRole('button', { name: 'Undo' }));
  await page.findByText('Undone. 3 runs are pending again.');
  expect(edits(answers).at(-1)).toEqual({ ids: [3, 2, 1].map(runId), change: { state: 'pending' }, undoes });
  await waitFor(() => expect(jobs(page)).toHaveLength(6));
});

test('what was done from here is no news, whatever a look at the server meets', async () => {
  const { page, person, answers, let: letThrough } = await openSlowly();
  await person.keyboard('xjxr');
  answers.emit('executions.changed');
  await letThrough();
  await page.findByText('2 runs resolved.');
  answers.emit('executions.changed');
  const before = answers.asked(editJobExecutions).length;
  await person.keyboard('r');
  await letThrough();
  await waitFor(() => expect(answers.asked(editJobExecutions)).toHaveLength(before + 1));
  expect(page.queryByRole('button', { name: /new|List changed/ })).toBeNull();
});
