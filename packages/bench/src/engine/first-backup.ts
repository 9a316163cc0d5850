import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import { processorSeconds } from '../monitoring/processor-time.ts';
import { printTable } from '../table.ts';
import type { Targets } from '../targets.ts';
import type { Bench } from './bench-repository.ts';
import { SMALL_COMPANY, writeDataset } from './dataset.ts';
import { bytesIn, engineProgram, program, type Spent, spentBy } from './program.ts';

/** One backup of the data set into an empty repository, and reading it back. */
interface Measured {
  program: string;
  backup: Spent;
  read: Spent;
  /** Into a folder; borg is not asked for it. */
  restore: Spent | null;
  storedBytes: number;
  /** What the engine's database computed during the backup, in a process of its own. */
  databaseSeconds: number;
  memoryMegabytes: number;
}

/** Environment, and where a round puts what it makes. */
interface Round {
  root: string;
  from: string;
}

/** Enough that one disturbed round decides nothing. */
const ROUNDS = 5;
const SPEED_TARGET = 1;
const SPEED_STRETCH = 1.3;
const RESTORE_TARGET = 1;
const MEMORY_MEGABYTES_MAX = 400;

/**
 * The first backup of the same mail and files by the engine, restic and borg, in turn, each into an empty repository on the same disk and
 * with its usual settings; then all of it read back, and restored to a folder by the engine and restic. Files are warm in memory for all of them.
 */
