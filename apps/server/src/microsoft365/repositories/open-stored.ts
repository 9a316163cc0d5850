import { hash } from 'node:crypto';
import { EngineError, type Stored } from '@keepwatch/engine/engine';
import type { Connection } from '../../foundation/database.ts';
import { notFound } from '../../foundation/errors.ts';
import type { Microsoft365Services } from '../microsoft365-services.ts';
import { findSealedRepository } from './repositories.ts';
import type { StoredPlace } from './repository-place.ts';
import { openRepositorySecrets } from './repository-secrets.ts';
import type { OpeningOrder } from './stored-repositories.ts';

/**
 * Opens a repository with its part of the catalog, or gives the one that the process has open. It stays open: never close it.
 * @throws a 404 for one that is not there, and `EngineError`s of the store and the password
 */
export async function openStored(services: StoredServices, providerId: number, repositoryId: string): Promise<Stored> {
  return services.stored.open(await orderOf(services, providerId, repositoryId));
}

/** Opens a repository for one piece of work, which closes it. @throws as `openStored` */
export async function openStoredAfresh(
  services: StoredServices,
  providerId: number,
  repositoryId: string,
): Promise<Stored> {
  return services.stored.openAfresh(await orderOf(services, providerId, repositoryId));
}

/** What repositories are opened with. */
export interface StoredServices extends Pick<Microsoft365Services, 'secrets' | 'stored'> {
  database: Connection;
}

async function orderOf(services: StoredServices, providerId: number, repositoryId: string): Promise<OpeningOrder> {
  const found = await findSealedRepository(services.database, { providerId, id: repositoryId });
  if (found === null) throw notFound('repository');
  const secrets = openRepositorySecrets(services.secrets, found, found.secrets);
  if (secrets === null) throw new EngineError('wrong-password', passwordLost(found.place));
  const { providerId: provider, id, immutableDays, place } = found;
  // With other keys it is opened again; those before may be refused by now.
  const key = `${provider}/${id}/${hash('sha256', found.secrets)}`;
  return { key, place, immutableDays, secrets };
}

const passwordLost = ({ place }: StoredPlace) =>
  `The password of the repository in ${place} was lost with the key of the stored secrets. Edit the repository and enter it again.`;
