import { Refused } from '@keepwatch/connectors/ports/microsoft365-engine';
import { notFound } from '../../foundation/errors.ts';
import type { Microsoft365Services } from '../microsoft365-services.ts';
import { openPlace } from './open-place.ts';
import { findSealedRepository } from './repositories.ts';
import type { RepositorySecrets } from './repository-place.ts';
import { openRepositorySecrets, type RepositoryKey, sealRepositorySecrets } from './repository-secrets.ts';
import { testPlace } from './test-place.ts';

/** What opens a bucket. */
export type BucketKeys = Required<Pick<RepositorySecrets, 'accessKeyId' | 'secretAccessKey'>>;

/**
 * Tests the bucket of a repository with other keys, and returns its secrets with them, sealed: keys are exchanged from time to time, and a
 * repository whose keys have ended could else never be written again. @throws `Refused` for a folder, and for keys that may not do everything
 */
export async function sealedWithKeys(
  { database, secrets, stored: { rules } }: Pick<Microsoft365Services, 'database' | 'secrets' | 'stored'>,
  key: RepositoryKey,
  keys: BucketKeys,
  signal: AbortSignal,
): Promise<Buffer> {
  const found = await findSealedRepository(database, key);
  if (found === null) throw notFound('m365 repository');
  if (found.place.kind !== 's3')
    throw new Refused('PLACE_REFUSED', 'is of a bucket: a folder has no keys', 'accessKeyId');
  const changed = { ...openRepositorySecrets(secrets, key, found.secrets), ...keys };
  const store = await openPlace(found.place, { immutableDays: found.immutableDays, secrets: changed }, rules);
  try {
    await testPlace(store, found.immutableDays > 0, signal);
  } finally {
    await store.close();
  }
  return sealRepositorySecrets(secrets, key, changed);
}
