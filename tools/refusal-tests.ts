import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calls } from '@keepwatch/contract/calls';
import { ROOT, sourceFiles } from './source-files.ts';

/**
 * Lists the calls that no test makes and that lack a named refusal: `node tools/refusal-tests.ts`. 401, 403 and 422 of every call
 * are tested together (every-call.test.ts); what a call answers when it works, and 404 for those that name a thing, are its own.
 */
const tests = sourceFiles()
  .filter(({ path }) => path.startsWith('apps/server/') && path.endsWith('.test.ts'))
  .map(({ path }) => readFileSync(join(ROOT, path), 'utf8'));

const lines = Object.entries(calls).flatMap(([name, call]) => {
  const naming = tests.filter((text) => new RegExp(`\\b${name}\\b`).test(text));
  if (naming.length === 0) return [`${name} (${call.method} ${call.path}): no test makes it`];
  const wants404 = call.path.includes('{') && !naming.some((text) => /['"`]404/.test(text));
  return wants404 ? [`${name} (${call.method} ${call.path}): no test named 404`] : [];
});

process.stdout.write(lines.length === 0 ? 'Every call is tested, its refusals too.\n' : `${lines.join('\n')}\n`);
