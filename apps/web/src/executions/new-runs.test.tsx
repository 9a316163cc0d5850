import { type JobExecution, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { expect, test } from 'vitest';
import { type Answers, createAnswers } from '../testing/answers.ts';
import { buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { buildExecution } from './testing/executions.ts';

/** A server that has these runs from now on. */
function has(answers: Answers, runs: readonly JobExecution[]): Answers {
  return answers.on(listJobExecutions, ({ query: { limit, offset } }) => {
    const range = { from: '2026-03-14T00:00:00.000Z', to: '2026-03-15T23:59:59.999Z' };
    const data = runs.slice(offset, offset + limit);
    return { success: true as const, count: runs.length, data, query: { limit, offset, ...range } };
  });
}

async function open(runs: readonly JobExecution[]) {
  const opened = openPortal({
    path: '/monitoring/daily-checks',
    user: buildUser(),
    answers: has(createAnswers(), runs),
  });
  await opened.page.findByText('Job 1');
  const { answers } = opened;
  const change = (later: readonly JobExecution[]) => has(answers, later).emit('executions.changed');
  return {
    ...opened,
    change,
    asked: () => answers.asked(listJobExecutions).length,
  };
}

test('says how many failures are new, and moves no row until it is pressed', async () => {
  const { page, person, change } = await open([buildExecution(1)]);
  change([buildExecution(3), buildExecution(2), buildExecution(1)]);
  const pill = await page.findByRole('button', { name: '2 new failures' });
  expect(page.queryByText('Job 3')).toBeNull();
  await person.click(pill);
  await page.findByText('Job 3');
  expect(page.queryByRole('button', { name: '2 new failures' })).toBeNull();
});

test('says that the list changed where it has other runs but no more of them', async () => {
  const { page, person, change } = await open([buildExecution(1), buildExecution(2)]);
  change([buildExecution(2)]);
  await page.findByRole('button', { name: 'List changed' });
  expect(page.getByText('Job 1')).toBeDefined();
  await person.keyboard('.');
  await expect.poll(() => page.queryByText('Job 1')).toBeNull();
  expect(page.queryByRole('button', { name: 'List changed' })).toBeNull();
});

test('reads the same runs again in their places, without a word', async () => {
  const { page, change } = await open([buildExecution(1)]);
  change([buildExecution(1, { result: 'Warning', message: 'Nearly full' })]);
  expect(await page.findByText('Nearly full')).toBeDefined();
  expect(page.queryByRole('button', { name: /new|List changed/ })).toBeNull();
});

test('looks at once at the first change of a burst, and once more for all others', async () => {
  const { page, answers, change, asked } = await open([buildExecution(1)]);
  const before = asked();
  change([buildExecution(2), buildExecution(1)]);
  await page.findByRole('button', { name: '1 new failure' }, { timeout: 1_000 });
  for (let time = 0; time < 20; time += 1) answers.emit('executions.changed');
  change([buildExecution(3), buildExecution(2), buildExecution(1)]);
  await page.findByRole('button', { name: '2 new failures' }, { timeout: 5_000 });
  expect(asked()).toBe(before + 2);
});

test('keeps the list where a look fails, and looks again at the next change', async () => {
  const { page, answers, change } = await open([buildExecution(1)]);
  const before = answers.asked(listJobExecutions).length;
  let failures = 0;
  answers.on(listJobExecutions, () => {
    failures += 1;
    throw new TypeError('The connection broke.');
  });
  answers.emit('executions.changed');
  await expect.poll(() => failures).toBe(1);
  expect(page.getByText('Job 1')).toBeDefined();
  expect(answers.asked(listJobExecutions)).toHaveLength(before + 1);
  change([buildExecution(2), buildExecution(1)]);
  expect(await page.findByRole('button', { name: '1 new failure' })).toBeDefined();
});

test('counts only runs that need a person, and brings the others of the list up to date in their places', async () => {
  const { page, change } = await open([buildExecution(1, { result: 'Running' })]);
  const running = [4, 5].map((number) => buildExecution(number, { result: 'Running' }));
  change([...running, buildExecution(3), buildExecution(1, { message: 'Nearly done' })]);
  await page.findByRole('button', { name: '1 new failure' });
  await page.findByText('Nearly done');
  change([...running, buildExecution(3), buildExecution(2, { result: 'Warning' }), buildExecution(1)]);
  await page.findByRole('button', { name: '2 new to review' });
});

test('says nothing of new runs that are still running, and shows them when asked', async () => {
  const { page, person, change } = await open([buildExecution(1, { message: 'Before' })]);
  change([buildExecution(2, { result: 'Running' }), buildExecution(1, { message: 'After' })]);
  await page.findByText('After');
  expect(page.queryByRole('button', { name: /new|List changed/ })).toBeNull();
  await person.keyboard('.');
  await page.findByText('Job 2');
});
