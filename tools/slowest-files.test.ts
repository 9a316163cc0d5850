import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesOf, slowestFiles } from './slowest-files.ts';
import { ROOT } from './source-files.ts';

it('reads how long each file of a report of Vitest took', () => {
  const name = join(ROOT, 'packages/engine/src/a.test.ts');
  expect(filesOf({ testResults: [{ name, startTime: 1_000, endTime: 9_500, assertionResults: [] }] })).toEqual([
    { path: 'packages/engine/src/a.test.ts', seconds: 8.5 },
  ]);
});

it('adds up the journeys of a file of Playwright, also those in groups, and every try of them', () => {
  const spec = (...durations: number[]) => ({
    file: 'a.spec.ts',
    tests: [{ results: durations.map((duration) => ({ duration })) }],
  });
  expect(filesOf({ suites: [{ specs: [spec(1_000)], suites: [{ specs: [spec(2_000, 3_000)] }] }] })).toEqual([
    { path: 'apps/e2e/journeys/a.spec.ts', seconds: 6 },
  ]);
});

it('has no files where the run broke off', () => {
  expect(filesOf({})).toEqual([]);
});

it('shows the twenty slowest, slowest first, and no quick ones', () => {
  const files = Array.from({ length: 30 }, (_, index) => ({ path: `${index}.test.ts`, seconds: index }));
  const [heading, first, ...others] = slowestFiles(files);
  expect(heading).toContain('slowest');
  expect(first).toBe('   29  29.test.ts');
  expect(others).toHaveLength(19);
  expect(slowestFiles(files.slice(0, 5))).toEqual([]);
});
