import { allows } from '@keepwatch/contract/abilities';
import { findUserById } from '../../directory/users.ts';
import { notFound, Refusal } from '../../foundation/errors.ts';
import { Scope } from '../../foundation/scope.ts';
import type { RestoreServices } from '../restore-services.ts';
import type { OrderedObjects } from './coverage.ts';
import { findReach, isLimited, type Reach } from './reach.ts';

/** Who ordered a restore or a download, and of which organization. */
export interface OrderedBy {
  providerId: number;
  organizationId: string;
  userId: string;
}

/** The reach of a user as it is now, without a request of the user: for workers. @throws 403 for a user who may not restore any more */
export async function reachOfUser(
  services: RestoreServices,
  { providerId, organizationId, userId }: OrderedBy,
): Promise<Reach> {
  const user = await findUserById(services.database, providerId, userId);
  if (user === null || !allows(user.roles, 'o365.restorePortal')) throw mayNotRestore();
  const { roles } = user;
  const scope = new Scope(providerId, user.companyIds);
  const reach = await findReach(services, { actor: { userId, roles }, scope }, organizationId);
  if (reach === null) throw isLimited(roles) ? outsideRole() : notFound('organization');
  return reach;
}

/** Whether a reach has all that was ordered. */
export function coversAll({ isLimited, covers }: Pick<Reach, 'isLimited' | 'covers'>, objects: OrderedObjects) {
  return !isLimited || objects.every((object) => object !== undefined && covers(object));
}

/** Requires that a user may still see all that was ordered. @throws 403 */
export async function requireCovered(
  services: RestoreServices,
  by: OrderedBy,
  objects: OrderedObjects,
): Promise<Reach> {
  const reach = await reachOfUser(services, by);
  if (!coversAll(reach, objects)) throw outsideRole();
  return reach;
}

/** Refuses what a role showed once and shows no more. */
export function outsideRole(): Refusal {
  const message = 'Your restore operator role no longer covers this. Ask the administrator who gave it to you.';
  return new Refusal(403, 'OUTSIDE_ROLE', message);
}

function mayNotRestore(): Refusal {
  const message =
    'The user who ordered this may not restore any more. Ask an administrator for the role, then begin it again.';
  return new Refusal(403, 'OUTSIDE_ROLE', message);
}