export async function benchFirstBackup(_: Bench, targets: Targets): Promise<void> {
  const root = await makeTemporaryFolder('keepwatch-bench-', process.env['BENCH_DIR']);
  try {
    const from = join(root, 'from');
    const bytes = await writeDataset(from, SMALL_COMPANY);
    const measured: Measured[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const inTurn = [measureEngine, measureRestic, measureBorg];
      // Each leaves the disk as busy as it wrote much: none always comes after the same other one.
      for (const measure of round % 2 === 0 ? inTurn.reverse() : inTurn) {
        const one = await measure({ root, from });
        process.stdout.write(`round ${round} of ${ROUNDS}: ${lineOf(one, bytes)}\n`);
        measured.push(one);
      }
    }
    report(bytes, measured, targets);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Else one would wait for the disk to write down what another has left. */
async function spentAfterSync(work: () => Promise<unknown>): Promise<Spent> {
  await program('sync', []);
  return spentBy(work);
}

async function measureEngine({ root, from }: Round): Promise<Measured> {
  const [repository, dataDir, to] = [join(root, 'engine'), join(root, 'database'), join(root, 'to')];
  const database = await startEmbeddedDatabase({ dataDir, log: () => undefined });
  let memoryMegabytes = 0;
  const run = async (what: 'create' | 'backup' | 'read' | 'restore', place = from) => {
    const reported = await engineProgram(what, repository, database.url, place);
    memoryMegabytes = Math.max(memoryMegabytes, reported.memoryMegabytes);
  };
  try {
    // As with the others, making the empty repository is no part of the backup.
    await run('create');
    const server = await serverPid(dataDir);
    const before = await processorSeconds(server);
    const backup = await spentAfterSync(() => run('backup'));
    const databaseSeconds = (await processorSeconds(server)) - before;
    const read = await spentAfterSync(() => run('read'));
    await mkdir(to);
    const restore = await spentAfterSync(() => run('restore', to));
    await requireSame(join(from, 'mail'), join(to, 'mailbox'));
    await requireSame(join(from, 'files'), join(to, 'drive'));
    const storedBytes = await bytesIn(repository);
    return { program: 'engine', backup, read, restore, storedBytes, databaseSeconds, memoryMegabytes };
  } finally {
    await database.stop();
    for (const folder of [dataDir, repository, to]) await rm(folder, { recursive: true, force: true });
  }
}

/** What came back in less time, and not whole, would be faster and none to compare with. @throws Error where a file differs or is missing */
async function requireSame(from: string, to: string): Promise<void> {
  await program('diff', ['--recursive', '--brief', from, to]);
}

/** The first line of PostgreSQL's own file about itself. */
async function serverPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

async function measureRestic({ root, from }: Round): Promise<Measured> {
  const [repository, cache, to] = [join(root, 'restic'), join(root, 'cache'), join(root, 'to')];
  const env = {
    ...process.env,
    RESTIC_REPOSITORY: repository,
    RESTIC_PASSWORD: 'bench',
    RESTIC_CACHE_DIR: cache,
  };
  await program('restic', ['init'], { env, stdio: 'ignore' });
  const backup = await spentAfterSync(() => program('restic', ['backup', '--quiet', '.'], { env, cwd: from }));
  const read = await spentAfterSync(() =>
    program('restic', ['dump', 'latest', '/'], { env, stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const restore = await spentAfterSync(() =>
    program('restic', ['restore', 'latest', '--quiet', '--target', to], { env, stdio: 'ignore' }),
  );
  await requireSame(from, to);
  const storedBytes = await bytesIn(repository);
  for (const folder of [repository, cache, to]) await rm(folder, { recursive: true, force: true });
  return { program: 'restic', backup, read, restore, storedBytes, databaseSeconds: 0, memoryMegabytes: 0 };
}

async function measureBorg({ root, from }: Round): Promise<Measured> {
  const [repository, base] = [join(root, 'borg'), join(root, 'borg-base')];
  const env = { ...process.env, BORG_REPO: repository, BORG_PASSPHRASE: 'bench', BORG_BASE_DIR: base };
  await program('borg', ['init', '-e', 'repokey'], { env, stdio: 'ignore' });
  const backup = await spentAfterSync(() => program('borg', ['create', '::first', '.'], { env, cwd: from }));
  const read = await spentAfterSync(() =>
    program('borg', ['export-tar', '::first', '-'], { env, stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const storedBytes = await bytesIn(repository);
  for (const folder of [repository, base]) await rm(folder, { recursive: true, force: true });
  return { program: 'borg', backup, read, restore: null, storedBytes, databaseSeconds: 0, memoryMegabytes: 0 };
}

/** One line, printed as soon as it is known. */
function lineOf({ program, backup, read, restore, storedBytes, databaseSeconds }: Measured, bytes: number): string {
  const rate = ({ ms }: Spent) => `${(bytes / 1e3 / ms).toFixed(0)} MB/s`;
  const parts = [
    `${program} ${rate(backup)}`,
    `${(backup.processorSeconds + databaseSeconds).toFixed(1)} processor seconds`,
    `read back ${rate(read)}`,
    ...(restore === null ? [] : [`restored ${rate(restore)}`]),
    `stored ${(storedBytes / 1e6).toFixed(1)} MB`,
  ];
  return parts.join(', ');
}

type Medians = ReturnType<typeof mediansOf>;

function mediansOf(bytes: number, rounds: readonly Measured[], program: string) {
  const all = rounds.filter((one) => one.program === program);
  const median = (of: (one: Measured) => number) => all.map(of).sort((a, b) => a - b)[all.length >> 1] ?? 0;
  return {
    program,
    backup: bytes / 1e3 / median(({ backup }) => backup.ms),
    read: bytes / 1e3 / median(({ read }) => read.ms),
    restore: bytes / 1e3 / median(({ restore }) => restore?.ms ?? 0),
    stored: median(({ storedBytes }) => storedBytes) / 1e6,
    seconds: median(({ backup }) => backup.processorSeconds),
    databaseSeconds: median(({ databaseSeconds }) => databaseSeconds),
    restoreSeconds: median(({ restore }) => restore?.processorSeconds ?? 0),
    memory: Math.max(...all.map(({ memoryMegabytes }) => memoryMegabytes)),
  };
}

function report(bytes: number, rounds: readonly Measured[], targets: Targets): void {
  const engine = mediansOf(bytes, rounds, 'engine');
  const restic = mediansOf(bytes, rounds, 'restic');
  const borg = mediansOf(bytes, rounds, 'borg');
  printTable(
    `First backup of ${(bytes / 1e6).toFixed(0)} MB: medians of ${ROUNDS} rounds in turn`,
    ['', 'backup MB/s', 'processor s', 'database s', 'read back MB/s', 'restore MB/s', 'processor s', 'stored MB'],
    [engine, restic, borg].map(rowOf),
  );
  printTable('First backup: targets', ['', 'is', 'target'], targetRows(engine, restic, borg, targets));
  process.stdout.write(
    'Restore: the engine writes the files by the reader of its exports; its command line writes PST, ZIP, EML and MSG, and no loose files.\n',
  );
}

function rowOf(one: Medians): string[] {
  const orNone = (value: number, digits: number) => (Number.isFinite(value) && value > 0 ? value.toFixed(digits) : '');
  return [
    one.program,
    one.backup.toFixed(0),
    one.seconds.toFixed(1),
    orNone(one.databaseSeconds, 1),
    one.read.toFixed(0),
    orNone(one.restore, 0),
    orNone(one.restoreSeconds, 1),
    one.stored.toFixed(1),
  ];
}

function targetRows(engine: Medians, restic: Medians, borg: Medians, targets: Targets): string[][] {
  const least = (what: string, is: number, min: number, note = '') => [
    what,
    targets.evaluated(what, is.toFixed(2), is >= min),
    `at least ${min}${note}`,
  ];
  const most = (what: string, is: number, max: number) => [
    what,
    targets.evaluated(what, is.toFixed(2), is <= max),
    `at most ${max}`,
  ];
  return [
    least('MB/s against restic', engine.backup / restic.backup, SPEED_TARGET, `, stretch ${SPEED_STRETCH}`),
    most('processor seconds against restic', engine.seconds / restic.seconds, 1),
    most('the same with its database', (engine.seconds + engine.databaseSeconds) / restic.seconds, 1),
    most('stored bytes against the smaller of both', engine.stored / Math.min(restic.stored, borg.stored), 1),
    most('memory of the engine, MB', engine.memory, MEMORY_MEGABYTES_MAX),
    least('restore to a folder against restic, MB/s', engine.restore / restic.restore, RESTORE_TARGET),
  ];
}
