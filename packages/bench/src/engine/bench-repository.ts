import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import type { Catalog, RepositoryCatalog } from '@keepwatch/engine/catalog/catalog';
import { openCatalog } from '@keepwatch/engine/catalog/postgres/open-catalog';
import { createRepository } from '@keepwatch/engine/repository/open-repository';
import type { Repository } from '@keepwatch/engine/repository/repository';
import { openFolderStore } from '@keepwatch/engine/store/folder/folder-store';

/** The environment of one benchmark: a folder, and a catalog in a PostgreSQL as it runs in earnest. */
export interface Bench {
  folder: string;
  catalog: Catalog;
  databaseUrl: string;
  /** A new repository in a folder of its own, with its part of the catalog. */
  repository(): Promise<{ repository: Repository; catalog: RepositoryCatalog; folder: string }>;
}

/** Starts what a benchmark needs, and removes all of it whatever happens. `BENCH_DIR` chooses the disk. */
export async function withBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  const folder = await makeTemporaryFolder('keepwatch-bench-', process.env['BENCH_DIR']);
  const database = await startEmbeddedDatabase({ dataDir: join(folder, 'database'), log: () => undefined });
  const catalog = await openCatalog(database.url);
  try {
    await work({ folder, catalog, databaseUrl: database.url, repository: () => newRepository(folder, catalog) });
  } finally {
    await catalog.close();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function newRepository(parent: string, catalog: Catalog) {
  const folder = join(parent, randomUUID());
  const repository = await createRepository(await openFolderStore(folder), 'a password for the bench');
  return { repository, folder, catalog: await catalog.repository(repository.id) };
}
