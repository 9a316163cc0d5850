import { join } from 'node:path';
import { Client } from 'pg';
import { KEEPWATCH } from './create-cluster.ts';
import { EmbeddedDatabaseError, systemErrorCode } from './embedded-database-error.ts';

/** How to reach the server as its superuser. */
export type Access = { password: string; port: number };

/** The address of the program's database; only this machine can use it. */
export function databaseUrl({ password, port }: Access, database: string = KEEPWATCH): string {
  return `postgres://${KEEPWATCH}:${password}@127.0.0.1:${port}/${database}`;
}

/** Makes the program's database on the first start; afterwards it only proves that the password fits. */
export async function ensureDatabase(access: Access, dataDir: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl(access, 'postgres') });
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [KEEPWATCH]);
    if (rowCount === 0) await client.query(`create database ${KEEPWATCH}`);
  } catch (error) {
    throw isWrongPassword(error) ? wrongPassword(dataDir, error) : error;
  } finally {
    await client.end();
  }
}

/** 28P01 is invalid_password, https://www.postgresql.org/docs/18/errcodes-appendix.html */
function isWrongPassword(error: unknown): boolean {
  return systemErrorCode(error) === '28P01';
}

function wrongPassword(dataDir: string, cause: unknown): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The password in ${join(dataDir, 'database-password')} is not that of the database beside it. ` +
      'Bring the right file back from a backup.',
    { cause },
  );
}
