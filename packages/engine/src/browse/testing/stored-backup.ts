import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp } from '../../backup/backup.ts';
import type { Catalog, CatalogObject, RepositoryCatalog } from '../../catalog/catalog.ts';
import { openCatalog } from '../../catalog/postgres/open-catalog.ts';
import type { ProtectedObject } from '../../model/protected-object.ts';
import { createRepository } from '../../repository/open-repository.ts';
import type { Repository } from '../../repository/repository.ts';
import type { Source } from '../../source/source.ts';
import { openStore } from '../../store/open-store.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { CHEAP } from '../../testing/test-parts.ts';
import type { ItemScope } from '../item-scope.ts';
import { type GivenItem, listSource } from './list-source.ts';

/** A repository in a folder of its own with its catalog, filled by real backups. */
export class StoredBackup {
  readonly folder: string;
  readonly repository: Repository;
  readonly catalog: RepositoryCatalog;
  readonly databaseUrl: string;
  private readonly all: Catalog;
  private readonly drop: () => Promise<void>;

  private constructor(
    folder: string,
    repository: Repository,
    all: Catalog,
    catalog: RepositoryCatalog,
    database: TestDatabase,
  ) {
    this.folder = folder;
    this.repository = repository;
    this.all = all;
    this.catalog = catalog;
    this.databaseUrl = database.url;
    this.drop = () => database.drop();
  }

  static async create(): Promise<StoredBackup> {
    const folder = await mkdtemp(join(tmpdir(), 'keepwatch-stored-'));
    const database = await createTestDatabase();
    const store = await openStore(join(folder, 'repository'), {});
    const repository = await createRepository(store, 'correct horse', { passwordCost: CHEAP });
    const all = await openCatalog(database.url);
    return new StoredBackup(folder, repository, all, await all.repository(repository.id), database);
  }

  /** @returns the object as it is stored now */
  async backUp(
    object: ProtectedObject,
    items: readonly GivenItem[],
  ): Promise<{ object: CatalogObject; revision: number }> {
    await this.backUpFrom(listSource(object, items), object.kind);
    const { object: stored, revision } = await this.scopeOf(object);
    return { object: stored, revision };
  }

  /** All of an object as it is stored now. */
  async scopeOf(object: ProtectedObject): Promise<ItemScope> {
    const stored = await this.catalog.object(this.repository.objectKey(object));
    if (stored === null) throw new Error(`${object.name} was not stored.`);
    return { object: stored, revision: stored.revision, items: null };
  }

  async backUpFrom(source: Source, ...kinds: ProtectedObject['kind'][]) {
    const selection = { scope: 'everything', kinds, include: [], exclude: [], personalSites: true } as const;
    const { repository, catalog } = this;
    const signal = new AbortController().signal;
    const result = await backUp({ repository, catalog, source, signal }, { id: 'job', name: 'Nightly', selection });
    if (result.outcome !== 'Success') throw new Error(JSON.stringify(result.findings));
    return result;
  }

  /** Backs up some objects, as if the source had no others: what a test does not look at takes it no time. */
  backUpOnly(source: Source, objects: readonly ProtectedObject[]) {
    const only: Source = Object.assign(Object.create(source), {
      async *listObjects() {
        yield* objects;
      },
    });
    return this.backUpFrom(only, ...new Set(objects.map(({ kind }) => kind)));
  }

  /** A path for a file of a test. */
  file(name: string): string {
    return join(this.folder, `${randomUUID()}-${name}`);
  }

  async close(): Promise<void> {
    await this.repository.close();
    await this.all.close();
    await this.drop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
