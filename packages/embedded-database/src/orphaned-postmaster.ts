import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';
import { type ClusterPrograms, readPostmasterFile, stopPostmaster } from './postmaster.ts';

type RunningProcess = { pid: number; command: string };

const POLL_MS = 100;
const LINGER_LIMIT_MS = 10_000;

/** The cluster's name in the titles of its server's processes; made from its path, so that it is found again. */
export function clusterName(cluster: string): string {
  return `keepwatch-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
}

/**
 * Makes way for a new server after a program that was killed. Call it only while holding the folder's lock: a server
 * that still runs then has no owner. It is stopped cleanly rather than adopted: its settings, port and
 * log were another program's, and stopping it takes a second.
 *
 * When only the server was killed, its session processes may live on for moments; a second server beside them would
 * damage the data, so they are waited for and then ended. A postmaster.pid whose number now belongs to a stranger
 * is removed, since PostgreSQL would mistake the stranger for a server.
 */
export async function stopOrphanedPostmaster(programs: ClusterPrograms, log: (line: string) => void): Promise<void> {
  const file = await readPostmasterFile(programs.cluster);
  if (file === undefined) return;
  const processes = await runningProcesses();
  const serving = serversOf(programs.cluster, processes);
  if (serving.some(({ pid }) => pid === file.pid)) {
    log(`PostgreSQL of a program that was killed still runs (process ${file.pid}): stopping it.`);
    await stopPostmaster(programs, 60);
  }
  await endLingering(programs.cluster);
  const holder = processes.find(({ pid }) => pid === file.pid);
  if (holder && !isServer(holder)) await rm(join(programs.cluster, 'postmaster.pid'), { force: true });
}

async function endLingering(cluster: string): Promise<void> {
  for (let waitedMs = 0; waitedMs <= LINGER_LIMIT_MS; waitedMs += POLL_MS) {
    const left = serversOf(cluster, await runningProcesses());
    if (left.length === 0) return;
    if (waitedMs === LINGER_LIMIT_MS / 2) for (const { pid } of left) endProcess(pid);
    await delay(POLL_MS);
  }
  throw new EmbeddedDatabaseError(
    `Processes of an earlier PostgreSQL still use ${cluster} and cannot be ended. End them, then start again.`,
  );
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile, or is not ours: the next look decides.
  }
}

function serversOf(cluster: string, processes: RunningProcess[]): RunningProcess[] {
  const name = clusterName(cluster);
  return processes.filter((running) => running.command.includes(name) && isServer(running));
}

function isServer({ command }: RunningProcess): boolean {
  return /postgres/.test(command);
}

/** All processes with their command lines; /proc where there is one, since small containers have no `ps`. */
async function runningProcesses(): Promise<RunningProcess[]> {
  if (process.platform === 'linux') return processesOfProc();
  if (process.platform === 'win32') return [];
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='], { maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\n').map((line) => {
    const [pid = '', ...command] = line.trim().split(' ');
    return { pid: Number(pid), command: command.join(' ') };
  });
}

async function processesOfProc(): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''); // ended while we looked
      return { pid: Number(pid), command: command.replaceAll('\0', ' ') };
    }),
  );
}
