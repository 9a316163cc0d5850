import { EngineError } from '../../model/engine-error.ts';
import type {
  FoundItem,
  MailboxFolderKind,
  MailboxItemKind,
  MailboxTarget,
  NewFolder,
  NewItem,
  TargetFolder,
  TargetItem,
  Written,
} from '../../source/target.ts';

export interface MailboxItem {
  id: string;
  folderId: string;
  kind: MailboxItemKind;
  properties: Readonly<Record<string, unknown>>;
  contents: ReadonlyMap<string, Buffer>;
  modifiedAt: Date;
  /** Whether all of it was written. */
  isWhole: boolean;
}

/** What a test throws through everything, as if the process had been killed there: it is no `Error`, so no code handles it. */
export const KILLED = Symbol('killed');

const STANDARD: readonly [MailboxFolderKind, string, string][] = [
  ['mail-folder', 'Boîte de réception', 'inbox'],
  ['mail-folder', 'Éléments supprimés', 'deleteditems'],
  ['mail-folder', 'Brouillons', 'drafts'],
  ['calendar', 'Calendrier', 'default'],
  ['contact-folder', 'Contacts', 'default'],
  ['task-list', 'Tâches', 'default'],
];

/** A French mailbox in memory, by the letter of the port; it fails and dies where a test wants it to. */
export class MemoryMailbox implements MailboxTarget {
  readonly folders: TargetFolder[];
  readonly items = new Map<string, MailboxItem>();
  /** Called at every point at which a process may die: before a write, halfway, after it and before its answer. */
  onPoint: (point: 'before' | 'half' | 'unanswered', item: NewItem) => void = () => undefined;
  /** Called before each write. */
  onWrite: (write: 'create' | 'replace', item: NewItem) => void = () => undefined;
  finds = 0;
  looks = 0;
  now = new Date('2026-11-21T12:00:00Z');
  private ids = 0;

  constructor() {
    this.folders = STANDARD.map(([kind, name, role]) => ({ id: this.nextId(), kind, name, role, parentId: null }));
  }

  async listFolders(kind: MailboxFolderKind): Promise<TargetFolder[]> {
    return this.folders.filter((folder) => folder.kind === kind).map((folder) => ({ ...folder }));
  }

  async createFolder({ kind, name, parentId }: NewFolder): Promise<TargetFolder> {
    const same = this.folders.find((one) => one.kind === kind && one.parentId === parentId && one.name === name);
    const folder = same ?? { id: this.nextId(), kind, name, parentId, role: null };
    if (same === undefined) this.folders.push(folder);
    return { ...folder };
  }

  async find(folderId: string, item: TargetItem): Promise<FoundItem[]> {
    this.finds += 1;
    const all = [...this.items.values()].filter((one) => one.folderId === folderId && one.kind === item.kind);
    return all.filter((one) => keyOf(one) === keyOf(item)).map(({ id, modifiedAt }) => ({ id, modifiedAt }));
  }

  async create(folderId: string, item: NewItem): Promise<Written> {
    this.onWrite('create', item);
    this.onPoint('before', item);
    const id = this.nextId();
    const stored = { id, folderId, kind: item.kind, properties: item.properties, modifiedAt: this.now };
    this.items.set(id, { ...stored, contents: new Map(), isWhole: false });
    try {
      const contents = await bytesOf(item);
      this.onPoint('half', item);
      this.items.set(id, { ...stored, contents, isWhole: true });
    } catch (error) {
      // The port promises that a refusal leaves nothing; death promises nothing.
      if (error instanceof Error) this.items.delete(id);
      throw error;
    }
    this.onPoint('unanswered', item);
    return { id, losses: item.kind === 'event' ? ['the organizer'] : [] };
  }

  async update(_folderId: string, id: string, item: NewItem): Promise<Written> {
    const known = this.items.get(id);
    if (known === undefined) throw new EngineError('not-found', 'It is gone.');
    this.items.set(id, { ...known, properties: item.properties, contents: await bytesOf(item), modifiedAt: this.now });
    return { id, losses: [] };
  }

  async replace(folderId: string, id: string, item: NewItem): Promise<Written> {
    this.onWrite('replace', item);
    return this.update(folderId, id, item);
  }

  async isSame(_folderId: string, id: string, item: NewItem): Promise<boolean> {
    const known = this.items.get(id);
    return known === undefined || JSON.stringify(known.properties) === JSON.stringify(item.properties);
  }

  async isUnchanged(_folderId: string, id: string, item: NewItem): Promise<boolean> {
    this.looks += 1;
    const known = this.items.get(id);
    if (known === undefined || JSON.stringify(known.properties) !== JSON.stringify(item.properties)) return false;
    const stored = await bytesOf(item);
    return (
      known.contents.size === stored.size && [...stored].every(([name, one]) => known.contents.get(name)?.equals(one))
    );
  }

  async delete(_folderId: string, id: string): Promise<void> {
    this.items.delete(id);
  }

  /** The folder of a role, or of a path of names. */
  folder(kind: MailboxFolderKind, ...path: string[]): TargetFolder | undefined {
    let parentId: string | null = null;
    let found: TargetFolder | undefined;
    for (const name of path) {
      const above: string | null = parentId;
      found = this.folders.find((one) => one.kind === kind && one.parentId === above && one.name === name);
      if (found === undefined) return undefined;
      parentId = found.id;
    }
    return found;
  }

  within(folder: TargetFolder | undefined): MailboxItem[] {
    return [...this.items.values()].filter(({ folderId }) => folderId === folder?.id);
  }

  private nextId(): string {
    this.ids += 1;
    return `target-${this.ids}`;
  }
}

const keyOf = ({ properties }: Pick<MailboxItem, 'properties'>) =>
  JSON.stringify(
    properties['internetMessageId'] ?? properties['subject'] ?? properties['displayName'] ?? properties['title'],
  );

async function bytesOf({ contents }: NewItem): Promise<Map<string, Buffer>> {
  const read = new Map<string, Buffer>();
  for (const { name, open } of contents) {
    const parts: Uint8Array[] = [];
    for await (const part of open()) parts.push(part);
    read.set(name, Buffer.concat(parts));
  }
  return read;
}
