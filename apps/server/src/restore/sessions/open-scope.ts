import type { ItemScope, Stored } from '@keepwatch/engine/engine';
import { notFound, Refusal } from '../../foundation/errors.ts';
import { Scope } from '../../foundation/scope.ts';
import type { RestoreServices } from '../restore-services.ts';
import { reachOf } from '../roles/reach.ts';
import type { StoredScope } from './stored-scope.ts';

/** Of which user the row is, and of which organization. */
interface OrderedBy {
  providerId: number;
  organizationId: string;
  userId: string;
}

/**
 * Opens a scope in its repository, as far as the user who ordered it may see it now.
 * @throws a 404 where a prune or an erasure took the object since, a 403 where no role shows it any more
 */
export async function openScope(
  services: RestoreServices,
  { providerId, organizationId, userId }: OrderedBy,
  { repositoryId, object: key, identity: _, isLimited = false, ...rest }: StoredScope,
): Promise<{ stored: Stored; scope: ItemScope }> {
  const organization = await services.findOrganization(new Scope(providerId, null), organizationId);
  if (organization === null) throw notFound('organization');
  const reach = await reachOf(services, { providerId, userId, isLimited }, organization);
  if (reach === null) throw outsideRole();
  const limited = await reach.openStored(repositoryId);
  const object = await limited.catalog.object(key);
  const whole = await services.openStored(providerId, repositoryId);
  if (object !== null) return { stored: whole, scope: { object, ...rest } };
  throw (await whole.catalog.object(key)) === null ? notFound('backup') : outsideRole();
}

function outsideRole(): Refusal {
  const message = 'Your restore operator role no longer covers this. Ask the administrator who gave it to you.';
  return new Refusal(403, 'OUTSIDE_ROLE', message);
}
