import type { ContainerPaths } from '../../browse/container-paths.ts';
import { EngineError } from '../../model/engine-error.ts';
import type { ItemKind, ItemVersion } from '../../model/items.ts';
import { textOf } from '../../source/graph/json.ts';
import type {
  FoundItem,
  MailboxFolderKind,
  MailboxItemKind,
  MailboxTarget,
  NewItem,
  TargetFolder,
  Written,
} from '../../source/target.ts';
import type { RestoreItem, RestorePlace } from '../restore-place.ts';

/** The container of items of a kind, and the role of the folder for those whose own is unknown. */
const FOLDER_OF: Readonly<Record<MailboxItemKind, { kind: MailboxFolderKind; role: string }>> = {
  message: { kind: 'mail-folder', role: 'inbox' },
  event: { kind: 'calendar', role: 'default' },
  contact: { kind: 'contact-folder', role: 'default' },
  task: { kind: 'task-list', role: 'default' },
};

const FOLDER_KINDS: readonly MailboxFolderKind[] = ['mail-folder', 'calendar', 'contact-folder', 'task-list'];

/**
 * A mailbox as a place to restore into. A folder that every mailbox has goes into that of the target, whatever its language calls it; all others go
 * by their path. With `into` everything is below a folder of that name; calendars and task lists, which are in no folder, carry it behind
 * their own.
 */
export class MailboxPlace implements RestorePlace {
  readonly replacesByCreating = true;
  private readonly target: MailboxTarget;
  private readonly paths: ContainerPaths;
  private readonly into: string | null;
  private readonly signal: AbortSignal;
  private readonly isOwn: boolean;
  private readonly lists = new Map<MailboxFolderKind, Promise<TargetFolder[]>>();
  private readonly made = new Set<string>();
  /** Found by the name of an item that an attempt before had begun, and not what it had written. */
  private readonly others = new Set<string>();
  private readonly found = new Map<string, Promise<TargetFolder | null>>();

  /** @param isOwn whether it is the mailbox that the items were stored of: elsewhere an id means something else */
  constructor(target: MailboxTarget, paths: ContainerPaths, into: string | null, signal: AbortSignal, isOwn = false) {
    this.target = target;
    this.paths = paths;
    this.into = into;
    this.signal = signal;
    this.isOwn = isOwn;
  }

  async container(container: ItemVersion, make: boolean): Promise<string | null> {
    return (await this.place(container, make))?.id ?? null;
  }

  async parentOf(item: ItemVersion, make: boolean): Promise<string | null> {
    const own = item.parentId === null ? null : await this.paths.container(item.parentId);
    if (own !== null && own.details.role !== 'msgfolderroot') return this.container(own, make);
    const { kind, role } = FOLDER_OF[itemKindOf(item.kind)];
    const standard = (await this.list(kind)).find((folder) => folder.role === role);
    if (standard !== undefined) return standard.id;
    throw new EngineError(
      'not-found',
      `The folder of '${item.name}' was never stored, and the mailbox has no other for it.`,
    );
  }

  isNew(containerId: string): boolean {
    return this.made.has(containerId);
  }

  /** Of one name there may be several. One that is stored itself matches itself alone, and a person's own item matches none. */
  async find(parent: string, item: RestoreItem): Promise<FoundItem[]> {
    const found: FoundItem[] = [];
    for (const one of await this.target.find(parent, newItem(item), this.signal)) {
      if (!this.others.has(one.id) && !(await this.isAnother(one.id, item))) found.push(one);
    }
    return found;
  }

  isUnchanged({ id }: FoundItem, parent: string, item: RestoreItem): Promise<boolean> {
    return this.target.isUnchanged(parent, id, newItem(item), this.signal);
  }

  /** Whether an id is that of another item that was stored. */
  private async isAnother(id: string, { version }: RestoreItem): Promise<boolean> {
    return this.isOwn && id !== version.id && (await this.paths.item(id)) !== null;
  }

  /** By what the target finds it: an item that has no name may be called by something else. */
  identityOf({ version: { kind }, properties }: RestoreItem): string {
    const name = properties['subject'] ?? properties['displayName'] ?? properties['title'];
    return textOf(properties['internetMessageId']) ?? `${kind} ${textOf(name) ?? ''}`;
  }

  async create(parent: string, item: RestoreItem): Promise<Written> {
    return this.changed(await this.target.create(parent, newItem(item), this.signal), parent, item);
  }

  async replace({ id }: FoundItem, parent: string, item: RestoreItem): Promise<Written> {
    return this.changed(await this.target.replace(parent, id, newItem(item), this.signal), parent, item);
  }

