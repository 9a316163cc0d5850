import type { StoredItem } from '../../../model/items.ts';
import type { LostItem } from '../../../model/outcome.ts';
import type { ObjectChange } from '../../../repository/commit.ts';

/** What the changes of a section come to, whatever their order said on the way: in one revision an item has one state. */
export interface SectionChanges {
  puts: ReadonlyMap<string, StoredItem>;
  removes: ReadonlySet<string>;
  lost: ReadonlyMap<string, LostItem>;
  found: ReadonlySet<string>;
  cursors: ReadonlyMap<string, string | null>;
}

export function sumOf(changes: readonly ObjectChange[]): SectionChanges {
  const [puts, removes] = [new Map<string, StoredItem>(), new Set<string>()];
  const [lost, found] = [new Map<string, LostItem>(), new Set<string>()];
  const cursors = new Map<string, string | null>();
  for (const change of changes) {
    if (change.type === 'put') {
      removes.delete(change.item.id);
      puts.set(change.item.id, change.item);
    } else if (change.type === 'remove') {
      puts.delete(change.item);
      removes.add(change.item);
    } else if (change.type === 'lost') {
      found.delete(change.item.id);
      lost.set(change.item.id, change.item);
    } else if (change.type === 'found') {
      lost.delete(change.item);
      found.add(change.item);
    } else if (change.type === 'cursor') cursors.set(change.scope, change.value);
  }
  return { puts, removes, lost, found, cursors };
}
