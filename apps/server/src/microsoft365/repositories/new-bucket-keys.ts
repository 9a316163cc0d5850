import { Refused } from '@keepwatch/connectors/ports/microsoft365-engine';
import { openRepository } from '@keepwatch/engine/engine';
import { invalid, notFound } from '../../foundation/errors.ts';
import type { Microsoft365Services } from '../microsoft365-services.ts';
import { openPlace } from './open-place.ts';
import { findSealedRepository } from './repositories.ts';
import { openRepositorySecrets, type RepositoryKey, sealRepositorySecrets } from './repository-secrets.ts';
import { testPlace } from './test-place.ts';

export interface BucketKeys {
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * Proves that new keys open a repository and may do all that backups need in its bucket.
 * @returns the secrets to be stored, sealed
 * @throws a 404 for a repository that is not there, a 422 for a folder, `Refused` and `EngineError` for what the keys may not do
 */
export async function sealNewKeys(
  { database, secrets, stored: { rules } }: Pick<Microsoft365Services, 'database' | 'secrets' | 'stored'>,
  key: RepositoryKey,
  keys: BucketKeys,
  signal: AbortSignal,
): Promise<Buffer> {
  const found = await findSealedRepository(database, key);
  if (found === null) throw notFound('m365 repository');
  const { place, immutableDays, engineId } = found;
  if (place.kind !== 's3')
    throw invalid([{ path: 'body.bucketKeys', message: 'must be left out: a folder has no keys' }]);
  const { password } = openRepositorySecrets(secrets, key, found.secrets);
  const changed = { password, ...keys };
  const store = await openPlace(place, { immutableDays, secrets: changed }, rules);
  try {
    if ((await openRepository(store, password)).id !== engineId) throw otherRepository(place.place);
    await testPlace(store, immutableDays > 0, signal);
  } finally {
    await store.close();
  }
  return sealRepositorySecrets(secrets, key, changed);
}

const otherRepository = (place: string) =>
  new Refused(
    'PLACE_REFUSED',
    `With these keys another repository is in ${place}. Give keys of the account that the bucket is in.`,
  );
