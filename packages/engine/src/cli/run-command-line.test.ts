import { readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { runCommandLine } from './run-command-line.ts';

async function run(...args: string[]) {
  const said = { out: '', problems: '' };
  const into = (name: keyof typeof said) =>
    new Writable({
      write(chunk, _, done) {
        said[name] += String(chunk);
        done();
      },
    });
  const [out, problems] = [into('out'), into('problems')];
  const onInterrupt = () => undefined;
  const exitCode = await runCommandLine(args, {
    environment: {},
    out,
    problems,
    columns: null,
    terminal: null,
    onInterrupt,
  });
  return { exitCode, ...said };
}

test.each(['--version', '-V', 'version'])('%s prints the version', async (word) => {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  const version = /"version": "([^"]+)"/.exec(manifest)?.[1];
  expect(await run(word)).toEqual({ exitCode: 0, out: `${version}\n`, problems: '' });
});

test.each([
  ['--kind', '--kinds'],
  ['--inclde', '--include'],
  ['--objects-at-one', '--objects-at-once'],
])('names the option that %s was meant to be', async (wrong, right) => {
  const { exitCode, problems } = await run('backup', wrong, 'x');
  expect(exitCode).toBe(2);
  expect(problems).toBe(
    `Unknown option '${wrong}'. Did you mean '${right}'? \`keepwatch-engine backup --help\` lists what it takes.\n`,
  );
});

test('names no option that is nothing like the one given', async () => {
  expect((await run('backup', '--zzzzzz')).problems).not.toContain('Did you mean');
});
