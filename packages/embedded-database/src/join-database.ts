import { findCluster } from './cluster-location.ts';
import { SUPERUSER } from './create-cluster.ts';
import { readPassword } from './database-password.ts';
import { databaseUrl } from './keepwatch-database.ts';
import { readPostmasterFile } from './postmaster.ts';

/**
 * The address of a database that another program of the same account has started, for a short look at it: it ends when that program does. Works as the
 * superuser, as the password of the role that owns the database is stored nowhere.
 * @returns `undefined` while it is not ready
 */
export async function joinEmbeddedDatabase(dataDir: string): Promise<string | undefined> {
  const cluster = await findCluster(dataDir);
  const file = cluster === undefined ? undefined : await readPostmasterFile(cluster);
  if (file?.status !== 'ready') return undefined;
  const access = { user: SUPERUSER, password: await readPassword(dataDir), port: file.port };
  return databaseUrl(access);
}
