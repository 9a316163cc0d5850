import { userIdOf } from '../directory/build-directory.ts';
import type { GraphCall } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';

/**
 * Who signs in needs a role of the directory besides the scopes of the program: here the first user of the tenant has one.
 * https://learn.microsoft.com/graph/auth-v2-user#delegated-permissions-and-user-privileges
 * @throws GraphError 403
 */
export function requireAdministrator({ tenant, caller }: GraphCall): void {
  if (caller.userId === null || caller.userId === userIdOf(tenant.seed, 0)) return;
  throw new GraphError(403, 'Authorization_RequestDenied', 'Insufficient privileges to complete the operation.');
}
