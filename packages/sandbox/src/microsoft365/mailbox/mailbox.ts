import { textHash } from '../../world/random.ts';
import type { User } from '../directory/user.ts';
import type { TenantFacts } from '../tenant-facts.ts';
import { ChangeLog } from '../wire/change-log.ts';
import { GraphError } from '../wire/graph-error.ts';
import { itemNotFound } from '../wire/refusals.ts';
import { Folder, type FolderClass, type FolderFacts, keyOf } from './folder.ts';
import type { Item, ItemContent } from './item.ts';
import { decodeId, encodeId, type IdKind } from './item-id.ts';

/** How the invented items of a mailbox are made: pure functions of the number. */
export type Generate = (mailbox: Mailbox, number: number) => Item | undefined;

/** The folders and items of one mailbox. What was never changed is not stored but generated when it is requested. */
export class Mailbox {
  readonly id: string;
  readonly user: User;
  readonly folders = new Map<number, Folder>();
  readonly folderChanges = new ChangeLog();
  /** Whether a round over the folders names one of which the messages alone changed. */
  namesBusyFolders = () => true;
  readonly nowMs: () => number;
  /** Distinguishes this mailbox's ids from those of all others, of the same person in another tenant too. */
  private readonly key: number;
  private readonly generate: Generate;
  /** Items that were created or changed; `null` for what is gone for good. */
  private readonly items = new Map<number, Item | null>();
  private nextItem = 1;
  private nextFolder = 1;

  constructor(id: string, user: User, { id: tenantId, nowMs }: Pick<TenantFacts, 'id' | 'nowMs'>, generate: Generate) {
    this.id = id;
    this.user = user;
    this.nowMs = nowMs;
    this.key = textHash(`${tenantId} ${id}`);
    this.generate = generate;
  }

  /** Makes a folder; with `count` invented items in it from the start. */
  addFolder(facts: Omit<FolderFacts, 'number' | 'range'>, count = 0, unread = 0): Folder {
    const folder = new Folder({ ...facts, number: this.nextFolder++, range: { first: this.nextItem, count } });
    folder.unread = unread;
    this.nextItem += count;
    this.folders.set(folder.number, folder);
    this.folderChanges.record(String(folder.number));
    return folder;
  }

  /** Puts on record that a folder has another name, parent or content. */
  touchFolder(folder: Folder): void {
    folder.revision += 1;
    this.folderChanges.record(String(folder.number));
  }

  /** Removes a folder with all that is in it. */
  removeFolder(folder: Folder): void {
    for (const child of this.childrenOf(folder)) this.removeFolder(child);
    while (folder.itemCount > 0) this.removeItem(this.itemOf(folder.numberAt(folder.itemCount - 1)));
    this.folders.delete(folder.number);
    this.folderChanges.record(String(folder.number), true);
  }

  childrenOf(folder: Folder): Folder[] {
    return [...this.folders.values()].filter(({ parent }) => parent === folder.number);
  }

  wellKnown(name: string): Folder {
    const folder = this.folders.values().find(({ wellKnownName }) => wellKnownName === name.toLowerCase());
    if (!folder) throw folderNotFound();
    return folder;
  }

  /** By id or well-known name, among the folders of one class. @throws GraphError 404, 400 for a malformed id */
  folder(idOrName: string, folderClass?: FolderClass): Folder {
    const known = this.folders.values().find(({ wellKnownName }) => wellKnownName === idOrName.toLowerCase());
    const folder = known ?? this.folders.get(this.read(idOrName, 'folder', folderNotFound).number);
    if (!folder || (folderClass && folder.folderClass !== folderClass)) throw folderNotFound();
    return folder;
  }

  folderId(number: number): string {
    return encodeId({ kind: 'folder', mailbox: this.key, folder: number, moves: 0, number, part: 0 });
  }

  itemId(item: Pick<Item, 'number' | 'folder' | 'moves'>, isImmutable: boolean): string {
    return this.partId(item, isImmutable, 'item', 0);
  }

  /** The id of an attachment, by its number, or of an occurrence, by its day. */
  partId(item: Pick<Item, 'number' | 'folder' | 'moves'>, isImmutable: boolean, kind: IdKind, part: number): string {
    return encodeId({
      kind,
      mailbox: this.key,
      folder: isImmutable ? 0 : item.folder,
      moves: isImmutable ? 0 : item.moves,
      number: item.number,
      part,
    });
  }

