import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { EmbeddedDatabaseError, systemErrorCode } from './embedded-database-error.ts';
import { giveToOwner } from './ownership.ts';

/** Owns the database and all in it, and may do nothing else on the server but ask for a checkpoint. */
export const OWNER = 'keepwatch_program';
const DATABASE = 'keepwatch';

/** How to reach the server as one of its roles. */
export type Access = { user: string; password: string; port: number };

/** The address of the program's database; only this machine can use it. */
export function databaseUrl({ user, password, port }: Access, database: string = DATABASE): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}

/**
 * Makes what is missing: the role that owns the program's database, and the database. What an earlier version of the
 * program, which worked as superuser, has made in it is given to that role. Its password is a new one at each start,
 * and is stored nowhere.
 */
export async function prepareDatabase(superuser: Access, dataDir: string): Promise<Access> {
  const owner = { ...superuser, user: OWNER, password: randomBytes(32).toString('hex') };
  await asSuperuser(superuser, dataDir, 'postgres', async (client) => {
    await ensureOwner(client, owner.password);
    await ensureDatabase(client);
  });
  await asSuperuser(superuser, dataDir, DATABASE, (client) => giveToOwner(client, OWNER));
  return owner;
}

async function ensureOwner(client: Client, password: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [OWNER]);
  const attributes = `login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}'`;
  await client.query(`${rowCount === 0 ? 'create' : 'alter'} role ${OWNER} ${attributes}`);
  // Measurements ask for a checkpoint, so that none of their own comes later.
  await client.query(`grant pg_checkpoint to ${OWNER}`);
}

async function ensureDatabase(client: Client): Promise<void> {
  const { rows } = await client.query('select pg_get_userbyid(datdba) as owner from pg_database where datname = $1', [
    DATABASE,
  ]);
  if (rows.length === 0) await client.query(`create database ${DATABASE} owner ${OWNER}`);
  else if (rows[0].owner !== OWNER) await client.query(`alter database ${DATABASE} owner to ${OWNER}`);
}

async function asSuperuser(
  access: Access,
  dataDir: string,
  database: string,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl(access, database) });
  try {
    await client.connect();
    await work(client);
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
