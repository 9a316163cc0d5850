import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import { printTable } from '../table.ts';
import type { Targets } from '../targets.ts';
import { timed } from '../timing.ts';
import type { Bench } from './bench-repository.ts';
import { SMALL_COMPANY, writeDataset } from './dataset.ts';
import { bytesIn, engineProgram, program } from './program.ts';

/** One backup of the data set into an empty repository, and reading it back. */
interface Measured {
  program: string;
  backupMs: number;
  readMs: number;
  storedBytes: number;
  memoryMegabytes: number | null;
}

const ROUNDS = 3;
const SPEED_TARGET = 2;
const MEMORY_MEGABYTES_MAX = 400;

/**
 * The first backup of the same mail and files by the engine, restic and borg, in turn, each into an empty repository on the same disk and
 * with its usual settings; then all of it read back. Files are warm in memory for all of them.
 */
export async function benchFirstBackup(_: Bench, targets: Targets): Promise<void> {
  const root = await makeTemporaryFolder('keepwatch-bench-');
  try {
    const from = join(root, 'from');
    const bytes = await writeDataset(from, SMALL_COMPANY);
    const measured: Measured[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const measure of [measureEngine, measureRestic, measureBorg]) {
        // Else one would wait for the disk to write down what another has left.
        await program('sync', []);
        const one = await measure(root, from);
        process.stdout.write(`round ${round} of ${ROUNDS}: ${lineOf(one, bytes)}\n`);
        measured.push(one);
      }
    }
    report(bytes, measured, targets);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function measureEngine(root: string, from: string): Promise<Measured> {
  const [repository, dataDir] = [join(root, 'engine'), join(root, 'database')];
  const database = await startEmbeddedDatabase({ dataDir, log: () => undefined });
  let memoryMegabytes = 0;
  const run = async (what: 'create' | 'backup' | 'read') => {
    const reported = await engineProgram(what, repository, database.url, from);
    memoryMegabytes = Math.max(memoryMegabytes, reported.memoryMegabytes);
  };
  try {
    // As with the others, making the empty repository is no part of the backup.
    await run('create');
    const backupMs = await timed(() => run('backup'));
    const readMs = await timed(() => run('read'));
    return { program: 'engine', backupMs, readMs, storedBytes: await bytesIn(repository), memoryMegabytes };
  } finally {
    await database.stop();
    await rm(dataDir, { recursive: true });
    await rm(repository, { recursive: true });
  }
}

async function measureRestic(root: string, from: string): Promise<Measured> {
  const repository = join(root, 'restic');
  const env = {
    ...process.env,
    RESTIC_REPOSITORY: repository,
    RESTIC_PASSWORD: 'bench',
    RESTIC_CACHE_DIR: join(root, 'cache'),
  };
  await program('restic', ['init'], { env, stdio: 'ignore' });
  const backupMs = await timed(() => program('restic', ['backup', '--quiet', '.'], { env, cwd: from }));
  const readMs = await timed(() =>
    program('restic', ['dump', 'latest', '/'], { env, stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const storedBytes = await bytesIn(repository);
  await rm(repository, { recursive: true });
  await rm(join(root, 'cache'), { recursive: true, force: true });
  return { program: 'restic', backupMs, readMs, storedBytes, memoryMegabytes: null };
}

async function measureBorg(root: string, from: string): Promise<Measured> {
  const repository = join(root, 'borg');
  const env = {
    ...process.env,
    BORG_REPO: repository,
    BORG_PASSPHRASE: 'bench',
    BORG_BASE_DIR: join(root, 'borg-base'),
  };
  await program('borg', ['init', '-e', 'repokey'], { env, stdio: 'ignore' });
  const backupMs = await timed(() => program('borg', ['create', '::first', '.'], { env, cwd: from }));
  const readMs = await timed(() =>
    program('borg', ['export-tar', '::first', '-'], { env, stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const storedBytes = await bytesIn(repository);
  await rm(repository, { recursive: true });
  await rm(join(root, 'borg-base'), { recursive: true, force: true });
  return { program: 'borg', backupMs, readMs, storedBytes, memoryMegabytes: null };
}

/** One line, printed as soon as it is known. */
function lineOf({ program, backupMs, readMs, storedBytes }: Measured, bytes: number): string {
  const rate = (ms: number) => `${(bytes / 1e3 / ms).toFixed(0)} MB/s`;
  return `${program} ${rate(backupMs)}, read back ${rate(readMs)}, stored ${(storedBytes / 1e6).toFixed(1)} MB`;
}

function report(bytes: number, rounds: readonly Measured[], targets: Targets): void {
  const medians = (program: string) => {
    const all = rounds.filter((one) => one.program === program);
    const median = (of: (one: Measured) => number) => all.map(of).sort((a, b) => a - b)[all.length >> 1] ?? 0;
    return {
      backup: bytes / 1e3 / median(({ backupMs }) => backupMs),
      read: bytes / 1e3 / median(({ readMs }) => readMs),
      stored: median(({ storedBytes }) => storedBytes) / 1e6,
      memory: Math.max(...all.map(({ memoryMegabytes }) => memoryMegabytes ?? 0)),
    };
  };
  const [engine, restic, borg] = [medians('engine'), medians('restic'), medians('borg')];
  const row = (name: string, one: typeof engine) => [
    name,
    one.backup.toFixed(0),
    one.read.toFixed(0),
    one.stored.toFixed(1),
  ];
  printTable(
    `First backup of ${(bytes / 1e6).toFixed(0)} MB: medians of ${ROUNDS} rounds in turn`,
    ['', 'backup MB/s', 'read back MB/s', 'stored MB'],
    [row('engine', engine), row('restic', restic), row('borg', borg)],
  );
  const smaller = Math.min(restic.stored, borg.stored);
  const [speed, share] = [engine.backup / restic.backup, engine.stored / smaller];
  printTable(
    'First backup: targets',
    ['', 'is', 'target'],
    [
      evaluated(targets, 'MB/s against restic', speed, speed >= SPEED_TARGET, `at least ${SPEED_TARGET}`),
      evaluated(targets, 'stored bytes against the smaller of both', share, share <= 1, 'at most 1'),
      evaluated(
        targets,
        'memory of the engine, MB',
        engine.memory,
        engine.memory <= MEMORY_MEGABYTES_MAX,
        `at most ${MEMORY_MEGABYTES_MAX}`,
      ),
    ],
  );
}

function evaluated(targets: Targets, what: string, is: number, isMet: boolean, target: string): string[] {
  return [what, targets.evaluated(what, is.toFixed(2), isMet), target];
}
