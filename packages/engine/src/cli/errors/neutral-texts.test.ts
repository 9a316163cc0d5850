import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { EngineError } from '../../model/engine-error.ts';
import { explainError } from './explain-error.ts';

const SOURCE = join(import.meta.dirname, '../..');
/** Only the command line has options; tests and what is made for them may name them. */
const ELSEWHERE = /^(?:cli|testing|suites)\/|\/testing\/|\.test\.ts$|\.fixture\.ts$/;
const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|[^:])\/\/.*$/gm;
const OPTION = /(?<![\w-])--[a-z][a-z-]+/;

test('no text of the engine names an option of the command line', async () => {
  const naming: string[] = [];
  for (const name of await readdir(SOURCE, { recursive: true })) {
    const path = name.split(sep).join('/');
    if (!path.endsWith('.ts') || ELSEWHERE.test(path)) continue;
    const code = (await readFile(join(SOURCE, name), 'utf8')).replaceAll(COMMENTS, '');
    for (const line of code.split('\n')) if (OPTION.test(line)) naming.push(`${path}: ${line.trim()}`);
  }
  expect(naming).toEqual([]);
});

test('the command line adds its options to what an error advises', () => {
  const error = new EngineError('damaged', 'Journals are lost. A rebuild can accept that.', { remedy: 'accept-loss' });
  expect(explainError(error).message).toBe(
    "Journals are lost. A rebuild can accept that. 'rebuild --accept-loss' does that.",
  );
  expect(explainError(new EngineError('damaged', 'Lost.')).message).toBe('Lost.');
});
