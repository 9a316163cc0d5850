import { isRole, ROLES, type Role } from '../abilities.ts';

/**
 * The roles that holders of a role may give to users, and take from them. Who administers users thereby reaches no ability that was not
 * given to them: no user makes an account that may do more.
 */
const GIVEN_BY: Readonly<Partial<Record<Role, readonly Role[]>>> = {
  'super-admin': ROLES,
  admin: ['admin', 'read-only', 'operator', 'sub-sp'],
  o365_admin: ['o365_admin', 'restore-operator'],
};

/** The roles that a user with these roles may give to others, in the order of `ROLES`. */
export function rolesGivenBy(roles: readonly string[]): readonly Role[] {
  const given = new Set(roles.filter(isRole).flatMap((role) => GIVEN_BY[role] ?? []));
  return ROLES.filter((role) => given.has(role));
}
