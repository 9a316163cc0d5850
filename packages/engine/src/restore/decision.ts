import type { ItemVersion } from '../model/items.ts';
import type { Claims } from './claims.ts';
import type { RestoreOptions } from './restore-options.ts';
import type { FoundInPlace, RestoreItem, RestorePlace } from './restore-place.ts';
import type { SkipReason } from './skip-reasons.ts';

/** What is to be done with an item. `found`: what is in its place. */
export type Decision =
  | { action: 'create'; as: 'itself' | 'copy' }
  | { action: 'replace'; found: FoundInPlace }
  | { action: 'skip'; reason: SkipReason };

/** @param found what is there of it, `null` for nothing */
export function decide(
  item: Pick<ItemVersion, 'modifiedAt'>,
  found: FoundInPlace | null,
  { conflict, only }: Pick<RestoreOptions, 'conflict' | 'only'>,
): Decision {
  if (found === null)
    return only === 'changed' ? { action: 'skip', reason: 'only-changed' } : { action: 'create', as: 'itself' };
  if (isUnchanged(item, found)) return { action: 'skip', reason: 'unchanged' };
  if (only === 'missing') return { action: 'skip', reason: 'only-missing' };
  if (conflict === 'skip') return { action: 'skip', reason: 'exists' };
  return conflict === 'replace' ? { action: 'replace', found } : { action: 'create', as: 'copy' };
}

export interface DecisionParts {
  place: Pick<RestorePlace, 'isUnchanged'>;
  claims: Claims;
  options: Pick<RestoreOptions, 'conflict' | 'only'>;
}

/** What is to be done with an item, and which of all that was found is that item. */
export interface Decided {
  claimed: FoundInPlace | null;
  decision: Decision;
}

/**
 * Decides about an item by all that was found of it. An item that a restore wrote has another instant than the stored one and is no other:
 * where a write would follow, and only there, it is looked at.
 * @param isLast whether all others have been decided about
 * @returns `null`: several may be it, and none is as it was stored. The others of its name come first, so that it is not written over one
 *   that is another stored item, unchanged.
 */
export async function decideByLooking(
  { place, claims, options }: DecisionParts,
  item: RestoreItem,
  parent: string,
  there: readonly FoundInPlace[],
  isLast: boolean,
): Promise<Decided | null> {
  const claimed = claims.claim(item.version, there);
  const decision = decide(item.version, claimed, options);
  if (claimed === null || decision.action === 'skip') return { claimed, decision };
  // The very item is to become what was stored, also where a copy of that is beside it.
  const isItself = decision.action === 'replace' && claimed.id === item.version.id;
  const possible = isItself ? [claimed] : [claimed, ...claims.free(there)];
  for (const found of possible) {
    if (found.isUnchanged !== undefined || found.differs === true) continue;
    if (!(await place.isUnchanged?.(found, parent, item))) continue;
    claims.release(claimed.id);
    claims.add(found.id);
    return { claimed: found, decision: { action: 'skip', reason: 'unchanged' } };
  }
  if (isLast || possible.length === 1) return { claimed, decision };
  claims.release(claimed.id);
  return null;
}

/** Every change of an item changes this instant; the wire gives whole seconds in places. */
function isUnchanged({ modifiedAt }: Pick<ItemVersion, 'modifiedAt'>, found: FoundInPlace): boolean {
  if (found.isUnchanged !== undefined) return found.isUnchanged;
  if (modifiedAt === null || found.modifiedAt === null) return false;
  return Math.floor(modifiedAt.getTime() / 1_000) === Math.floor(found.modifiedAt.getTime() / 1_000);
}
