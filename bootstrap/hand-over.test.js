import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from './folder.fixture.js';
import { PROJECT } from './project.js';

/** A program that hands over to `script`, as run.js does. */
function bootstrapOf(script) {
  const folder = folderWith({
    'program.mjs': script,
    'bootstrap.mjs': `
      import { handOver } from ${JSON.stringify(join(PROJECT, 'bootstrap', 'hand-over.js'))};
      const program = { node: process.execPath, file: 'program.mjs', args: ['one', 'two'], cwd: process.cwd() };
      process.exitCode = await handOver(program);`,
  });
  return { file: join(folder, 'bootstrap.mjs'), cwd: folder };
}

test('passes arguments on and ends with the exit code of the program', () => {
  const { file, cwd } = bootstrapOf('console.log(process.argv.slice(2).join()); process.exitCode = 7;');
  const { status, stdout } = spawnSync(process.execPath, [file], { cwd, encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 7, stdout: 'one,two\n' });
});

test("puts the right Node's folder first in the program's PATH", () => {
  const { file, cwd } = bootstrapOf('console.log(process.env.PATH)');
  const { stdout } = spawnSync(process.execPath, [file], { cwd, encoding: 'utf8' });
  expect(stdout.startsWith(join(process.execPath, '..'))).toBe(true);
});

test('gives the program two heaps of glibc, unless another number is named', () => {
  const { file, cwd } = bootstrapOf('console.log(process.env.MALLOC_ARENA_MAX)');
  const { MALLOC_ARENA_MAX: _, ...env } = process.env;
  const heapsWith = (given) => spawnSync(process.execPath, [file], { cwd, encoding: 'utf8', env: given }).stdout.trim();
  expect([heapsWith(env), heapsWith({ ...env, MALLOC_ARENA_MAX: '8' })]).toEqual(['2', '8']);
});

test('keeps what the program was compiled to in our own folder, unless another place is named', () => {
  const { file, cwd } = bootstrapOf('console.log(process.env.NODE_COMPILE_CACHE)');
  const placeWith = (NODE_COMPILE_CACHE) => {
    const { NODE_COMPILE_CACHE: _, ...env } = process.env;
    const given = NODE_COMPILE_CACHE === undefined ? env : { ...env, NODE_COMPILE_CACHE };
    return spawnSync(process.execPath, [file], { cwd, encoding: 'utf8', env: given }).stdout.trim();
  };
  expect(placeWith(undefined)).toBe(join(PROJECT, '.node', 'compiled'));
  expect(placeWith(cwd)).toBe(cwd);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('passes %s on and waits for the program', async (signal) => {
  const { file, cwd } = bootstrapOf(
    `process.on('${signal}', () => { console.log('stopped'); process.exit(3); });
     setInterval(() => undefined, 60_000);
     console.log('running');`,
  );
  const bootstrap = spawn(process.execPath, [file], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const said = [];
  bootstrap.stdout.setEncoding('utf8').on('data', (text) => said.push(text));
  await expect.poll(() => said.join('')).toBe('running\n');
  bootstrap.kill(signal);
  expect(await once(bootstrap, 'close')).toEqual([3, null]);
  expect(said.join('')).toBe('running\nstopped\n');
});

test('asks the program to end once, where npm passes the signal on and ends before us', async () => {
  const { file, cwd } = bootstrapOf(
    `let asked = 0;
     process.on('SIGTERM', () => {
       asked += 1;
       if (asked === 1) setTimeout(() => { console.log('asked ' + asked); process.exit(); }, 1_500);
     });
     setInterval(() => undefined, 60_000);
     console.log('running');`,
  );
  const npm = `
    const { spawn } = require('node:child_process');
    const env = { ...process.env, npm_lifecycle_script: 'exec node bootstrap/run.js start' };
    const child = spawn(process.execPath, [${JSON.stringify(file)}], { stdio: 'inherit', env });
    process.on('SIGTERM', () => { child.kill('SIGTERM'); process.exit(); });`;
  const starter = spawn(process.execPath, ['-e', npm], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const said = [];
  starter.stdout.setEncoding('utf8').on('data', (text) => said.push(text));
  await expect.poll(() => said.join('')).toBe('running\n');
  starter.kill('SIGTERM');
  await once(starter.stdout, 'close');
  expect(said.join('')).toBe('running\nasked 1\n');
});

test('ends as shells have it when the program is ended by a signal', () => {
  const { file, cwd } = bootstrapOf(`process.kill(process.pid, 'SIGKILL'); setInterval(() => undefined, 60_000);`);
  expect(spawnSync(process.execPath, [file], { cwd }).status).toBe(137);
});

test('run.js names the commands when it is given another', () => {
  const run = join(PROJECT, 'bootstrap', 'run.js');
  const { status, stderr } = spawnSync(process.execPath, [run, 'play'], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toBe(
    'Unknown command "play". It is one of: start, serve, backup, restore, build, test, soak, check, new, bench.\n',
  );
});
