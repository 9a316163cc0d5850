import { matchesGlob } from 'node:path';
import { expect, it } from 'vitest';
import { listFiles, textOf } from './source-files.ts';
import {
  ENGINE_TESTS,
  OUTLOOK_TESTS,
  SANDBOX_TESTS,
  SCREEN_TESTS,
  SERVER_TESTS,
  UNIT_TESTS,
  WEB_UNIT_TESTS,
} from './test-files.ts';

const matches = (path: string, globs: readonly string[]) => globs.some((glob) => matchesGlob(path, glob));

/** The steps of `npm test` that run a file. */
function stepsOf(path: string): string[] {
  const isWhole = matches(path, SANDBOX_TESTS);
  const isEngine = matches(path, ENGINE_TESTS);
  const steps = {
    unit: matches(path, [...UNIT_TESTS, ...WEB_UNIT_TESTS]) && !isWhole,
    sandbox: isWhole && !isEngine,
    engine: isEngine,
    outlook: matches(path, OUTLOOK_TESTS),
    screens: matches(path, SCREEN_TESTS),
    server: matches(path, SERVER_TESTS),
  };
  return Object.entries(steps).flatMap(([name, runs]) => (runs ? [name] : []));
}

it('every test file is run by one step of npm test, and by no second one', () => {
  const files = listFiles('*.test.*');
  expect(files.length).toBeGreaterThan(100);
  const steps = files.map((path) => [path, stepsOf(path)] as const);
  expect(steps.filter(([, names]) => names.length !== 1)).toEqual([]);
});

it.each([
  ['packages/sandbox/src/vspc/filter.test.ts', 'unit'],
  ['packages/sandbox/src/vspc/heatmap.server.test.ts', 'sandbox'],
  ['packages/engine/src/catalog/postgres/catalog.server.test.ts', 'engine'],
  ['packages/outlook-files/src/crc.test.ts', 'outlook'],
  ['packages/outlook-files/checker/check.test.ts', 'outlook'],
  ['apps/web/src/kit/session.test.ts', 'unit'],
  ['apps/web/src/insights/dashboard/dashboard.test.tsx', 'screens'],
  ['apps/server/src/sources/sync/sync.sandbox.test.ts', 'server'],
])('%s belongs to the step "%s"', (path, step) => {
  expect(stepsOf(path)).toEqual([step]);
});

/** What would still be so for the next file of the process. */
const CHANGES_THE_PROCESS =
  /vi\.(mock|doMock|stubEnv|stubGlobal)\(|process\.env(\.\w+|\[[^\]]+\]) *=[^=]|delete process\.env|process\.chdir\(/;

it('no file of the server, which share their processes, changes the process for the next one', () => {
  const files = listFiles('*.test.ts').filter((path) => matches(path, SERVER_TESTS));
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((path) => CHANGES_THE_PROCESS.test(textOf(path) ?? ''))).toEqual([]);
});
