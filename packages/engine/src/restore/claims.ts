import { createHash } from 'node:crypto';
import type { ItemVersion } from '../model/items.ts';
import type { FoundInPlace } from './restore-place.ts';

/** An id of any length in 22 characters: a restore remembers millions. */
export function shortKey(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 22);
}

/**
 * Which items of the target stand for which of the repository: each for one alone. A mailbox may hold the same message twice; then two that
 * are there stand for two that are stored, and one that is there for one of them.
 */
export class Claims {
  private readonly taken: Set<string>;

  /** @param taken short keys of what a restore that is resumed had written */
  constructor(taken: Set<string>) {
    this.taken = taken;
  }

  has(id: string): boolean {
    return this.taken.has(shortKey(id));
  }

  add(id: string): void {
    this.taken.add(shortKey(id));
  }

  /** Nothing stands for it any more: another item, or the same one, may claim it. */
  release(id: string): void {
    this.taken.delete(shortKey(id));
  }

  /** Those that may stand for an item, and stand for none yet. */
  free(found: readonly FoundInPlace[]): FoundInPlace[] {
    return found.filter(({ id, isCopy }) => isCopy !== true && !this.has(id));
  }

  /** The best of those that are free: the very item, one of the same instant, any. Nobody else gets it afterwards. */
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
