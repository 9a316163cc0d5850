import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './source-files.ts';
import { filesOf } from './test-report.ts';

const file = {
  name: join(ROOT, 'packages/engine/src/a.test.ts'),
  startTime: 1_000,
  endTime: 9_500,
  status: 'failed',
  assertionResults: [
    { status: 'passed', fullName: 'reads' },
    {
      status: 'failed',
      fullName: 'writes',
      failureMessages: ['AssertionError: expected 2 to be 1\n    at a.test.ts:3'],
    },
    { status: 'skipped', fullName: 'waits' },
  ],
};

it('reads how long each file of Vitest took, and the names of what failed or was skipped there', () => {
  expect(filesOf({ testResults: [file] })).toEqual([
    {
      path: 'packages/engine/src/a.test.ts',
      seconds: 8.5,
      failures: ['packages/engine/src/a.test.ts › writes: AssertionError: expected 2 to be 1'],
      skipped: ['waits'],
    },
  ]);
});

it('names a file that could not be loaded', () => {
  const unloaded = { ...file, assertionResults: [], message: 'SyntaxError: unexpected token' };
  expect(filesOf({ testResults: [unloaded] })).toMatchObject([
    { failures: ['packages/engine/src/a.test.ts: SyntaxError: unexpected token'] },
  ]);
});

it('adds up the journeys of a file of Playwright, also those in groups, and every try of them, and names those that failed', () => {
  const spec = (title: string, ok: boolean, ...durations: number[]) => ({
    file: 'a.spec.ts',
    title,
    ok,
    tests: [
      {
        results: durations.map((duration) =>
          ok ? { duration } : { duration, error: { message: `\u001b[31mslow\u001b[39m\nat` } },
        ),
      },
    ],
  });
  const suites = [{ specs: [spec('one', true, 1_000)], suites: [{ specs: [spec('two', false, 2_000, 3_000)] }] }];
  expect(filesOf({ suites })).toEqual([
    {
      path: 'apps/e2e/journeys/a.spec.ts',
      seconds: 6,
      failures: ['apps/e2e/journeys/a.spec.ts › two: slow'],
      skipped: [],
    },
  ]);
});

it('has no files where the run broke off', () => {
  expect(filesOf({})).toEqual([]);
});
