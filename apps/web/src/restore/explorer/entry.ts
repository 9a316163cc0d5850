/** What is in a restore point, whatever the application: mailboxes, folders, files, channels, messages and so on. */
export interface Entry {
  type: EntryType;
  name: string;
  /** The mailbox, OneDrive, site or team that it is in, or that it is. */
  objectId: string;
  objectName: string;
  /** Its id there; `null`: it is the object itself. */
  itemId: string | null;
  /** The channel, library or list that it is in. */
  within: string | null;
  /** Sender, author, or who changed it last. */
  from: string | null;
  date: string | null;
  sizeBytes: number | null;
  isDeleted: boolean;
  /** A few words more: an address, a version, a number of attachments. */
  detail: string | null;
  /** The restore point that has it; without: the one that is shown. */
  at?: string;
}

/** What has other entries in it. */
export const CONTAINER_TYPES = [
  'mailbox',
  'mail-folder',
  'calendar',
  'contact-folder',
  'task-list',
  'settings',
  'onedrive',
  'folder',
  'site',
  'subsites',
  'content',
  'library',
  'list',
  'pages',
  'team',
  'channel',
  'posts',
  'files',
  'tabs',
  'chats',
  'chat',
] as const;
export const ITEM_TYPES = [
  'message',
  'event',
  'contact',
  'task',
  'document',
  'item',
  'page',
  'post',
  'file',
  'tab',
  'chat-message',
] as const;
export type ContainerType = (typeof CONTAINER_TYPES)[number];
export type EntryType = ContainerType | (typeof ITEM_TYPES)[number];

/** Nodes that a site and a channel always have: they are opened, and not chosen. */
const FIXED: ReadonlySet<EntryType> = new Set(['subsites', 'content', 'pages', 'posts', 'files', 'tabs']);

export function isContainer({ type }: Pick<Entry, 'type'>): boolean {
  return CONTAINER_TYPES.some((container) => container === type);
}

export function isFixed({ type }: Pick<Entry, 'type'>): boolean {
  return FIXED.has(type);
}

/** Whether it has such nodes alone. */
export function hasFixedNodes(node: Pick<Entry, 'type'> | null): boolean {
  return node?.type === 'site' || node?.type === 'channel';
}

/** Unique in an explorer. */
export function keyOf({ type, objectId, itemId }: Pick<Entry, 'type' | 'objectId' | 'itemId'>): string {
  return `${type} ${objectId} ${itemId ?? ''}`;
}

const NO_SUBJECT = '(no subject)';
const NO_TEXT = '(no text)';
const SAID_IN_TEAMS: ReadonlySet<string> = new Set(['post', 'reply', 'chat-message']);

/** The name that is shown of an item: mail without one has no subject; what is said in Teams is named by its text. */
export function shownName(type: string, name: string): string {
  return name || (SAID_IN_TEAMS.has(type) ? NO_TEXT : NO_SUBJECT);
}

/** What an entry lacks that is shown by no name of its own; `null`: it has one. */
export function lackOf({ name }: Pick<Entry, 'name'>): 'subject' | 'text' | null {
  if (name === NO_SUBJECT) return 'subject';
  return name === NO_TEXT ? 'text' : null;
}

/** `B. Marsh` of `B. Marsh <marsh@partner.example>`: in a list the name says enough. */
export function personName(person: string): string {
  return person.replace(/\s*<[^<>]*>$/, '') || person;
}

/** An object with nothing known but its name. */
export function objectEntry(type: EntryType, id: string, name: string): Entry {
  return { ...NOTHING_KNOWN, type, name, objectId: id, objectName: name, itemId: null };
}

/** Something in the same object as another entry. */
export function entryIn(parent: Entry, type: EntryType, itemId: string, name: string): Entry {
  const { objectId, objectName, within } = parent;
  return { ...NOTHING_KNOWN, type, name, objectId, objectName, itemId, within };
}

const NOTHING_KNOWN = {
  within: null,
  from: null,
  date: null,
  sizeBytes: null,
  isDeleted: false,
  detail: null,
} as const;
