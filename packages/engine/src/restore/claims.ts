import { createHash } from 'node:crypto';
import type { ItemVersion } from '../model/items.ts';
import type { FoundInPlace } from './restore-place.ts';

/** An id of any length in 22 characters: a restore remembers millions. */
export function shortKey(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 22);
}

/**
 * Pairs items of the target with items of the repository, one to one. A mailbox may contain the same message twice; then two that
 * are there match two that are stored, and one that is there matches one of them.
 */
export class Claims {
  private readonly claimed: Set<string>;

  /** @param claimed short keys of what a restore that is resumed had written */
  constructor(claimed: Set<string>) {
    this.claimed = claimed;
  }

  has(id: string): boolean {
    return this.claimed.has(shortKey(id));
  }

  add(id: string): void {
    this.claimed.add(shortKey(id));
  }

  /** It matches no item any more: another item, or the same one, may claim it. */
  release(id: string): void {
    this.claimed.delete(shortKey(id));
  }

  /** Those that may match an item, and match none yet. */
  free(found: readonly FoundInPlace[]): FoundInPlace[] {
    return found.filter(({ id, isCopy }) => isCopy !== true && !this.has(id));
  }

  /** The best of those that are free: the very item, one of the same instant, any. No other item gets it afterwards. */
  claim(item: Pick<ItemVersion, 'id' | 'modifiedAt'>, found: readonly FoundInPlace[]): FoundInPlace | null {
    const free = this.free(found);
    const instant = item.modifiedAt?.getTime();
    const best =
      free.find(({ id }) => id === item.id) ??
      free.find(({ modifiedAt }) => modifiedAt?.getTime() === instant) ??
      free[0];
    if (best === undefined) return null;
    this.add(best.id);
    return best;
  }
}
