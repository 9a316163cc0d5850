import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calls } from '@keepwatch/contract/calls';
import { expect, test } from 'vitest';
import { ROOT, sourceFiles } from './source-files.ts';

/**
 * What a call answers when it works, and 404 for those that name a thing, are its own and need tests of their own. 401, 403 and 422 of
 * every call are tested together (every-call.test.ts, malformed-inputs.test.ts), files, ranges and redirects in replies.test.ts.
 */
const tests = sourceFiles()
  .filter(({ path }) => path.startsWith('apps/server/') && path.endsWith('.test.ts'))
  .map(({ path }) => readFileSync(join(ROOT, path), 'utf8'));

test.each(Object.entries(calls))(
  '%s is made by a test, and refused by one if it can name what is not there',
  (name, call) => {
    const naming = tests.filter((text) => new RegExp(`\\b${name}\\b`).test(text));
    expect(naming.length, 'tests that make the call').toBeGreaterThan(0);
    if (call.path.includes('{'))
      expect(naming.filter((text) => /['"`]404/.test(text)).length, 'of these, tests of a 404').toBeGreaterThan(0);
  },
);
