import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failedTests } from './failed-tests.ts';
import { ROOT } from './source-files.ts';

const name = join(ROOT, 'packages/engine/src/a.test.ts');

it('names the failed tests of Vitest, and no others', () => {
  const assertionResults = [
    { status: 'passed', fullName: 'reads' },
    { status: 'failed', fullName: 'writes' },
    { status: 'skipped', fullName: 'waits' },
  ];
  expect(failedTests({ testResults: [{ name, status: 'failed', assertionResults }] })).toEqual([
    'packages/engine/src/a.test.ts › writes',
  ]);
});

it('names a file that could not be loaded', () => {
  expect(failedTests({ testResults: [{ name, status: 'failed', assertionResults: [] }] })).toEqual([
    'packages/engine/src/a.test.ts',
  ]);
});

it('names the failed journeys, also those in groups', () => {
  const spec = (title: string, ok: boolean) => ({ file: 'a.spec.ts', title, ok });
  expect(failedTests({ suites: [{ specs: [spec('one', true)], suites: [{ specs: [spec('two', false)] }] }] })).toEqual([
    'apps/e2e/journeys/a.spec.ts › two',
  ]);
});

it('names nothing where the run broke off', () => {
  expect(failedTests({})).toEqual([]);
});
