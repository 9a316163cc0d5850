import { notFound } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';

/** Throws 404 for the profile of another user, which is answered as if it did not exist. */
export function requireOwn({ actor }: SignedInContext, id: string): void {
  if (id.toLowerCase() !== actor.userId) throw notFound('profile');
}
