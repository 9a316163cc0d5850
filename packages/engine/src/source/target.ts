import { EngineError } from '../model/engine-error.ts';
import type { ContentName, ItemKind } from '../model/items.ts';
import type { ObjectKind } from '../model/protected-object.ts';

/**
 * Where items are restored to: Microsoft 365 through Graph, or a target made for tests. What comes back equals what was stored, as far as
 * the vendor lets it be written; the rest is reported in `Written.losses`.
 *
 * A target has no state of a restore: the restore finds with `find` what is there already, so that one that was interrupted can be
 * started again without duplicates. Refusals are `EngineError`s: `not-found`, `consent-missing`, `source-refused`, ….
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
  /** `null` at the top: calendars and task lists are not nested. */
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
   * Writes a new item. A message arrives with its dates, and as what it was, sent or draft, where that can be. Nothing is sent to anyone: attendees of
   * events get no invitation. Attachments of any size are written. When it rejects, nothing half-written is left.
   */
  create(folderId: string, item: NewItem, signal: AbortSignal): Promise<Written>;

  /** Gives an item that exists what of the stored one can be changed: flags, categories, importance, … ; all of a contact, event or task. */
  update(folderId: string, id: string, item: NewItem, signal: AbortSignal): Promise<Written>;

  /**
   * Makes an item that exists what was stored. Where that takes a new item, it is written before the other goes, and has another id. What still
   * differs from what was stored is reported in `Written.losses`.
   * @throws EngineError `source-refused`, and changes nothing, where what was stored cannot be had again
   */
  replace(folderId: string, id: string, item: NewItem, signal: AbortSignal): Promise<Written>;

  /**
   * Whether a found item says what is stored and nothing beside, whole or half-written: who takes it away and writes the stored one loses
   * nothing. Of one that is not there that is so.
   */
  isSame(folderId: string, id: string, item: NewItem, signal: AbortSignal): Promise<boolean>;

  /**
   * Whether a found item is what is stored, as far as it could be written here: to replace it would change nothing. Texts are compared by what users
   * read, since servers put them into markup of their own. `false` where that cannot be decided, or the item is not there.
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
  /**
   * The search already showed that it differs from what is stored, so `isUnchanged` need not be asked. An item with the stored instant counts as
   * unchanged nonetheless.
   */
  differs?: boolean;
}

export interface Written {
  id: string;
  /** For people: what of the item the vendor did not take, such as `the organizer`. Empty: it is what it was. */
  losses: readonly string[];
}

/** Another item of that name was created since it was looked for: the caller decides again what to do. */
export class NameInUseError extends EngineError {
  constructor(cause: unknown) {
    super('source-refused', 'Another item with that name was created meanwhile. Start the restore again.', { cause });
  }
}
