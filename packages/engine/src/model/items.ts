/** What an item is. A kind never changes its meaning: it is in repositories for as long as those exist. */
export const ITEM_KINDS = [
  // mailbox, archive
  'mail-folder',
  'message',
  'calendar',
  'event',
  'contact-folder',
  'contact',
  'task-list',
  'task',
  // drive
  'folder',
  'file',
  // site
  'subsite',
  'list',
  'list-column',
  'content-type',
  'list-item',
  'page',
  // team
  'channel',
  'post',
  'reply',
  'tab',
  'member',
  'app',
  // chats
  'chat',
  'chat-message',
  // team: its own settings
  'team',
  // mailbox: what its person has set up
  'settings',
  'mailbox-settings',
  'inbox-rule',
  'category',
  'calendar-permission',
  // planner
  'plan',
  'plan-bucket',
  'plan-task',
  // site: who has which role, of the site, a list or a row
  'role-assignments',
] as const;

export type ItemKind = (typeof ITEM_KINDS)[number];

/** Kinds that hold others: what a tree shows as a node. */
export const CONTAINER_KINDS: ReadonlySet<ItemKind> = new Set<ItemKind>([
  'mail-folder',
  'calendar',
  'contact-folder',
  'task-list',
  'folder',
  'list',
  'channel',
  'chat',
  'settings',
  'plan',
  'plan-bucket',
]);

/** What a person has set up in a mailbox: no program shows it as an item. */
export const SETTING_KINDS = ['mailbox-settings', 'inbox-rule', 'category', 'calendar-permission'] as const;

export type SettingKind = (typeof SETTING_KINDS)[number];

export const isSetting = (kind: ItemKind): kind is SettingKind => SETTING_KINDS.some((one) => one === kind);

/**
 * What lists and search show of an item; all of it is optional and small. Instants are ISO 8601 in UTC.
 * All that the source reported is in the content `properties`.
 */
export interface ItemDetails {
  /** `Display <address>` of who sent, organized, posted or last changed it. */
  from?: string;
  to?: string[];
  cc?: string[];
  bcc?: string[];
  sentAt?: string;
  receivedAt?: string;
  createdAt?: string;
  startsAt?: string;
  endsAt?: string;
  hasAttachments?: boolean;
  attachmentNames?: string[];
  isRead?: boolean;
  isDraft?: boolean;
  importance?: string;
  categories?: string[];
  /** `IPM.Note`, `IPM.Appointment`, … where known. */
  itemClass?: string;
  /** `inbox`, `sentitems`, … of a mail folder; `standard`, `private`, `shared` of a channel; template of a list. */
  role?: string;
  contentType?: string;
  /** Version label of a file or list item, such as `3.0`. */
  version?: string;
  /** How many earlier versions are stored with it. */
  versionCount?: number;
  webUrl?: string;
  /** What the source changes whenever the bytes change, such as a drive's `cTag`: equal tags mean equal `file` contents. */
  tag?: string;
  /** An item of a folder that does not count as lost, but has no bytes: a OneNote package, a link to another drive. */
  without?: string;
}

/** A range of a chunk: id, first byte, count of bytes. */
export type ChunkRange = readonly [chunk: string, start: number, length: number];

/** A range as it is, or ranges whose joined bytes come as base64 in lines; see docs/repository-format.md, 7. */
export type Segment =
  | ChunkRange
  | { readonly base64: number; readonly end: 'crlf' | 'lf'; readonly of: readonly ChunkRange[] };

/** Names of contents; those with an id carry it behind the slash. */
export type ContentName =
  | 'properties'
  | 'mime'
  | 'export'
  | 'file'
  | `versions/${string}`
  | `attachments/${string}`
  | `hosted/${string}`;

/** A named run of bytes of an item, as it is in the repository. */
export type StoredContent = { readonly name: ContentName; readonly sizeBytes: number } & (
  | { readonly segments: readonly Segment[] }
  | { readonly list: readonly Segment[] }
);

/** An item as the source has it, without its bytes. */
export interface Item {
  /** Unique in its object. */
  id: string;
  kind: ItemKind;
  /** The item that it is in; `null` at the top of its object. */
  parentId: string | null;
  /** Subject, file name, display name. */
  name: string;
  /** The size that a person would see. */
  sizeBytes: number;
  modifiedAt: Date | null;
  details: ItemDetails;
}

/** An item as it was in one or more revisions of its object. */
export interface StoredItem extends Item {
  contents: readonly StoredContent[];
}

/** A row of the catalog: current in `firstRevision` and all after it up to `lastRevision` (`null`: still). */
export interface ItemVersion extends StoredItem {
  firstRevision: number;
  lastRevision: number | null;
  /** When it stopped being current: the instant of the commit that ended it. */
  endedAt: Date | null;
}
