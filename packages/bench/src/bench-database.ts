import { rm } from 'node:fs/promises';
import { startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import { openPool, type Pool } from '@keepwatch/server/foundation/database';
import { migrateDatabase } from '@keepwatch/server/foundation/migrations';

/** Runs `work` with a database of its own, which is new and set up for so many bytes. */
export async function withDatabase(
  databaseBytes: number,
  work: (pool: Pool, url: string, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await makeTemporaryFolder('keepwatch-bench-', process.env['BENCH_DIR']);
  const database = await startEmbeddedDatabase({ dataDir: folder, databaseBytes, log: () => {} });
  try {
    await migrateDatabase(database.url);
    const pool = openPool(database.url, { connectionsMax: 4, statementTimeoutMs: 0, name: 'bench' });
    await work(pool, database.url, folder);
    await pool.end();
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
