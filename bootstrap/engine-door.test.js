import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from './folder.fixture.js';
import { PROJECT } from './project.js';

const COMMAND = join(PROJECT, 'packages', 'engine', 'bin', 'keepwatch-engine.js');

/** As a person has it: in a folder of their own, by the file that npm links. */
function keepwatchEngine(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    cwd: folderWith(),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('opens the command line from any folder', () => {
  const { status, stdout } = keepwatchEngine('help');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^keepwatch-engine <command>/);
});

test('passes arguments on, and ends with the exit code of the command line', () => {
  expect(keepwatchEngine('nonsense')).toEqual({
    status: 2,
    stdout: '',
    stderr: "There is no command 'nonsense'. 'keepwatch-engine help' lists all.\n",
  });
});

test('is plain JavaScript, down to the last file that it loads before it hands over', () => {
  const script = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      const found = next(name, context);
      if (found.url.endsWith('.ts')) throw new Error(found.url + ' is loaded by a Node that may not read it');
      return found;
    } });
    process.argv.splice(1, 1, ${JSON.stringify(COMMAND)});
    await import(process.argv[1]);`;
  const folder = folderWith({ 'old-node.mjs': script });
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'old-node.mjs'), 'help'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
