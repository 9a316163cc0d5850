import type pg from 'pg';
import type { ListedRestoreJournals } from '../../restore/restore-journals.ts';
import type { Catalog, CatalogWaits, RepositoryCatalog } from '../catalog.ts';
import { type CatalogPools, PostgresRepositoryCatalog } from './repository-catalog.ts';
import { restoreJournals } from './restore-journals.ts';
import { migrateSchema } from './schema.ts';
import { openPool, row } from './sessions/connection.ts';

/** How many sessions of the server a process may have, which is their sum. */
export interface CatalogSessions {
  /** For queries, which take turns. Default 10. */
  queries?: number;
  /** As many restores, passes over a catalog and rebuilds may be under way at one time: each pins a session to its end. Default 16. */
  pinned?: number;
}

/** A catalog whose database has room for the journals of restores as well. */
export interface PostgresCatalog<Part extends RepositoryCatalog = RepositoryCatalog> extends Catalog<Part> {
  /** Those of the restores from a repository, by its id: what belongs to others is neither listed nor discarded. */
  restoreJournals(repository: string): ListedRestoreJournals;
}

/**
 * Opens the catalog in a PostgreSQL (15 or later), in a schema of its own which is brought to this version first.
 * @param database address, or options of a `pg.Pool`
 * @param waits what becomes of waiting for others who work in the same catalog
 * @param sessions fewer, where many processes share a server
 * @throws `newer-repository` when a later version of Keepwatch was here; what PostgreSQL says when it cannot be reached
 */
export function openCatalog(
  database: string | pg.PoolConfig,
  waits: CatalogWaits = {},
  sessions: CatalogSessions = {},
): Promise<PostgresCatalog> {
  return openCatalogOf(PostgresRepositoryCatalog, database, waits, sessions);
}

/** The same with another class for what is of one repository. */
export async function openCatalogOf<Part extends RepositoryCatalog>(
  RepositoryPart: new (pools: CatalogPools, repository: number, waits: CatalogWaits) => Part,
  database: string | pg.PoolConfig,
  waits: CatalogWaits,
  { queries = 10, pinned = 16 }: CatalogSessions = {},
): Promise<PostgresCatalog<Part>> {
  const options = typeof database === 'string' ? { connectionString: database } : database;
  const pool = openPool({ max: queries, ...options });
  const pins = openPool({ ...options, max: pinned });
  try {
    await migrateSchema(pool);
  } catch (error) {
    await Promise.all([pool.end(), pins.end()]);
    throw error;
  }
  return {
    repository: async (id, ofWork = waits) =>
      new RepositoryPart({ pool, pins }, await repositoryNumber(pool, id), ofWork),
    restoreJournals: (repository) => restoreJournals({ pool, pins }, repository),
    async close() {
      await Promise.all([pool.end(), pins.end()]);
    },
  };
}

async function repositoryNumber(pool: pg.Pool, name: string): Promise<number> {
  const find = () => row<{ id: number }>(pool, 'SELECT id FROM repositories WHERE name = $1', [name]);
  const known = await find();
  if (known !== null) return known.id;
  await pool.query('INSERT INTO repositories (name) VALUES ($1) ON CONFLICT (name) DO NOTHING', [name]);
  const added = await find();
  if (added === null) throw new Error(`The repository ${name} was added to the catalog and is not in it.`);
  return added.id;
}
