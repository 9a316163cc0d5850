import { ChangeLog } from '../wire/change-log.ts';
import { GraphError } from '../wire/graph-error.ts';
import type { Content } from './content/content.ts';
import type { Edit, IdentitySet } from './identity-set.ts';
import { ancestorsOf, type DriveItem, itemNotFound, nameKey, pathOf, treeOf } from './items/drive-item.ts';
import { checkName, freeName } from './items/item-name.ts';
import { type NewItem, newItem } from './items/new-item.ts';
import type { Permission } from './permission.ts';

export interface DriveFacts {
  id: string;
  /** `business` for a user's OneDrive, `documentLibrary` for all others. */
  driveType: 'business' | 'documentLibrary';
  name: string;
  description: string;
  owner: IdentitySet;
  webUrl: string;
  createdMs: number;
  /** The library behind the drive. */
  site: { siteId: string; webId: string; listId: string; siteUrl: string; hostname: string };
  quotaTotal: number;
  /** Set on the root, and so inherited by everything. */
  permissions: Permission[];
  /** Number from which the ids of the drive's items are made. */
  seed: number;
}

export type ConflictBehavior = 'fail' | 'replace' | 'rename';

const quotaExceeded = () => new GraphError(507, 'quotaLimitReached', 'Insufficient Space Available');
const nameExists = () =>
  new GraphError(
    409,
    'nameAlreadyExists',
    'The specified item name already exists. Choose another name and try again.',
  );

/** A tree of items with its log of changes. It is filled when it is first looked at. */
export class Drive {
  readonly facts: DriveFacts;
  readonly changes = new ChangeLog();
  /** What was deleted: delta queries and the pages of a folder's children still speak of it. */
  readonly removed = new Map<string, DriveItem>();
  private readonly items = new Map<string, DriveItem>();
  private readonly rootItem: DriveItem;
  private pendingFill: ((drive: Drive) => void) | undefined;
  private created = 0;

  constructor(facts: DriveFacts, fill?: (drive: Drive) => void) {
    this.facts = facts;
    this.rootItem = this.newItem(
      undefined,
      { name: 'root', kind: 'folder' },
      { by: facts.owner, atMs: facts.createdMs },
    );
    this.rootItem.permissions = [...facts.permissions];
    this.insert(this.rootItem);
    this.pendingFill = fill;
  }

  get root(): DriveItem {
    this.fill();
    return this.rootItem;
  }

  find(id: string): DriveItem | undefined {
    this.fill();
    return id.toLowerCase() === 'root' ? this.rootItem : this.items.get(id.toUpperCase());
  }

  /** @throws GraphError 404 */
  item(id: string): DriveItem {
    const item = this.find(id);
    if (!item) throw itemNotFound();
    return item;
  }

  /** Finds an item by the number of its row in the library's list. @throws GraphError 404 */
  itemOfList(listItemId: string): DriveItem {
    this.fill();
    for (const item of this.items.values()) {
      if (String(item.listItemId) === listItemId || item.uniqueId === listItemId) return item;
    }
    throw itemNotFound();
  }

  /** Everything but the root. */
  *all(): Generator<DriveItem> {
    this.fill();
    for (const item of this.items.values()) if (item.parent) yield item;
  }

  child(folder: DriveItem, name: string): DriveItem | undefined {
    return folder.children.get(nameKey(name));
  }

  /** The item at a path below another; `undefined` when there is none. */
  descend(from: DriveItem, path: string): DriveItem | undefined {
    let item: DriveItem | undefined = from;
    for (const name of path.split('/')) if (name !== '') item = item && this.child(item, name);
    return item;
  }

  /**
   * Adds an item; a file of the same name gets a new version when it is to be replaced.
   * @throws GraphError 409 for a name in use, 400 for a name that is not allowed, 507 when the quota does not suffice
   */
  add(parent: DriveItem, seed: NewItem, edit: Edit, conflict: ConflictBehavior = 'fail'): DriveItem {
    if (parent.kind !== 'folder') throw new GraphError(400, 'invalidRequest', 'The parent is not a folder.');
    checkName(seed.name, `${pathOf(parent)}/${seed.name}`);
    this.checkRoom(seed.content?.size ?? 0);
    const existing = this.child(parent, seed.name);
    if (existing && conflict === 'fail') throw nameExists();
    if (existing && conflict === 'replace') return this.replace(existing, seed, edit);
    const name = freeName(seed.name, (free) => this.child(parent, free) !== undefined);
    const item = this.newItem(parent, { ...seed, name }, edit);
    this.insert(item);
    return item;
  }

