import { requireOwn } from '../../foundation/http/access.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import type { UserKey } from './user-key.ts';

/** Second factors are their owner's alone; those of another user are answered as if there were none. */
export function ownKey({ actor, scope }: SignedInContext, id: string): UserKey {
  requireOwn(actor, id);
  return { providerId: scope.providerId, id: actor.userId };
}
