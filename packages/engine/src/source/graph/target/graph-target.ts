import type {
  FoundItem,
  MailboxItemKind,
  MailboxTarget,
  NewFolder,
  NewItem,
  Target,
  TargetItem,
} from '../../target.ts';
import type { GraphConnection } from '../connection.ts';
import { writeContact } from './contact-writer.ts';
import { writeEvent } from './event-writer.ts';
import { findItems } from './find-items.ts';
import { openGraphArchive } from './imported-mailbox.ts';
import { ItemImport } from './item-import.ts';
import { type MailboxWriting, pathOfItem, takeAway } from './mailbox-writing.ts';
import { itemMemory } from './memory.ts';
import { writeMessage } from './message-writer.ts';
import { replaceMessage } from './replace-message.ts';
import { isSameItem } from './same-item.ts';
import { createFolder, listFolders } from './target-folders.ts';
import { writeTask } from './task-writer.ts';
import { isUnchangedItem, leftOver } from './unchanged-item.ts';
import { isUnchangedMessage } from './unchanged-message.ts';
import { replaceEvent, updateEvent } from './update-event.ts';

/** Microsoft 365 as a target, over a connection of an application or of who signed in. */
export function openGraphTarget(connection: GraphConnection): Target {
  return {
    organizationId: connection.tenantId,
    mailbox: ({ kind, id }) =>
      kind === 'archive' ? openGraphArchive(connection, id) : new GraphMailbox(connection, id),
    close: async () => undefined,
  };
}

const WRITERS = { message: writeMessage, event: writeEvent, contact: writeContact, task: writeTask } as const;

class GraphMailbox implements MailboxTarget {
  private readonly writing: MailboxWriting;
  private readonly imports: ItemImport;
  private readonly withinMemory = itemMemory();

  constructor(connection: GraphConnection, user: string) {
    this.writing = { connection, user };
    this.imports = new ItemImport(this.writing);
  }

  listFolders(kind: NewFolder['kind'], signal: AbortSignal) {
    return listFolders(this.writing, kind, signal);
  }

  createFolder(folder: NewFolder, signal: AbortSignal) {
    return createFolder(this.writing, folder, signal);
  }

  find(folderId: string, item: TargetItem, signal: AbortSignal): Promise<FoundItem[]> {
    return findItems(this.writing, folderId, item, signal);
  }

  /** The server's own form brings back all of an item, so it goes first; the rest is for where it is not accepted. */
  create(folderId: string, item: NewItem, signal: AbortSignal) {
    return this.withinMemory(item, async () => {
      const imported = await this.imports.create(folderId, item, signal);
      if (imported !== null) return { id: imported, losses: [] };
      return WRITERS[item.kind](this.writing, { folderId, id: null }, item, signal);
    });
  }

  update(folderId: string, id: string, item: NewItem, signal: AbortSignal) {
    const write = item.kind === 'event' ? updateEvent : WRITERS[item.kind];
    return this.withinMemory(item, () => write(this.writing, { folderId, id }, item, signal));
  }

  /** Only a message can be written a second time beside the other: the deletion of a meeting is mailed to its guests. */
  async replace(folderId: string, id: string, item: NewItem, signal: AbortSignal) {
    const { kind } = item;
    if (kind === 'event')
      return this.withinMemory(item, () =>
        replaceEvent(this.writing, this.imports, { folderId, id }, { ...item, kind }, signal),
      );
    if (kind !== 'message') {
      const { losses } = await this.update(folderId, id, item, signal);
      const left = await leftOver(this.writing, { folderId, id }, { ...item, kind }, signal);
      return { id, losses: [...losses, ...left] };
    }
    return this.withinMemory(item, async () => {
      const imported = await this.imports.create(folderId, item, signal);
      if (imported === null) return replaceMessage(this.writing, { folderId, id }, item, signal);
      await this.delete(folderId, id, item.kind, signal);
      return { id: imported, losses: [] };
    });
  }

  isSame(folderId: string, id: string, item: NewItem, signal: AbortSignal) {
    return isSameItem(this.writing, { folderId, id }, item, signal);
  }

  isUnchanged(folderId: string, id: string, item: NewItem, signal: AbortSignal): Promise<boolean> {
    const { kind } = item;
    if (kind !== 'message') return isUnchangedItem(this.writing, { folderId, id }, { ...item, kind }, signal);
    return this.withinMemory(item, async () => {
      const isImported = await this.imports.alwaysAccepts(item, signal);
      return isUnchangedMessage(this.writing, { folderId, id }, item, isImported, signal);
    });
  }

  async delete(folderId: string, id: string, kind: MailboxItemKind, signal: AbortSignal): Promise<void> {
    const { connection, user } = this.writing;
    await takeAway(connection, pathOfItem(user, kind, id, folderId), signal);
  }
}
