import { Refused } from '@keepwatch/connectors/ports/microsoft365-engine';
import { openRepository } from '@keepwatch/engine/engine';
import { invalid, notFound } from '../../foundation/errors.ts';
import type { Microsoft365Services } from '../microsoft365-services.ts';
import { openPlace } from './open-place.ts';
import { findSealedRepository, type SealedRepository } from './repositories.ts';
import type { RepositorySecrets } from './repository-place.ts';
import { openRepositorySecrets, type RepositoryKey, sealRepositorySecrets } from './repository-secrets.ts';
import { testPlace } from './test-place.ts';

/** Secrets of a repository as they are entered; what is left out stays as it is. */
export interface NewSecrets {
  password?: string | undefined;
  bucketKeys?: { accessKeyId: string; secretAccessKey: string } | undefined;
}

type Services = Pick<Microsoft365Services, 'database' | 'secrets' | 'stored'>;

/**
 * Proves that a password or keys open a repository, and that all that backups need may be done in its place.
 * @returns the secrets to be stored, sealed
 * @throws a 404 for a repository that is not there, a 422 for keys of a folder and for what is missing, `Refused` and `EngineError` for what
 *   they do not open or may not do
 */
export async function sealNewSecrets(
  { database, secrets, stored: { rules } }: Services,
  key: RepositoryKey,
  given: NewSecrets,
  signal: AbortSignal,
): Promise<Buffer> {
  const found = await findSealedRepository(database, key);
  if (found === null) throw notFound('m365 repository');
  const { place, immutableDays, engineId } = found;
  const changed = wholeSecrets(found, openRepositorySecrets(secrets, key, found.secrets), given);
  const store = await openPlace(place, { immutableDays, secrets: changed }, rules);
  try {
    if ((await openRepository(store, changed.password)).id !== engineId) throw otherRepository(place.place);
    await testPlace(store, immutableDays > 0, signal);
  } finally {
    await store.close();
  }
  return sealRepositorySecrets(secrets, key, changed);
}

/** What was entered over what is stored. Where that was lost, all of it has to be entered. */
function wholeSecrets(
  { place: { kind } }: SealedRepository,
  stored: RepositorySecrets | null,
  { password = stored?.password, bucketKeys }: NewSecrets,
): RepositorySecrets {
  if (kind !== 's3' && bucketKeys !== undefined)
    throw invalid([{ path: 'body.bucketKeys', message: 'must be left out: a folder has no keys' }]);
  if (password === undefined) throw invalid([{ path: 'body.password', message: LOST }]);
  if (kind === 's3' && stored === null && bucketKeys === undefined)
    throw invalid([{ path: 'body.bucketKeys.accessKeyId', message: LOST }]);
  return { ...stored, ...bucketKeys, password };
}

const LOST = 'is no longer stored: enter it again';

const otherRepository = (place: string) =>
  new Refused(
    'PLACE_REFUSED',
    `With these keys another repository is in ${place}. Give keys of the account that the bucket is in.`,
  );
