import type pg from 'pg';
import type { Catalog, CatalogWaits } from '../catalog/catalog.ts';
import { clearRepository } from '../catalog/postgres/clear.ts';
import { openCatalogOf } from '../catalog/postgres/open-catalog.ts';
import { PostgresRepositoryCatalog } from '../catalog/postgres/repository-catalog.ts';
import { fingerprint, orderedFingerprint } from './fingerprint.ts';

/** A catalog with what only tests do. */
export class TestRepositoryCatalog extends PostgresRepositoryCatalog {
  /** Counts, digests and sums over all that commits brought, to compare a rebuilt catalog with the one before. */
  fingerprint(): Promise<Readonly<Record<string, string>>> {
    return fingerprint(this.pool, this.number);
  }

  /** The same of catalogs to which commits came in the same order. */
  orderedFingerprint(): Promise<Readonly<Record<string, string>>> {
    return orderedFingerprint(this.pool, this.number);
  }

  /** Forgets all of the repository, as if the database had been lost. */
  clear(): Promise<void> {
    return clearRepository(this.pool, this.number);
  }
}

export type TestCatalog = Catalog<TestRepositoryCatalog>;

export function openTestCatalog(database: string | pg.PoolConfig, waits: CatalogWaits = {}): Promise<TestCatalog> {
  return openCatalogOf(TestRepositoryCatalog, database, waits);
}
