import { EngineError } from '../model/engine-error.ts';
import type { ContentName, ItemKind } from '../model/items.ts';
import type { ObjectKind } from '../model/protected-object.ts';

/**
 * Where items are written back: Microsoft 365 through Graph, or a target made for tests. What comes back equals what went in, as far as
 * the vendor lets anybody write it; what it does not is told in `Written.losses`.
 *
 * A target holds no state of a restore: who restores finds out with `find` what is there already, so that a restore that was
 * broken off can be begun anew without doubles. Refusals are `EngineError`s: `not-found`, `consent-missing`, `source-refused`, ….
 * What concerns one item leaves the others alone.
 */
export interface Target {
  readonly organizationId: string;
  /** Nothing is asked before the first call. */
  mailbox(which: MailboxOf): MailboxTarget;
  close(): Promise<void>;
}

/** A person has two: it is always said which, so that nothing of an archive gets among the mail that the person works with. */
export interface MailboxOf {
  kind: Extract<ObjectKind, 'mailbox' | 'archive'>;
  /** Or address of the user. */
  id: string;
}

export type MailboxFolderKind = Extract<ItemKind, 'mail-folder' | 'calendar' | 'contact-folder' | 'task-list'>;
export type MailboxItemKind = Extract<ItemKind, 'message' | 'event' | 'contact' | 'task'>;

export interface TargetFolder {
  id: string;
  kind: MailboxFolderKind;
  name: string;
  /** `null` at the top: calendars and task lists do not lie within each other. */
  parentId: string | null;
  /** As in `ItemDetails.role`: `inbox`, `sentitems`, …; `default` for the standard calendar, contact folder and task list. */
  role: string | null;
}

export interface MailboxTarget {
  /** All folders of a kind, those above before those below; hidden ones too. */
  listFolders(kind: MailboxFolderKind, signal: AbortSignal): Promise<TargetFolder[]>;

  /** Makes a folder, or gives the one of that name that is there already, in the same place. */
  createFolder(folder: NewFolder, signal: AbortSignal): Promise<TargetFolder>;

  /**
   * Items of a folder that are the given one, whatever has become of them since: messages by their Internet message id (without one by
   * subject and time), events by subject, start and end, contacts by name and first address, tasks by title and creation.
   */
  find(folderId: string, item: TargetItem, signal: AbortSignal): Promise<FoundItem[]>;

  /**
   * Writes a new item. A message arrives with its dates, and as what it was, sent or draft, where that can be; nobody is sent anything: attendees of
   * events get no invitation. Attachments of any size are written. When it rejects, nothing half-written is left.
   */
  create(folderId: string, item: NewItem, signal: AbortSignal): Promise<Written>;

  /** Gives an item that exists what of the stored one can be changed: flags, categories, importance, … ; all of a contact, event or task. */
  update(folderId: string, id: string, item: NewItem, signal: AbortSignal): Promise<Written>;

  /**
   * Makes an item that exists what was stored. Where that takes a new item, it is written before the other goes, and has another id. What of it is
   * not what was stored even so is told in `Written.losses`.
   * @throws EngineError `source-refused`, and changes nothing, where what was stored cannot be had again
   */
  replace(folderId: string, id: string, item: NewItem, signal: AbortSignal): Promise<Written>;

  /**
   * Whether a found item says what is stored and nothing beside, whole or half-written: who takes it away and writes the stored one loses
   * nothing. Of one that is not there that is so.
   */
  isSame(folderId: string, id: string, item: NewItem, signal: AbortSignal): Promise<boolean>;

  /**
   * Whether a found item is what is stored, as far as it could be written here: to replace it would change nothing. Texts count by what people read, since
   * servers put them into markup of their own. Where that cannot be told, or it is not there, that is not so.
   */
  isUnchanged(folderId: string, id: string, item: NewItem, signal: AbortSignal): Promise<boolean>;

  /** An item that is not there is no error. */
  delete(folderId: string, id: string, kind: MailboxItemKind, signal: AbortSignal): Promise<void>;
}

export interface NewFolder {
  kind: MailboxFolderKind;
  name: string;
  parentId: string | null;
}

export interface TargetItem {
  kind: MailboxItemKind;
  /** The content `properties`, parsed. */
  properties: Readonly<Record<string, unknown>>;
}

export interface NewItem extends TargetItem {
  /** The other contents as they are stored: `mime`, `export`, `attachments/<id>`, …. Each may be opened more than once. */
  contents: readonly TargetContent[];
}

export interface TargetContent {
  name: ContentName;
  sizeBytes: number;
  open(): AsyncIterable<Uint8Array>;
}

export interface FoundItem {
  id: string;
  /** When it was changed last at the target. */
  modifiedAt: Date | null;
  /** By what was told in passing it is not what is stored, and `isUnchanged` need not be asked. Whose instant is that of the stored one is that all the same. */
  differs?: boolean;
}

export interface Written {
  id: string;
  /** For people: what of the item the vendor did not take, such as `the organizer`. Empty: it is what it was. */
  losses: readonly string[];
}

/** Somebody made an item of that name since it was looked for: what to do about it is to be decided anew. */
export class NameTakenError extends EngineError {
  constructor(cause: unknown) {
    super('source-refused', 'Somebody made another item of that name meanwhile. Begin the restore again.', { cause });
  }
}
