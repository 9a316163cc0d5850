import type { ItemScope, Stored } from '@keepwatch/engine/engine';
import { notFound } from '../../foundation/errors.ts';
import type { RestoreServices } from '../restore-services.ts';
import type { OrderedObjects } from '../roles/coverage.ts';
import { type OrderedBy, outsideRole, requireCovered } from '../roles/user-reach.ts';
import type { StoredScope } from './stored-scope.ts';

/**
 * Opens a scope in its repository, as far as the user who ordered it may see it now.
 * @param objects all that the user must be allowed to see for it
 * @throws a 404 where a prune or an erasure took the object since, a 403 where no role shows it any more
 */
export async function openScope(
  services: RestoreServices,
  by: OrderedBy,
  { repositoryId, object: key, identity, ...rest }: StoredScope,
  objects: OrderedObjects = [identity],
): Promise<{ stored: Stored; scope: ItemScope }> {
  const reach = await requireCovered(services, by, objects);
  const limited = await reach.openStored(repositoryId);
  const object = await limited.catalog.object(key);
  const whole = await services.openStored(by.providerId, repositoryId);
  if (object !== null) return { stored: whole, scope: { object, ...rest } };
  throw (await whole.catalog.object(key)) === null ? notFound('backup') : outsideRole();
}
