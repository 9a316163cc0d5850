import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';

const FOLDER = new URL('../../migrations', import.meta.url).pathname;
/** Any number that no other lock uses: two programs that start at once migrate one after the other. */
const LOCK = 7_305_118;

/** Brings the database at `url` to this version's schema. Does nothing where it is there already. */
export async function migrateDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query('SET client_min_messages = warning');
    await migrate(drizzle(client), { migrationsFolder: FOLDER });
  } finally {
    await client.end();
  }
}
