import { forbidden } from './errors.ts';
import type { Scope } from './scope.ts';

/** Returns the provider of a user who is not limited to companies. Throws 403 for others: what the call is about belongs to the whole provider. */
export function wholeProvider({ scope }: { scope: Scope }): number {
  if (scope.companyIds !== null) throw forbidden();
  return scope.providerId;
}