  /** Gives a file a new version. */
  write(item: DriveItem, content: Content, edit: Edit, fileSystem?: NewItem['fileSystem']): void {
    if (item.kind !== 'file') throw new GraphError(400, 'invalidRequest', 'The item is not a file.');
    this.checkRoom(content.size - item.size);
    const number = Number.parseInt(item.versions[0]?.id ?? '0', 10) + 1;
    item.versions.unshift({ id: `${number}.0`, modifiedBy: edit.by, modifiedMs: edit.atMs, content });
    item.contentRevision += 1;
    item.fileSystem = { createdMs: item.fileSystem.createdMs, modifiedMs: edit.atMs, ...fileSystem };
    this.grow(item, content.size - item.size);
    this.touch(item, edit);
  }

  /** Renames, moves, or both. @throws GraphError as `add` does, and 400 for a folder that is moved below itself */
  move(
    item: DriveItem,
    to: { parent: DriveItem; name: string },
    edit: Edit,
    conflict: ConflictBehavior = 'fail',
  ): void {
    const { parent } = item;
    if (!parent) throw new GraphError(403, 'accessDenied', 'The root cannot be renamed or moved.');
    if (to.parent === item || ancestorsOf(to.parent).includes(item)) {
      throw new GraphError(400, 'invalidRequest', 'A folder cannot be moved into itself.');
    }
    checkName(to.name, `${pathOf(to.parent)}/${to.name}`);
    const isInUse = (name: string) => ![undefined, item].includes(this.child(to.parent, name));
    if (isInUse(to.name) && conflict === 'fail') throw nameExists();
    const existing = this.child(to.parent, to.name);
    if (existing && existing !== item && conflict === 'replace') this.remove(existing);
    parent.children.delete(nameKey(item.name));
    this.grow(parent, -item.size);
    item.name = freeName(to.name, isInUse);
    item.parent = to.parent;
    to.parent.children.set(nameKey(item.name), item);
    this.grow(to.parent, item.size);
    // The folder it left is another one, too.
    if (to.parent !== parent) this.changes.record(parent.id);
    this.touch(item, edit);
  }

  /** Notes a change of the item itself. */
  touch(item: DriveItem, edit: Edit): void {
    item.revision += 1;
    item.modifiedBy = edit.by;
    item.modifiedMs = edit.atMs;
    for (const folder of ancestorsOf(item)) folder.contentRevision += 1;
    this.changes.record(item.id);
  }

  /** Deletes an item with everything below it. */
  remove(item: DriveItem): void {
    const { parent } = item;
    if (!parent) throw new GraphError(403, 'accessDenied', 'The root cannot be deleted.');
    this.grow(parent, -item.size);
    for (const folder of ancestorsOf(item)) folder.contentRevision += 1;
    // What is in a folder first: a client deletes a folder when it is empty.
    for (const gone of [...treeOf(item)].reverse()) {
      this.items.delete(gone.id);
      this.removed.set(gone.id, gone);
      this.changes.record(gone.id, true);
    }
    parent.children.delete(nameKey(item.name));
  }

  /** Takes an item from the recycle bin, with everything below it, under the ids they had. */
  putBack(item: DriveItem): void {
    for (const back of treeOf(item)) {
      this.removed.delete(back.id);
      this.items.set(back.id, back);
      this.changes.record(back.id);
    }
    item.parent?.children.set(nameKey(item.name), item);
    if (item.parent) this.grow(item.parent, item.size);
  }

  private replace(existing: DriveItem, seed: NewItem, edit: Edit): DriveItem {
    if (existing.kind === 'folder' && seed.kind === 'folder') return existing;
    if (existing.kind !== 'file' || !seed.content) throw nameExists();
    this.write(existing, seed.content, edit, seed.fileSystem);
    return existing;
  }

  private checkRoom(bytes: number): void {
    if (bytes > 0 && this.rootItem.size + bytes > this.facts.quotaTotal) throw quotaExceeded();
  }

  private newItem(parent: DriveItem | undefined, seed: NewItem, edit: Edit): DriveItem {
    this.created += 1;
    return newItem(this.facts, parent, this.created - 1, seed, edit);
  }

  private insert(item: DriveItem): void {
    this.items.set(item.id, item);
    item.parent?.children.set(nameKey(item.name), item);
    this.grow(item, item.versions[0]?.content.size ?? 0);
    for (const folder of ancestorsOf(item)) folder.contentRevision += 1;
    this.changes.record(item.id);
  }

  private grow(item: DriveItem, bytes: number): void {
    item.size += bytes;
    for (const folder of ancestorsOf(item)) folder.size += bytes;
  }

  private fill(): void {
    const fill = this.pendingFill;
    this.pendingFill = undefined;
    fill?.(this);
  }
}
