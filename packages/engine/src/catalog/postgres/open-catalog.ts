import type pg from 'pg';
import type { Catalog, CatalogWaits, RepositoryCatalog } from '../catalog.ts';
import { openPool, row } from './connection.ts';
import { PostgresRepositoryCatalog } from './repository-catalog.ts';
import { migrateSchema } from './schema.ts';

/**
 * Opens the catalog in a PostgreSQL (15 or later), in a schema of its own which is brought to this version first.
 * @param database address, or options of a `pg.Pool`
 * @param waits what becomes of waiting for others who work in the same catalog
 * @throws `newer-repository` when a later version of Keepwatch was here; what PostgreSQL says when it cannot be reached
 */
export function openCatalog(database: string | pg.PoolConfig, waits: CatalogWaits = {}): Promise<Catalog> {
  return openCatalogOf(PostgresRepositoryCatalog, database, waits);
}

/** The same with another class for what is of one repository. */
export async function openCatalogOf<Part extends RepositoryCatalog>(
  RepositoryPart: new (pool: pg.Pool, repository: number, waits: CatalogWaits) => Part,
  database: string | pg.PoolConfig,
  waits: CatalogWaits,
): Promise<Catalog<Part>> {
  const pool = openPool(typeof database === 'string' ? { connectionString: database } : database);
  try {
    await migrateSchema(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    repository: async (id) => new RepositoryPart(pool, await repositoryNumber(pool, id), waits),
    close: () => pool.end(),
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
