import type { Item, ItemKind } from '../model/items.ts';
import type { Scan } from '../source/source.ts';

/**
 * The places of an object in which this run may have stored items by now: all others of a new object are empty. A place is a container, or
 * (`undefined`) the whole object, for items of one kind.
 */
export class FilledPlaces {
  private readonly byKind = new Map<ItemKind, Set<Item['parentId'] | undefined>>();

  add(kind: ItemKind, parentId: Item['parentId'] | undefined): void {
    const known = this.byKind.get(kind);
    if (known === undefined) this.byKind.set(kind, new Set([parentId]));
    else known.add(parentId);
  }

  /** Whether any of what a scan covers may have items. */
  mayHave({ kinds, parentId }: Scan): boolean {
    return kinds.some((kind) => {
      const filled = this.byKind.get(kind);
      return filled !== undefined && (parentId === undefined || filled.has(undefined) || filled.has(parentId));
    });
  }
}
