import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { type EmbeddedDatabase, type EmbeddedDatabaseOptions, startEmbeddedDatabase } from './embedded-database.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** A fresh folder that every account may pass through, removed when the test is over. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keepwatch-database-'));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder as `testFolder` gives one, with an empty database that is stopped: a copy of one, as making it takes seconds. */
export async function databaseFolder(): Promise<string> {
  const folder = await testFolder();
  made ??= makeDatabase();
  // The cluster belongs to another account where the tests run as root, and stays its own.
  await promisify(execFile)('cp', ['-a', `${await made}/.`, folder]);
  return folder;
}

let made: Promise<string> | null = null;

async function makeDatabase(): Promise<string> {
  const folder = await makeTemporaryFolder('keepwatch-database-');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const database = await startEmbeddedDatabase({ dataDir: folder, durable: true, log: () => undefined });
  await database.stop();
  return folder;
}

/** A database of this process, stopped when the test is over. */
export async function startForTest(
  dataDir: string,
  options: Partial<EmbeddedDatabaseOptions> = {},
): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase({ dataDir, durable: false, log: () => undefined, ...options });
  onTestFinished(() => database.stop());
  return database;
}

/** Another program, holding the database of the folder; its first line is the address, or why it was refused. */
export async function startOtherProgram(
  dataDir: string,
  account: { uid?: number; gid?: number } = {},
): Promise<{ program: ChildProcess; line: string }> {
  const file = join(import.meta.dirname, 'hold-database.fixture.ts');
  const program = spawn(process.execPath, [file, dataDir], { ...account, stdio: ['ignore', 'pipe', 'inherit'] });
  let line = '';
  onTestFinished(async () => {
    if (program.exitCode === null && program.signalCode === null) await killHard(program);
    // Its server notices that the program is gone, and ends; until then it writes to the folder.
    while (line.startsWith('postgres') && processesNaming(dataDir).length > 0) await delay(20);
  });
  const [chunk] = await once(program.stdout, 'data');
  line = String(chunk).trim();
  return { program, line };
}

/** Ends a process the hard way and waits until it is gone. */
export async function killHard(program: ChildProcess): Promise<void> {
  const exited = once(program, 'exit');
  program.kill('SIGKILL');
  await exited;
}

/** The rows of one statement. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // the server is killed under some clients on purpose
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

export async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** Processes whose command line contains `text`; zombies, which have none, do not count. Linux only. */
export function processesNaming(text: string): number[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandLine(pid).includes(text));
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // ended while we looked
  }
}
