import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import { printTable } from '../table.ts';
import type { Targets } from '../targets.ts';
import { timed } from '../timing.ts';
import type { Bench } from './bench-repository.ts';
import { bytesIn, type EngineReport, engineProgram } from './program.ts';

const MEMORY_MEGABYTES_MAX = 400;

/** What is backed up for the first time, as engine-program.ts takes it. Both are made on the way, and need no disk. */
const TENANTS = [
  { name: 'a drive of 10 GB', from: 'made:drive:10000' },
  { name: 'a million small messages', from: 'made:mail:1000000' },
];

/** The memory of the engine in first backups of any size: it has to be bounded. `MEMORY_SHARE=10` takes a tenth of each. */
export async function benchMemory({ folder }: Bench, targets: Targets): Promise<void> {
  const rows: string[][] = [];
  for (const { name, from } of TENANTS) {
    const [made, kind, size] = from.split(':');
    const share = Number(process.env['MEMORY_SHARE'] ?? 1);
    const { reported, ms, storedBytes } = await backedUp(
      folder,
      [made, kind, Math.ceil(Number(size) / share)].join(':'),
    );
    const title = share === 1 ? name : `${name}, one part of ${share}`;
    const { memoryMegabytes: megabytes, bytes } = reported;
    const verdict = targets.evaluated(`memory, ${title}, MB`, megabytes.toFixed(0), megabytes <= MEMORY_MEGABYTES_MAX);
    rows.push([title, (ms / 1e3).toFixed(0), (bytes / 1e6).toFixed(0), (storedBytes / 1e6).toFixed(0), verdict]);
    process.stdout.write(`${title}: ${(ms / 1e3).toFixed(0)} s, ${megabytes.toFixed(0)} MB of memory\n`);
  }
  printTable(
    `Memory of the engine: at most ${MEMORY_MEGABYTES_MAX} MB`,
    ['first backup of', 'seconds', 'read MB', 'stored MB', 'memory MB'],
    rows,
  );
}

async function backedUp(
  folder: string,
  from: string,
): Promise<{ reported: EngineReport; ms: number; storedBytes: number }> {
  const place = join(folder, randomUUID());
  const [repository, dataDir] = [join(place, 'repository'), join(place, 'database')];
  const database = await startEmbeddedDatabase({ dataDir, log: () => undefined });
  try {
    let reported: EngineReport = { bytes: 0, memoryMegabytes: 0 };
    await engineProgram('create', repository, database.url, from);
    const ms = await timed(async () => {
      reported = await engineProgram('backup', repository, database.url, from);
    });
    return { reported, ms, storedBytes: await bytesIn(repository) };
  } finally {
    await database.stop();
    await rm(place, { recursive: true, force: true });
  }
}