  /** @throws GraphError 404 for what is not there or, by its usual id, not there any more */
  item(id: string): Item {
    return this.itemOfId(this.read(id, 'item', itemNotFound));
  }

  /** An event, or an occurrence as the series and its day. @throws GraphError as `item` does */
  itemOrOccurrence(id: string): { item: Item; day: number | undefined } {
    const parts = decodeId(id);
    if (parts.mailbox !== this.key || (parts.kind !== 'item' && parts.kind !== 'occurrence')) throw itemNotFound();
    return { item: this.itemOfId(parts), day: parts.kind === 'occurrence' ? parts.part : undefined };
  }

  /** The number of an attachment within its item. @throws GraphError as `item` does */
  attachmentNumber(id: string): number {
    return this.read(id, 'attachment', itemNotFound).part;
  }

  private itemOfId({ number, folder, moves }: { number: number; folder: number; moves: number }): Item {
    const item = this.findItem(number);
    if (!item || (folder !== 0 && (item.folder !== folder || item.moves !== moves))) throw itemNotFound();
    return item;
  }

  findItem(number: number): Item | undefined {
    const stored = this.items.get(number);
    if (stored !== undefined) return stored ?? undefined;
    return number < this.nextItem ? this.generate(this, number) : undefined;
  }

  createItem(folder: Folder, content: ItemContent, createdMs = this.nowMs()): Item {
    const item: Item = {
      number: this.nextItem++,
      folder: folder.number,
      moves: 0,
      revision: 1,
      createdMs,
      modifiedMs: this.nowMs(),
      content,
    };
    this.items.set(item.number, item);
    folder.add(item.number, 0);
    this.countUnread(folder, isUnread(item));
    return item;
  }

  changeItem(item: Item, content: ItemContent): Item {
    const changed = { ...item, content, revision: item.revision + 1, modifiedMs: this.nowMs() };
    this.items.set(item.number, changed);
    const folder = this.folderOf(item);
    folder.touch(item.number, item.moves);
    this.countUnread(folder, isUnread(changed) - isUnread(item));
    return changed;
  }

  moveItem(item: Item, to: Folder): Item {
    const from = this.folderOf(item);
    const moved = {
      ...item,
      folder: to.number,
      moves: item.moves + 1,
      revision: item.revision + 1,
      modifiedMs: this.nowMs(),
    };
    this.items.set(item.number, moved);
    from.remove(item.number, item.moves);
    to.add(moved.number, moved.moves);
    this.countUnread(from, -isUnread(item));
    this.countUnread(to, isUnread(item));
    return moved;
  }

  removeItem(item: Item): void {
    this.items.set(item.number, null);
    const folder = this.folderOf(item);
    folder.remove(item.number, item.moves);
    this.countUnread(folder, -isUnread(item));
  }

  folderOf(item: Pick<Item, 'folder'>): Folder {
    const folder = this.folders.get(item.folder);
    if (!folder) throw itemNotFound();
    return folder;
  }

  /** The item of a stay in a folder, while it lasts. */
  itemOfStay(folder: Folder, number: number, moves: number): Item | undefined {
    const item = this.findItem(number);
    return item?.folder === folder.number && item.moves === moves ? item : undefined;
  }

  /** Invented items of a folder of which nothing is on record. */
  untouchedOf(folder: Folder) {
    return {
      length: folder.range.count,
      keyAt: (index: number) => keyOf(folder.range.first + index, 0),
      isUnchanged: (key: string) => !folder.changes.has(key),
    };
  }

  private itemOf(number: number): Item {
    const item = this.findItem(number);
    if (!item) throw itemNotFound();
    return item;
  }

  private countUnread(folder: Folder, difference: number): void {
    folder.unread += difference;
    folder.revision += 1;
    if (this.namesBusyFolders()) this.folderChanges.record(String(folder.number));
  }

  private read(id: string, kind: IdKind, missing: () => GraphError) {
    const parts = decodeId(id);
    if (parts.mailbox !== this.key || parts.kind !== kind) throw missing();
    return parts;
  }
}

const isUnread = (item: Item) => Number(item.content.kind === 'message' && !item.content.isRead);

export const folderNotFound = () =>
  new GraphError(404, 'ErrorItemNotFound', 'The specified folder could not be found in the store.');
