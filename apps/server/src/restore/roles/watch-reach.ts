import { findUserById } from '../../directory/users.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { RestoreServices } from '../restore-services.ts';
import type { OrderedObjects } from './coverage.ts';
import { rolesOfOperator } from './roles.ts';
import { type OrderedBy, requireCovered } from './user-reach.ts';

/** So often it is looked whether people left the groups that the roles name. */
const MEMBERS_MS = 60_000;

/**
 * Follows whether a user may still see what was ordered. The function that it returns throws a 403 as soon as that is not so; it is to be called
 * every second: it asks the database for the user and the roles, and for what they mean only after a change and once a minute.
 */
export function watchReach(services: RestoreServices, by: OrderedBy, objects: OrderedObjects): () => Promise<void> {
  let known = '';
  let checkedMs = 0;
  return async () => {
    const found = await rightsOf(services, by);
    const nowMs = services.now().getTime();
    if (found === known && nowMs - checkedMs < MEMBERS_MS) return;
    checkedMs = nowMs;
    try {
      await requireCovered(services, by, objects);
      known = found;
    } catch (error) {
      // Microsoft, which knows the members of groups, may not answer for a moment: that takes away nothing as long as the roles are the same.
      if (found !== known || error instanceof Refusal) throw error;
    }
  };
}

/** All that decides what a user may see, but for the members of groups. */
async function rightsOf({ database }: RestoreServices, by: OrderedBy): Promise<string> {
  const user = await findUserById(database, by.providerId, by.userId);
  const roles = await rolesOfOperator(database, by, by.organizationId);
  return JSON.stringify([user?.roles, user?.companyIds, roles]);
}
