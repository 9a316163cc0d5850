import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedDatabaseError, systemErrorCode } from './embedded-database-error.ts';
import { accountOptions, nativeEnvironment, runNativeProgram } from './native-program.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { Account } from './unprivileged-account.ts';

const POLL_MS = 20;
/** Crash recovery replays at most max_wal_size; ten minutes are enough for it on a slow disk. */
const START_LIMIT_MS = 10 * 60_000;
const LINES_MAX = 30;

/** What is needed to run PostgreSQL's programs on one cluster. */
export type ClusterPrograms = { cluster: string; binaries: PostgresBinaries; account: Account | undefined };

/** A running server; `exited` resolves with a description of its end, never rejects. */
export type Postmaster = { process: ChildProcess; exited: Promise<string> };

/** What the server writes about itself: its process, its port, and whether it accepts connections (`ready`). */
export type PostmasterFile = { pid: number; port: number; status: string };

/**
 * Starts the server and waits until it accepts connections. It leads a process group of its own, so that Ctrl-C at the
 * terminal does not reach it before those who still use it.
 * @throws EmbeddedDatabaseError with what the server said when it ends instead
 */
export async function startPostmaster(
  programs: ClusterPrograms,
  settings: string[],
  log: (line: string) => void,
): Promise<Postmaster> {
  const { cluster, binaries, account } = programs;
  const child = spawn(binaries.postgres, ['-D', cluster, ...settings], {
    ...accountOptions(account),
    cwd: '/',
    env: nativeEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: process.platform !== 'win32',
  });
  let isStarting = true;
  // What ends a start is said by the error below, once.
  const lines = keepLines(child, (line) => {
    if (!isStarting || !line.startsWith('FATAL:')) log(line);
  });
  const exited = describeEnd(child);
  const ended = await waitUntilReady(cluster, child, exited);
  isStarting = false;
  if (ended === undefined) return { process: child, exited };
  throw new EmbeddedDatabaseError(describeFailure(cluster, ended, lines));
}

/**
 * Stops the server of a cluster, ours or a leftover, and returns once its files are closed. First as PostgreSQL's
 * documentation asks (fast: transactions are rolled back, a checkpoint is written), then without the checkpoint,
 * which the next start makes up for. A server that is not running is no error.
 */
export async function stopPostmaster({ cluster, binaries, account }: ClusterPrograms, limitS: number): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    const args = ['stop', '-D', cluster, '-m', mode, '-t', String(limitS), '-s'];
    const { exitCode, output } = await runNativeProgram(binaries.pgCtl, args, account);
    if (exitCode === 0 || /is not running|does not exist/.test(output)) return;
  }
  const left = await readPostmasterFile(cluster);
  throw new EmbeddedDatabaseError(
    `PostgreSQL in ${cluster} (process ${left?.pid ?? 'unknown'}) does not stop. End that process, then start again.`,
  );
}

/** Reads postmaster.pid (lines 1, 4 and 8, see miscadmin.h of PostgreSQL), or undefined when there is none. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  try {
    const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? '' };
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Resolves with undefined when ready, else with how the process ended, once all it has said is read. */
async function waitUntilReady(
  cluster: string,
  child: ChildProcess,
  exited: Promise<string>,
): Promise<string | undefined> {
  for (let waitedMs = 0; waitedMs < START_LIMIT_MS; waitedMs += POLL_MS) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return exited;
    const file = await readPostmasterFile(cluster);
    if (file?.pid === child.pid && file.status === 'ready') return undefined;
    await delay(POLL_MS);
  }
  child.kill('SIGQUIT');
  await exited;
  return `it was not ready after ${START_LIMIT_MS / 60_000} minutes`;
}

function keepLines(child: ChildProcess, log: (line: string) => void): string[] {
  const lines: string[] = [];
  if (child.stderr === null) return lines;
  createInterface({ input: child.stderr }).on('line', (line) => {
    log(line);
    lines.push(line);
    if (lines.length > LINES_MAX) lines.shift();
  });
  return lines;
}

async function describeEnd(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, 'close');
    return signal === null ? `exit code ${String(code)}` : `signal ${String(signal)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function describeFailure(cluster: string, ended: string, lines: string[]): string {
  const fatal = lines.filter((line) => /^(FATAL|PANIC|ERROR):|[Aa]ddress already in use/.test(line)).join(' ');
  const said = (fatal || lines.at(-1) || ended).replace(/\s+/g, ' ');
  const advice = /No space left/.test(said) ? ' Free some space on that disk.' : '';
  return `PostgreSQL could not start on ${cluster}: ${said}.${advice}`;
}
