import type { ItemVersion } from '../model/items.ts';
import type { Claims } from './claims.ts';
import type { FindNamesakes } from './namesakes.ts';
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
  place: Pick<RestorePlace, 'find' | 'isUnchanged'>;
  claims: Claims;
  options: Pick<RestoreOptions, 'conflict' | 'only'>;
  namesakes: FindNamesakes;
}

/** What is to be done with an item, and which of all that was found is that item. */
interface Decided {
  claimed: FoundInPlace | null;
  decision: Decision;
}

/**
 * Decides about an item by all that was found of it. An item that a restore wrote has another instant than the stored one and is no other:
 * where a write would follow, and only there, it is looked at. Where several stored items have one name, what is there unchanged of one of
 * them belongs to that one: no other is written over it, or left out because of it.
 */
export async function decideByLooking(
  parts: DecisionParts,
  item: RestoreItem,
  parent: string,
  there: readonly FoundInPlace[],
): Promise<Decided> {
  const { claims, options } = parts;
  const claimed = claims.claim(item.version, there);
  const decision = decide(item.version, claimed, options);
  if (claimed === null || (decision.action === 'skip' && decision.reason === 'unchanged')) return { claimed, decision };
  // The very item is to become what was stored, also where a copy of that is beside it.
  const isItself = decision.action === 'replace' && claimed.id === item.version.id;
  const possible = isItself ? [claimed] : [claimed, ...claims.free(there)];
  const isWritten = decision.action !== 'skip';
  const same = isWritten ? await unchangedOf(parts, item, parent, possible) : null;
  if (same !== null) return claimedInstead(claims, claimed, same);
  const others = claimed.id === item.version.id ? [] : await parts.namesakes(item);
  if (others.length === 0) return { claimed, decision };
  const own = isWritten ? null : await unchangedOf(parts, item, parent, possible);
  if (own !== null) return claimedInstead(claims, claimed, own);
  const theirs = await ownedBy(parts, others, parent, possible);
  claims.release(claimed.id);
  const left = claims.claim(
    item.version,
    there.filter(({ id }) => !theirs.has(id)),
  );
  return { claimed: left, decision: decide(item.version, left, options) };
}

function claimedInstead(claims: Claims, claimed: FoundInPlace, same: FoundInPlace): Decided {
  claims.release(claimed.id);
  claims.add(same.id);
  return { claimed: same, decision: { action: 'skip', reason: 'unchanged' } };
}

/** The first that is what was stored. */
async function unchangedOf(
  { place }: Pick<DecisionParts, 'place'>,
  item: RestoreItem,
  parent: string,
  possible: readonly FoundInPlace[],
): Promise<FoundInPlace | null> {
  for (const found of possible) {
    if (found.isUnchanged !== undefined || found.differs === true) continue;
    if (await place.isUnchanged?.(found, parent, item)) return found;
  }
  return null;
}

/** The ids of those that other stored items are, unchanged: of each item one. */
async function ownedBy(
  parts: Pick<DecisionParts, 'place'>,
  others: readonly RestoreItem[],
  parent: string,
  possible: readonly FoundInPlace[],
): Promise<ReadonlySet<string>> {
  const free = new Set(possible.map(({ id }) => id));
  const owned = new Set<string>();
  for (const other of others) {
    if (free.size === 0) break;
    const found = (await parts.place.find(parent, other)).filter(({ id }) => free.has(id));
    const own =
      found.find((one) => isUnchanged(other.version, one)) ?? (await unchangedOf(parts, other, parent, found));
    if (own === null) continue;
    free.delete(own.id);
    owned.add(own.id);
  }
  return owned;
}

/** Every change of an item changes this instant; the wire gives whole seconds in places. */
function isUnchanged({ modifiedAt }: Pick<ItemVersion, 'modifiedAt'>, found: FoundInPlace): boolean {
  if (found.isUnchanged !== undefined) return found.isUnchanged;
  if (modifiedAt === null || found.modifiedAt === null) return false;
  return Math.floor(modifiedAt.getTime() / 1_000) === Math.floor(found.modifiedAt.getTime() / 1_000);
}
