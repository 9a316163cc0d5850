import { totalmem } from 'node:os';

const MEBIBYTE = 1024 * 1024;

/** What the settings depend on. `durable: false` is for tests: a power failure may lose everything. */
export type ClusterConditions = {
  memoryBytes: number;
  /** The size of the database now, or soon. */
  databaseBytes: number;
  port: number;
  durable: boolean;
  clusterName: string;
};

/** Memory this process may count on: that of the machine, or of the container when that is less. */
export function availableMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/**
 * PostgreSQL's settings, given on its command line at each start, so that they follow the machine when it changes.
 * What is not named here has the default of https://www.postgresql.org/docs/18/runtime-config.html.
 */
export function clusterSettings({
  memoryBytes,
  databaseBytes,
  port,
  durable,
  clusterName,
}: ClusterConditions): Record<string, string> {
  return {
    // Who can connect: this machine only, over TCP. Socket paths are limited to about 100 bytes, folders are not.
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '60',
    // Process titles carry it: this is how an orphaned server of a killed program is found again.
    cluster_name: clusterName,
    // Memory. An eighth for PostgreSQL's own cache leaves room for our processes and the system's file cache.
    shared_buffers: mebibytes(memoryBytes / 8, 128, 1024),
    effective_cache_size: mebibytes(memoryBytes / 2, 256, 65_536),
    maintenance_work_mem: mebibytes(memoryBytes / 32, 64, 512),
    work_mem: mebibytes(memoryBytes / 1024, 4, 32),
    // Disks are SSDs nowadays: a page in the middle costs hardly more than the next one.
    random_page_cost: '1.1',
    effective_io_concurrency: '64',
    // Our queries are short: compiling them takes longer than running them.
    jit: 'off',
    // Few, large checkpoints: bulk intake writes each page's full image less often. A small database has few pages, and its log
    // should not be larger than itself.
    checkpoint_timeout: '15min',
    max_wal_size: mebibytes(databaseBytes / 8, 80, 2048),
    min_wal_size: mebibytes(databaseBytes / 32, 32, 256),
    wal_compression: 'on',
    // Times are UTC everywhere, messages English: postmaster.ts reads them.
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // The sender of a refused statement reports it; this log has only what concerns the server as a whole.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_line_prefix: '',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
}

/** The settings as command line arguments of `postgres`. */
export function settingArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function mebibytes(bytes: number, least: number, most: number): string {
  return `${Math.min(most, Math.max(least, Math.floor(bytes / MEBIBYTE)))}MB`;
}
