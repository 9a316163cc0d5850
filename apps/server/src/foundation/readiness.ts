import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { execute, type Pool, rows, transaction } from './database.ts';
import type { Queue } from './queue.ts';
import { insert } from './table-writes.ts';
import { readinessChecks } from './tables.ts';

/** What the installation needs to do its work, and whether each of them works. */
export interface Readiness {
  /** It answers, and it can write. */
  database: boolean;
  queue: boolean;
  /** The data folder's disk has room. */
  disk: boolean;
}

export interface ReadinessParts {
  database: Pool;
  queue: Queue;
  dataDir: string;
  /** An answer is good for this long: a check writes, and callers need no session. */
  goodForMs?: number;
}

const GOOD_FOR_MS = 5_000;
/** A database that takes longer than this for one small write is not ready. */
const ANSWER_MS_MAX = 4_000;
/** Below this PostgreSQL may find no room for its next segment of 16 MB, and stop. */
const FREE_BYTES_MIN = 64 * 1024 * 1024;

/** Gives a function that says whether the installation is ready. Requests that arrive during a check share its answer. */
export function openReadiness({ goodForMs = GOOD_FOR_MS, ...parts }: ReadinessParts): () => Promise<Readiness> {
  let checked: { at: number; readiness: Promise<Readiness> } | null = null;
  return () => {
    const now = performance.now();
    if (checked === null || now - checked.at >= goodForMs) checked = { at: now, readiness: check(parts) };
    return checked.readiness;
  };
}

async function check({ database, queue, dataDir }: Omit<ReadinessParts, 'goodForMs'>): Promise<Readiness> {
  const [canWrite, answers, hasRoom] = await Promise.all([
    inTime(writeALittle(database)),
    inTime(queue.isAnswering().then(orThrow)),
    inTime(requireRoom(dataDir)),
  ]);
  return { database: canWrite, queue: answers, disk: hasRoom };
}

/**
 * Writes a row, which a database that only reads refuses, and a file beside it (the sort is larger than the memory it gets), for which
 * a full disk has no room: PostgreSQL stores a row in pages that it has already.
 */
async function writeALittle(database: Pool): Promise<void> {
  await transaction(database, async (connection) => {
    const check = { id: 1, at: sql`now()` };
    await insert(connection, readinessChecks, check, sql`on conflict (id) do update set at = excluded.at`);
    await execute(connection, sql`set local work_mem = '64kB'`);
    await rows(
      connection,
      sql`select count(*) from (select md5(n::text) as text from generate_series(1, 5000) n order by 1) sorted`,
    );
  });
}

/** Throws where the data folder, or the embedded database that it may only point to, is on a disk that is almost full. */
async function requireRoom(dataDir: string): Promise<void> {
  for (const folder of [dataDir, join(dataDir, 'postgres')]) {
    const disk = await statfs(folder).catch(() => null);
    // What does not exist is not used: another machine has the database.
    if (disk !== null && disk.bavail * disk.bsize < FREE_BYTES_MIN)
      throw new Error(`The disk of ${folder} is almost full.`);
  }
}

function orThrow(works: boolean): void {
  if (!works) throw new Error('It does not answer.');
}

async function inTime(work: Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ANSWER_MS_MAX, false);
  const done = work.then(
    () => true,
    () => false,
  );
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}
