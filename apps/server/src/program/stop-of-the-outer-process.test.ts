import { rm } from 'node:fs/promises';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import { beforeAll, describe, expect, test } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { leftAfter, pidOf, startWholeProgram, wasStoppedCleanly } from './whole-program.fixture.ts';

const LIMIT_MS = 10_000;
const TEST_LIMIT_MS = 240_000;

if (process.platform !== 'linux') console.warn('Tests of stopping the whole program are skipped: they read /proc.');

/** Of all programs here, one after the other: each finds the database as the one before left it, and does not make its own. */
let dataDir: string;
beforeAll(async () => {
  dataDir = await makeTemporaryFolder('keepwatch-stop-');
  return () => rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

/** Two of the four, others in each run; all of them in the soak. */
function drawnSignals(): NodeJS.Signals[] {
  const left: NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'];
  const draw = () => left.splice(Math.floor(Math.random() * left.length), 1);
  return Array.from({ length: tries(2, 4) }, draw).flat();
}

const start = (...command: string[]) => startWholeProgram(command, { dataDir });

describe.runIf(process.platform === 'linux')('npm run serve', () => {
  test.each(drawnSignals())(
    'leaves no process within 10 s when npm gets %s, and PostgreSQL is stopped cleanly',
    async (signal) => {
      const program = await start('npm', 'run', 'serve');
      const commands = [...program.processes().values()];
      for (const part of [/role\.ts api/, /postgres/])
        expect(commands.filter((command) => part.test(command))).not.toEqual([]);
      program.outer.kill(signal);
      expect(await leftAfter(program, LIMIT_MS)).toEqual([]);
      expect(wasStoppedCleanly(program.dataDir)).toBe(true);
    },
    TEST_LIMIT_MS,
  );
});

describe.runIf(process.platform === 'linux')('a process in between that is killed hard', () => {
  test(
    'the bootstrap: the launcher notices, and stops everything cleanly',
    async () => {
      const program = await start(process.execPath, 'bootstrap/run.js', 'serve');
      program.outer.kill('SIGKILL');
      expect(await leftAfter(program, LIMIT_MS)).toEqual([]);
      expect(wasStoppedCleanly(program.dataDir)).toBe(true);
    },
    TEST_LIMIT_MS,
  );

  test(
    'the launcher: the roles and PostgreSQL notice, and end by themselves',
    async () => {
      const program = await start(process.execPath, 'bootstrap/run.js', 'serve');
      process.kill(pidOf(program, 'launch/main.ts'), 'SIGKILL');
      expect(await leftAfter(program, LIMIT_MS)).toEqual([]);
      expect(wasStoppedCleanly(program.dataDir)).toBe(true);
    },
    TEST_LIMIT_MS,
  );
});
