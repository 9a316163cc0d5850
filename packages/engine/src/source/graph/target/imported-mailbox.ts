import { EngineError } from '../../../model/engine-error.ts';
import type {
  FoundItem,
  MailboxFolderKind,
  MailboxTarget,
  NewFolder,
  NewItem,
  TargetFolder,
  TargetItem,
  Written,
} from '../../target.ts';
import { archiveFolder, ITEM_QUERY, importIdentity, isArchiveFolder, rootOf } from '../archive/archive-items.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { dateOf, type JsonObject, textOf } from '../json.ts';
import { paged, path } from '../mailbox/mailbox-paths.ts';
import { ItemImport } from './item-import.ts';
import { itemMemory } from './memory.ts';

type Folders = Pick<MailboxTarget, 'listFolders' | 'createFolder'>;

/** Archived items that go back into the archive they are of. */
export function openGraphArchive(connection: GraphConnection, user: string): MailboxTarget {
  return new ImportedMailbox(connection, new ItemImport({ connection, user }, 'archive'), null);
}

/** Archived items that go into folders of a mailbox. */
export function openGraphMailboxOfArchive(connection: GraphConnection, user: string, folders: Folders): MailboxTarget {
  return new ImportedMailbox(connection, new ItemImport({ connection, user }), folders);
}

/**
 * A mailbox that items go into by import alone: of an archive nothing else is stored, and it accepts nothing else. An import is one request, so
 * an item is there whole or not at all. Graph makes no folders in an archive and deletes nothing there.
 * https://learn.microsoft.com/graph/mailbox-import-export-concept-overview
 */
class ImportedMailbox implements MailboxTarget {
  private readonly connection: GraphConnection;
  private readonly imports: ItemImport;
  /** Of a mailbox; an archive has its own. */
  private readonly folders: Folders | null;
  /** The items of each folder, listed once. */
  private readonly listed = new Map<string, Promise<JsonObject[]>>();
  private readonly withinMemory = itemMemory();

  constructor(connection: GraphConnection, imports: ItemImport, folders: Folders | null) {
    this.connection = connection;
    this.imports = imports;
    this.folders = folders;
  }

  async listFolders(kind: MailboxFolderKind, signal: AbortSignal): Promise<TargetFolder[]> {
    if (this.folders !== null) return this.folders.listFolders(kind, signal);
    const base = path`/admin/exchange/mailboxes/${await this.mailboxId(signal)}/folders/delta`;
    const all: JsonObject[] = [];
    for await (const { value } of this.connection.pages({ path: base, headers: paged(200), signal }))
      all.push(...value.filter(isArchiveFolder));
    const root = rootOf(all);
    const found = all.map((folder) => archiveFolder(folder, root)).filter((folder) => folder.kind === kind);
    return found.map(({ id, name, parentId }) => ({ id, kind, name, parentId, role: null }));
  }

  async createFolder(folder: NewFolder, signal: AbortSignal): Promise<TargetFolder> {
    if (this.folders !== null) return this.folders.createFolder(folder, signal);
    throw new EngineError(
      'bad-request',
      `The archive has no folder '${folder.name}' any more, and Microsoft 365 lets no program make one there. Make it in Outlook and begin the restore again, or restore into a folder of the mailbox.`,
    );
  }

  async find(folderId: string, { properties }: TargetItem, signal: AbortSignal): Promise<FoundItem[]> {
    const identity = importIdentity(properties);
    const all = await this.items(folderId, signal);
    const same = all.filter((one) => one['id'] === properties['id'] || importIdentity(one) === identity);
    return same.flatMap((one) => {
      const id = textOf(one['id']);
      return id === undefined ? [] : [{ id, modifiedAt: dateOf(one['lastModifiedDateTime']) }];
    });
  }

  create(folderId: string, item: NewItem, signal: AbortSignal): Promise<Written> {
    return this.withinMemory(item, async () => {
      const all = await this.items(folderId, signal);
      const before = new Set(all.map(({ id }) => id));
      try {
        const id = await this.imports.write({ FolderId: folderId, Mode: 'create' }, item, signal);
        all.push({ ...item.properties, id, lastModifiedDateTime: null });
        return { id, losses: [] };
      } catch (error) {
        this.listed.delete(folderId);
        if (!(error instanceof EngineError) || error.code !== 'source-unreachable') throw error;
        // The item may have been imported, and the answer lost.
        const made = (await this.find(folderId, item, signal)).find(({ id }) => !before.has(id));
        if (made === undefined) throw error;
        return { id: made.id, losses: [] };
      }
    });
  }

  /** There is no other call than the import, which brings an item as it was. */
  async update(_folderId: string, id: string): Promise<Written> {
    return { id, losses: ['the marks that were asked for: an import takes none'] };
  }

  replace(folderId: string, id: string, item: NewItem, signal: AbortSignal): Promise<Written> {
    return this.withinMemory(item, async () => {
      const place = { FolderId: folderId, Mode: 'update', ItemId: id } as const;
      return { id: await this.imports.write(place, item, signal), losses: [] };
    });
  }

  /** An item that is found was imported, or is the original. */
  async isSame(): Promise<boolean> {
    return true;
  }

  /** Lists return too little to know: neither whether a message was read, nor whether a word of it changed. */
  async isUnchanged(): Promise<boolean> {
    return false;
  }

  /** Does nothing: an import leaves no part of an item, and a complete item is found and stays. */
  async delete(): Promise<void> {}

  private items(folderId: string, signal: AbortSignal): Promise<JsonObject[]> {
    const known = this.listed.get(folderId) ?? this.list(folderId, signal);
    this.listed.set(folderId, known);
    return known;
  }

  private async list(folderId: string, signal: AbortSignal): Promise<JsonObject[]> {
    const base = path`/admin/exchange/mailboxes/${await this.mailboxId(signal)}/folders/${folderId}/items`;
    try {
      return await this.drained(`${base}?${ITEM_QUERY}`, signal);
    } catch (error) {
      if (!(error instanceof GraphError) || error.status !== 400) throw error;
      return this.drained(base, signal);
    }
  }

  private async drained(call: string, signal: AbortSignal): Promise<JsonObject[]> {
    const all: JsonObject[] = [];
    for await (const { value } of this.connection.pages({ path: call, headers: paged(200), signal }))
      all.push(...value);
    return all;
  }

  private async mailboxId(signal: AbortSignal): Promise<string> {
    const id = await this.imports.mailboxId(signal);
    if (id !== null) return id;
    throw new EngineError(
      'source-gone',
      'Microsoft 365 gives out no such archive or mailbox. Give the application MailboxItem.ImportExport.All, or restore into a folder of a mailbox that has it.',
    );
  }
}
