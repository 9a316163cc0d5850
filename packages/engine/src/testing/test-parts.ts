import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, onTestFinished } from 'vitest';
import { createRepository, type RepositoryOptions } from '../repository/open-repository.ts';
import type { Repository } from '../repository/repository.ts';
import { openFolderStore } from '../store/folder/folder-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { openTestCatalog, type TestCatalog, type TestRepositoryCatalog } from './test-catalog.ts';
import { createTestDatabase } from './test-database.ts';

/** For passwords that are not guessed at. */
export const CHEAP = { memoryKiB: 64, passes: 1, lanes: 1 };
export const PASSWORD = 'correct horse battery';
/** Small, so that small contents have many chunks. */
export const SMALL_CHUNKS = { minBytes: 1_024, averageBytes: 4_096, maxBytes: 16_384 };

/** A fresh folder, removed when the test is over. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keepwatch-engine-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function testStore(): Promise<{ store: ObjectStore; folder: string }> {
  const folder = await testFolder();
  return { store: await openFolderStore(folder), folder };
}

export interface TestParts {
  store: ObjectStore;
  folder: string;
  repository: Repository;
  catalog: TestRepositoryCatalog;
}

/** A database for the tests of a file. */
export function useDatabase() {
  let catalog: TestCatalog | undefined;
  let url = '';
  beforeAll(async () => {
    const database = await createTestDatabase();
    url = database.url;
    catalog = await openTestCatalog(url);
    return async () => {
      await catalog?.close();
      await database.drop();
    };
  });
  const open = () => {
    if (catalog === undefined) throw new Error('The database is not there yet.');
    return catalog;
  };
  return {
    url: () => url,
    catalog: open,
    /** A second, empty catalog of a repository, as another machine has one. */
    async anotherCatalog(repository: string): Promise<TestRepositoryCatalog> {
      const { url: other, drop } = await createTestDatabase();
      const another = await openTestCatalog(other);
      onTestFinished(async () => {
        await another.close();
        await drop();
      });
      return another.repository(repository);
    },
    /** A new repository with its part of the catalog. */
    async parts(options: RepositoryOptions = {}): Promise<TestParts> {
      const { store, folder } = await testStore();
      const repository = await createRepository(store, PASSWORD, {
        passwordCost: CHEAP,
        chunkSizes: SMALL_CHUNKS,
        ...options,
      });
      return { store, folder, repository, catalog: await open().repository(repository.id) };
    },
  };
}
