import type { Installation } from '@keepwatch/contract/administration/dashboard';
import { sql } from 'drizzle-orm';
import { VERSION } from '../branding/brands.ts';
import { type Connection, row } from '../foundation/database.ts';
import type { QueueFigures } from '../foundation/queue.ts';
import { listProxies } from '../microsoft365/workers/workers.ts';
import { diskOf } from './disk.ts';

export interface InstallationParts {
  dataDir: string;
  queueFigures(): Promise<QueueFigures>;
}

/** How the installation itself is: what waits, who works, how much room there is, and which versions run. */
export async function readInstallation(
  connection: Connection,
  { dataDir, queueFigures }: InstallationParts,
): Promise<Installation> {
  const [queue, workers, database, disk] = await Promise.all([
    queueFigures(),
    listProxies(connection),
    readDatabase(connection),
    diskOf(dataDir),
  ]);
  return {
    queue,
    workers: workers.map(({ name, version, isOnline, running, capacity, seenAt }) => ({
      ...{ name, version, isOnline, running, capacity },
      seenAt: seenAt?.toISOString() ?? null,
    })),
    storage: { databaseBytes: database?.bytes ?? 0, disk },
    versions: { portal: VERSION, node: process.versions.node, database: database?.version ?? '' },
  };
}

/** The size is that of the files, which PostgreSQL adds up without reading them. */
function readDatabase(connection: Connection) {
  return row<{ bytes: number; version: string }>(
    connection,
    sql`select pg_database_size(current_database()) as bytes, split_part(current_setting('server_version'), ' ', 1) as version`,
  );
}
