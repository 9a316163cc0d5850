import type { Listing } from '../wire/collection.ts';
import type { JsonObject } from '../wire/json.ts';
import type { Folder } from './folder.ts';
import type { Item } from './item.ts';
import type { Mailbox } from './mailbox.ts';

/** The items of some folders, one folder after the other, each newest first; only what is asked for is made. */
export function itemListing(mailbox: Mailbox, folders: readonly Folder[], make: (item: Item) => JsonObject): Listing {
  const length = folders.reduce((sum, { itemCount }) => sum + itemCount, 0);
  return { length, slice: (start, end) => [...entities(mailbox, folders, start, Math.min(end, length), make)] };
}

function* entities(
  mailbox: Mailbox,
  folders: readonly Folder[],
  start: number,
  end: number,
  make: (item: Item) => JsonObject,
): Generator<JsonObject> {
  let before = 0;
  for (const folder of folders) {
    const last = Math.min(end - before, folder.itemCount);
    for (let at = Math.max(0, start - before); at < last; at += 1) {
      const item = mailbox.findItem(folder.numberAt(folder.itemCount - 1 - at));
      if (item) yield make(item);
    }
    before += folder.itemCount;
    if (before >= end) return;
  }
}
