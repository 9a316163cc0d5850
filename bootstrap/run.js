/**
 * The entry point of everything: `node bootstrap/run.js <command> [arguments]`, which the scripts of package.json call. It makes a fresh clone ready (Node 24, npm packages, the browser application) and hands over to
 * the TypeScript that does the work. It has to run on Node 20 with nothing installed: plain JavaScript, no packages.
 */
import { join } from 'node:path';
import { installDependencies } from './dependencies.js';
import { handOver } from './hand-over.js';
import { suitableNode } from './node-runtime.js';
import { ensurePostgresLinks } from './postgres-links.js';
import { stoppable } from './preparation.js';
import { announce, BootstrapError, OWN_FOLDER, PROJECT } from './project.js';
import { withStartLock } from './start-lock.js';
import { buildWeb } from './web-build.js';

const LAUNCHER = 'apps/server/src/program/launch/main.ts';

const COMMANDS = {
  start: { file: LAUNCHER, args: ['start'], needsWeb: true },
  serve: { file: LAUNCHER, args: ['serve'], needsWeb: true },
  backup: { file: 'apps/server/src/program/backup.ts', args: [], needsWeb: false },
  restore: { file: 'apps/server/src/program/restore.ts', args: [], needsWeb: false },
  build: { file: undefined, args: [], needsWeb: true },
  test: { file: 'tools/test.ts', args: [], needsWeb: false },
  soak: { file: 'tools/test.ts', args: ['--soak'], needsWeb: false },
  check: { file: 'tools/check.ts', args: [], needsWeb: false },
  new: { file: 'tools/new/main.ts', args: [], needsWeb: false },
  bench: { file: 'packages/bench/src/main.ts', args: [], needsWeb: false },
};

/** Where the person is, for the names of files they give; npm says it, and runs us in the project. */
process.env.INIT_CWD ??= process.cwd();

async function run([name = '', ...rest]) {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    throw new BootstrapError(`Unknown command "${name}". It is one of: ${Object.keys(COMMANDS).join(', ')}.`);
  }
  const node = await withStartLock(join(OWN_FOLDER, 'start.lock'), () => stoppable(() => prepare(command.needsWeb)));
  if (command.file === undefined) return 0;
  return handOver({ node, file: join(PROJECT, command.file), args: [...command.args, ...rest], cwd: PROJECT });
}

async function prepare(needsWeb) {
  const node = await suitableNode();
  await installDependencies(PROJECT);
  await ensurePostgresLinks(PROJECT);
  if (needsWeb) await buildWeb(PROJECT, node);
  return node;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  announce(error instanceof BootstrapError ? error.message : String(error?.stack ?? error));
  process.exitCode = 1;
}