  /** An item with the same content as the one that is written again anyway. Any other of the name is a person's work: it stays, and matches no item. */
  async remove({ id }: FoundItem, parent: string, item: RestoreItem): Promise<void> {
    const given = newItem(item);
    if (!(await this.target.isSame(parent, id, given, this.signal))) {
      if (!(await this.isMade({ id }, parent, item))) this.others.add(id);
      return;
    }
    await this.target.delete(parent, id, given.kind, this.signal);
    // Of two that were begun of one name it may be what the other one had left.
    this.others.delete(id);
  }

  async isMade({ id }: Pick<FoundItem, 'id'>, parent: string, item: RestoreItem): Promise<boolean> {
    const given = newItem(item);
    if (given.kind !== 'event' || (await this.target.isSame(parent, id, given, this.signal))) return false;
    return this.target.isUnchanged(parent, id, given, this.signal);
  }

  /** The server's own form brings all of an item as it was, without what was to be changed in it. */
  private async changed(written: Written, parent: string, item: RestoreItem): Promise<Written> {
    const needsChange = item.isChanged && item.contents.some(({ name }) => name === 'export');
    if (!needsChange) return written;
    const { losses } = await this.target.update(parent, written.id, newItem(item), this.signal);
    return { id: written.id, losses: [...written.losses, ...losses] };
  }

  /** Several items may ask for one folder at a time: it is looked for, and made, once. */
  private async place(container: ItemVersion, make: boolean): Promise<TargetFolder | null> {
    const known = await this.found.get(container.id);
    if (known) return known;
    if (known === null && !make) return null;
    const key = make ? `make ${container.id}` : container.id;
    const looking = this.found.get(key) ?? this.look(container, make);
    this.found.set(key, looking);
    const found = await looking;
    if (found !== null) this.found.set(container.id, looking);
    return found;
  }

  private async look(container: ItemVersion, make: boolean): Promise<TargetFolder | null> {
    const kind = folderKindOf(container.kind);
    const { role } = container.details;
    const known = await this.list(kind);
    const sameRole =
      role === undefined || this.into !== null ? undefined : known.find((folder) => folder.role === role);
    if (sameRole !== undefined) return sameRole;
    const above = await this.above(container, kind, make);
    if (above === null) return null;
    const isFlat = kind === 'calendar' || kind === 'task-list';
    const name = isFlat && this.into !== null ? `${container.name} (${this.into})` : container.name;
    return this.named(kind, name, above.id, make);
  }

  /** `{ id: null }`: the top. `null`: it is not there, and was not to be made. */
  private async above(
    container: ItemVersion,
    kind: MailboxFolderKind,
    make: boolean,
  ): Promise<{ id: string | null } | null> {
    const parent = container.parentId === null ? null : await this.paths.container(container.parentId);
    if (parent !== null && parent.details.role !== 'msgfolderroot') return this.place(parent, make);
    const { into } = this;
    if (into === null || kind === 'calendar' || kind === 'task-list') return { id: await this.top(kind) };
    const key = `into ${kind} ${make}`;
    const looking = this.found.get(key) ?? this.top(kind).then((top) => this.named(kind, into, top, make));
    this.found.set(key, looking);
    return looking;
  }

  /** The folder of what is at the top: that of contacts is the default one, `null` elsewhere. */
  private async top(kind: MailboxFolderKind): Promise<string | null> {
    if (kind !== 'contact-folder') return null;
    return (await this.list(kind)).find(({ role }) => role === 'default')?.id ?? null;
  }

  private async named(kind: MailboxFolderKind, name: string, parentId: string | null, make: boolean) {
    const known = await this.list(kind);
    const same = known.find((folder) => folder.parentId === parentId && isSameName(folder.name, name));
    if (same !== undefined || !make) return same ?? null;
    const made = await this.target.createFolder({ kind, name, parentId }, this.signal);
    known.push(made);
    this.made.add(made.id);
    return made;
  }

  private list(kind: MailboxFolderKind): Promise<TargetFolder[]> {
    const known = this.lists.get(kind) ?? this.target.listFolders(kind, this.signal).then((folders) => [...folders]);
    this.lists.set(kind, known);
    return known;
  }
}

/** Exchange distinguishes folders of one place without regard to case. */
const isSameName = (one: string, other: string) =>
  one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();

function newItem({ version, properties, contents }: RestoreItem): NewItem {
  return { kind: itemKindOf(version.kind), properties, contents };
}

function itemKindOf(kind: ItemKind): MailboxItemKind {
  if (kind in FOLDER_OF) return kind as MailboxItemKind;
  throw new EngineError('bad-request', `A ${kind} cannot go into a mailbox.`);
}

function folderKindOf(kind: ItemKind): MailboxFolderKind {
  const known = FOLDER_KINDS.find((one) => one === kind);
  if (known !== undefined) return known;
  throw new EngineError('bad-request', `A ${kind} cannot be a folder of a mailbox.`);
}
