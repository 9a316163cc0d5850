import { type Ability, allows } from '@keepwatch/contract/abilities';
import type { User } from '@keepwatch/contract/identity/sessions';

/** Whether one of the user's roles has the ability, or one of several. */
export function userAllows(user: User, ability: Ability | readonly Ability[]): boolean {
  const roles = user.acl.map((entry) => entry.role);
  return allows(roles, ability);
}
