import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkCluster, chooseClusterParent, findCluster, linkCluster } from './cluster-location.ts';
import { checkMajorVersion, createCluster } from './create-cluster.ts';
import { makePassword, readPassword } from './database-password.ts';
import { findPostgresBinaries, reachableBinaries } from './postgres-binaries.ts';
import type { ClusterPrograms } from './postmaster.ts';
import { chooseAccount } from './unprivileged-account.ts';

/** `elsewhere` is the folder around the cluster when that is not the data folder. */
export type OpenedCluster = { programs: ClusterPrograms; password: string; elsewhere: string | undefined };

export type ClusterRequest = { dataDir: string; durable?: boolean; log: (line: string) => void };

/**
 * The cluster of the data folder, made on the first start, with the programs and the account that may work on it.
 * Call it while holding the folder's lock; nothing runs yet.
 */
export async function openCluster(request: ClusterRequest): Promise<OpenedCluster> {
  const { dataDir, log } = request;
  const existing = await findCluster(dataDir);
  const account = await chooseAccount(existing);
  const binaries = await reachableBinaries(findPostgresBinaries(), account, log);
  if (existing === undefined) return createFor(request, { binaries, account });
  await checkCluster(existing, account);
  await checkMajorVersion(existing, binaries);
  const programs = { cluster: existing, binaries, account };
  return { programs, password: await readPassword(dataDir), elsewhere: await elsewhere(existing, dataDir) };
}

async function createFor(
  { dataDir, durable = true, log }: ClusterRequest,
  { binaries, account }: Omit<ClusterPrograms, 'cluster'>,
): Promise<OpenedCluster> {
  const password = await makePassword(dataDir);
  const parent = await chooseClusterParent(dataDir, account);
  const cluster = await createCluster({ parent, password, durable, binaries, account });
  await linkCluster(dataDir, cluster);
  const outside = await elsewhere(cluster, dataDir);
  if (outside) log(`The account "${account?.name}" cannot reach ${dataDir}: the database is in ${cluster}.`);
  return { programs: { cluster, binaries, account }, password, elsewhere: outside };
}

async function elsewhere(cluster: string, dataDir: string): Promise<string | undefined> {
  const parent = dirname(cluster);
  return parent === (await realpath(dataDir)) ? undefined : parent;
}
