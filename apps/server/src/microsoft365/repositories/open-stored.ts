import type { Stored } from '@keepwatch/engine/engine';
import { notFound } from '../../foundation/errors.ts';
import type { Microsoft365Services } from '../microsoft365-services.ts';
import { findSealedRepository } from './repositories.ts';
import { openRepositorySecrets } from './repository-secrets.ts';

/**
 * Opens a repository with its part of the catalog, or gives the one that the process has open. It stays open: never close it.
 * @throws a 404 for one that is not there, and `EngineError`s of the store and the password
 */
export async function openStored(
  services: Pick<Microsoft365Services, 'database' | 'secrets' | 'stored'>,
  providerId: number,
  repositoryId: string,
): Promise<Stored> {
  const found = await findSealedRepository(services.database, { providerId, id: repositoryId });
  if (found === null) throw notFound('repository');
  const secrets = openRepositorySecrets(services.secrets, found, found.secrets);
  const { providerId: provider, id, immutableDays, place } = found;
  return services.stored.open({ key: `${provider}/${id}`, place, immutableDays, secrets });
}
