import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@keepwatch/embedded-database/free-port';
import { clusterName } from '@keepwatch/embedded-database/orphaned-postmaster';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import { onTestFinished } from 'vitest';

export const PROJECT = join(import.meta.dirname, '../../../..');
const NPM_FOLDER = dirname(process.execPath);
const START_LIMIT_MS = 180_000;

/** A whole program as a person starts it: npm, its shell, the bootstrap, the launcher, the roles, PostgreSQL. */
export interface WholeProgram {
  /** The process that was started: npm, or the first word of `command`. */
  outer: ChildProcess;
  /** Its exit code, when it has ended; `null` after a signal. */
  exitCode: Promise<number | null>;
  dataDir: string;
  url: string;
  /** Everything it has printed so far. */
  output(): string;
  /** The processes that belong to it, by number, with their command lines. */
  processes(): Map<number, string>;
}

/** Starts it in a fresh data folder and waits until it is ready; whatever still runs is killed when the test is over. */
export async function startWholeProgram(
  command: string[],
  options: { dataDir?: string; environment?: Record<string, string>; folder?: string } = {},
): Promise<WholeProgram> {
  const folder = options.dataDir ?? (await testDataDir());
  const port = await freePort();
  const outer = spawn(command[0] ?? '', command.slice(1), {
    cwd: options.folder ?? PROJECT,
    env: { ...outsideEnvironment(), DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'warn', ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const exitCode = once(outer, 'exit').then(([code]): number | null => code);
  let output = '';
  for (const stream of [outer.stdout, outer.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const processes = () => processesNaming(folder);
  onTestFinished(async () => {
    for (const pid of processes().keys()) killHard(pid);
    outer.kill('SIGKILL');
    await exitCode;
  });
  const url = `http://127.0.0.1:${port}`;
  const program = { outer, exitCode, dataDir: folder, url, output: () => output, processes };
  await waitUntilReady(program);
  return program;
}

/** A data folder that is removed when the test is over. */
export async function testDataDir(): Promise<string> {
  const folder = await makeTemporaryFolder('keepwatch-whole-');
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return folder;
}

/** Waits until no process of the program is left; returns those that are left after `limitMs`. */
export async function leftAfter(program: WholeProgram, limitMs: number): Promise<string[]> {
  const until = performance.now() + limitMs;
  while (performance.now() < until && program.processes().size > 0) await delay(50);
  return [...program.processes().values()];
}

/** Whether PostgreSQL wrote its last checkpoint and ended as it should: DB_SHUTDOWNED in pg_control. */
export function wasStoppedCleanly(dataDir: string): boolean {
  return readFileSync(join(dataDir, 'postgres/global/pg_control')).readInt32LE(16) === 1;
}

/** The number of the process whose command line contains `text`. */
export function pidOf(program: WholeProgram, text: string): number {
  const found = [...program.processes()].find(([, command]) => command.includes(text));
  if (found === undefined) throw new Error(`No process of the program is "${text}".`);
  return found[0];
}

export function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** Our environment without what Vitest and npm add to it. */
function outsideEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  return { PATH: `${NPM_FOLDER}:${PATH}`, HOME, LANG, TMPDIR };
}

async function waitUntilReady(program: WholeProgram): Promise<void> {
  const until = performance.now() + START_LIMIT_MS;
  while (!program.output().includes('Keepwatch is ready')) {
    if (program.outer.exitCode !== null || performance.now() > until)
      throw new Error(`The program did not start:\n${program.output()}`);
    await delay(50);
  }
}

/**
 * Processes with the data folder in their environment or command line, and PostgreSQL's by the name in their titles.
 * Zombies have neither.
 */
function processesNaming(dataDir: string): Map<number, string> {
  const found = new Map<number, string>();
  const names = [dataDir, clusterName(join(dataDir, 'postgres'))];
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const command = textOf(`/proc/${pid}/cmdline`);
    const all = `${command}\0${textOf(`/proc/${pid}/environ`)}`;
    if (names.some((name) => all.includes(name))) found.set(pid, command.replaceAll('\0', ' '));
  }
  return found;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // ended while we looked
  }
}
