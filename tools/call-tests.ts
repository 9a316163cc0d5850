import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calls } from '@keepwatch/contract/calls';
import { listFiles, ROOT, textOf } from './source-files.ts';

/** `node tools/call-tests.ts` writes the table of the Microsoft 365 application's calls with the tests that make each. */
export const TABLE = 'docs/microsoft-365-calls.md';

const HEAD = `# The calls of the Microsoft 365 application, and their tests

Each call by its name in the contract, with the tests of its own over HTTP: those that make it and look at what comes of it, and those of what it refuses
(\`refus….test.ts\`). \`node tools/call-tests.ts\` writes this page. Beside them
\`apps/server/src/testing\` makes all calls without a session, as users of every role, of other companies and providers, and with malformed input, and
\`apps/server/src/restore/roles/operator-reach.test.ts\` makes them as restore operators under roles that it draws.

| call | | made by | refused in |
|---|---|---|---|
`;

export interface TestedCall {
  name: string;
  method: string;
  path: string;
  /** Paths below `apps/server/src` of the tests that make it, and of those that have it refused. */
  tests: readonly string[];
  refusals: readonly string[];
}

/** The calls of the application, by their paths. */
export function testedCalls(): TestedCall[] {
  const tests = listFiles()
    .toSorted()
    .filter((path) => /^apps\/server\/src\/(?:microsoft365|restore)\/.*\.test\.ts$/.test(path))
    .map((path) => ({ path: path.replace('apps/server/src/', ''), text: withoutImports(textOf(path) ?? '') }));
  return Object.entries(calls)
    .filter(([, { path }]) => path.startsWith('/o365/'))
    .map(([name, { method, path }]) => {
      const made = new RegExp(`\\b${name}\\b`);
      const found = tests.flatMap(({ path: test, text }) => (made.test(text) ? [test] : [])).toSorted(compare);
      const refusals = found.filter(isOfRefusals);
      return { name, method, path, tests: found.filter((test) => !isOfRefusals(test)), refusals };
    })
    .toSorted((a, b) => (a.path === b.path ? compare(a.method, b.method) : compare(a.path, b.path)));
}

const isOfRefusals = (test: string) => /\/refus[^/]*$/.test(test);

const compare = (a: string, b: string) => (a < b ? -1 : 1);

const withoutImports = (text: string) => text.replace(/^import [^;]*;$/gm, '');

export function tableOf(tested: readonly TestedCall[]): string {
  const lines = tested.map(
    ({ name, method, path, tests, refusals }) =>
      `| \`${method} ${path}\` | ${name} | ${tests.join(', ')} | ${refusals.join(', ')} |`,
  );
  return `${HEAD}${lines.join('\n')}\n`;
}

if (import.meta.main) writeFileSync(join(ROOT, TABLE), tableOf(testedCalls()));
