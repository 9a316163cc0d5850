import type { StoredItem } from '../../../model/items.ts';
import type { ObjectSection } from '../../../repository/commit.ts';
import { itemHash, OPEN_END } from '../item-record.ts';
import type { SectionChanges } from './section-changes.ts';

/** A version that some sections in a row bring, with the end that later ones of them put to it. */
export interface NewVersion {
  item: StoredItem;
  hash: string;
  first: number;
  last: number;
  next: number;
  endedAt: Date | null;
}

/** How the newest stored version of an item ends. */
export interface EndedVersion {
  last: number;
  /** The revision of the next version; open where the item was only removed. */
  next: number;
  endedAt: Date;
}

/** What several sections of one object in a row come to: the same as if each had been applied alone. */
export class VersionChanges {
  readonly versions: NewVersion[] = [];
  /** By the hash of the item. */
  readonly ended = new Map<string, EndedVersion>();
  readonly cursors = new Map<string, string | null>();
  /** Records of items by their hashes; `null` for those that were found. */
  readonly lost = new Map<string, string | null>();
  private readonly newest = new Map<string, NewVersion>();

  /** @param sum what the changes of the section come to */
  add({ revision, at }: Pick<ObjectSection, 'revision' | 'at'>, sum: SectionChanges): void {
    const { puts, removes, lost, found, cursors } = sum;
    for (const id of removes) this.end(itemHash(id), revision, OPEN_END, at);
    for (const item of puts.values()) this.put(item, revision, at);
    for (const [scope, value] of cursors) this.cursors.set(scope, value);
    for (const id of found) this.lost.set(itemHash(id), null);
    for (const { id, kind, name, parentId, reason } of lost.values())
      this.lost.set(itemHash(id), JSON.stringify({ id, kind, name, parentId, reason }));
  }

  private put(item: StoredItem, first: number, at: Date): void {
    const hash = itemHash(item.id);
    this.end(hash, first, first, at);
    const version: NewVersion = { item, hash, first, last: OPEN_END, next: OPEN_END, endedAt: null };
    this.versions.push(version);
    this.newest.set(hash, version);
  }

  private end(hash: string, revision: number, next: number, at: Date): void {
    const version = this.newest.get(hash);
    const ended = version ?? this.ended.get(hash) ?? { last: OPEN_END, next: OPEN_END, endedAt: at };
    ended.last = Math.min(ended.last, revision - 1);
    ended.next = next;
    ended.endedAt ??= at;
    if (version === undefined) this.ended.set(hash, { ...ended, endedAt: ended.endedAt });
  }
}
