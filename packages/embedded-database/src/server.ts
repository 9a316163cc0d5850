import { join } from 'node:path';
import { availableMemoryBytes, clusterSettings, settingArguments } from './cluster-settings.ts';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';
import { folderBytes } from './folder-bytes.ts';
import { freePort } from './free-port.ts';
import { guardPostmaster } from './guard-postmaster.ts';
import { clusterName, stopOrphanedPostmaster } from './orphaned-postmaster.ts';
import { type ClusterPrograms, type Postmaster, startPostmaster, stopPostmaster } from './postmaster.ts';

export type ServerOptions = {
  log: (line: string) => void;
  durable?: boolean;
  /** Bytes that the database will have soon, where that is more than it has now: a large one gets a larger log. */
  databaseBytes?: number;
  /** Called each time PostgreSQL ends without having been asked to; gets how it ended. */
  onExit?: (how: string) => void;
};

/** A running PostgreSQL. It keeps its port when it is started again; `stop` may be called at any time, more than once. */
export type Server = { port: number; restart(): Promise<void>; stop(): Promise<void> };

/** The whole program stops within ten seconds: longer than this the last checkpoint is not waited for. */
const STOP_LIMIT_S = 4;
const PORT_ATTEMPTS = 3;

/** Starts PostgreSQL on a free port of 127.0.0.1, after whatever an earlier program has left running was stopped. */
export async function startServer(programs: ClusterPrograms, options: ServerOptions): Promise<Server> {
  await stopOrphanedPostmaster(programs, options.log);
  const { postmaster, port } = await startOnFreePort(programs, options);
  let running = postmaster;
  let restarting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;
  const watch = () => watchPostmaster(programs, running, (how) => stopping === undefined && options.onExit?.(how));
  const startAgain = async () => {
    await stopOrphanedPostmaster(programs, options.log);
    if (stopping !== undefined) return;
    running = await startOnPort(programs, options, port);
    watch();
  };
  const end = async () => {
    await stopRunning(programs, running);
    if (restarting === undefined) return;
    await restarting.catch(() => undefined);
    await stopRunning(programs, running); // it may have started meanwhile
  };
  watch();
  return {
    port,
    restart() {
      restarting = startAgain();
      return restarting;
    },
    stop() {
      stopping ??= end();
      return stopping;
    },
  };
}

/** Another program may occupy the port between our choice and PostgreSQL's start: then the next one is tried. */
async function startOnFreePort(
  programs: ClusterPrograms,
  options: ServerOptions,
): Promise<{ postmaster: Postmaster; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      return { postmaster: await startOnPort(programs, options, port), port };
    } catch (error) {
      const isPortInUse = error instanceof EmbeddedDatabaseError && /address already in use/i.test(error.message);
      if (!isPortInUse || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function startOnPort(
  programs: ClusterPrograms,
  { log, durable = true, databaseBytes = 0 }: ServerOptions,
  port: number,
): Promise<Postmaster> {
  const heldBytes = await folderBytes(join(programs.cluster, 'base'));
  const conditions = {
    databaseBytes: Math.max(heldBytes, databaseBytes),
    memoryBytes: availableMemoryBytes(),
    port,
    durable,
    clusterName: clusterName(programs.cluster),
  };
  return startPostmaster(programs, settingArguments(clusterSettings(conditions)), log);
}

/** Ends it with this process, however that ends, and reports when it has ended unexpectedly. */
function watchPostmaster(programs: ClusterPrograms, postmaster: Postmaster, onExit: (how: string) => void): void {
  guardPostmaster(programs, postmaster.process);
  const endWithProgram = () => postmaster.process.kill('SIGINT');
  process.once('exit', endWithProgram);
  void postmaster.exited.then((how) => {
    process.off('exit', endWithProgram);
    onExit(how);
  });
}

async function stopRunning(programs: ClusterPrograms, { process: server, exited }: Postmaster): Promise<void> {
  await stopPostmaster(programs, STOP_LIMIT_S).catch(() => server.kill('SIGKILL'));
  await exited;
}
