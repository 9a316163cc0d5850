import { CONTAINER_TYPES, type Entry, type EntryType, entryIn, ITEM_TYPES, objectEntry } from './entry.ts';

const TYPES: readonly EntryType[] = [...CONTAINER_TYPES, ...ITEM_TYPES];
/** What an explorer has at its top. */
export const OBJECTS: ReadonlySet<EntryType> = new Set(['mailbox', 'onedrive', 'site', 'team', 'chats']);
/** What the ids of the entries in it are used with. */
const WITHIN: ReadonlySet<EntryType> = new Set(['channel', 'library', 'list', 'pages', 'chat']);

/** A path from the top to a node as an address says it, a text for each node. */
export function writePath(path: readonly Entry[]): readonly string[] {
  return path.map(({ type, objectId, itemId, name }) => `${type}~${encodeURIComponent(itemId ?? objectId)}~${name}`);
}

/** Reads it. What is malformed ends the path: a link that was cut leads as far as it says. */
export function readPath(texts: readonly string[]): Entry[] {
  const path: Entry[] = [];
  for (const text of texts) {
    const node = readNode(text, path.at(-1));
    if (node === null) break;
    path.push(node);
  }
  return path;
}

function readNode(text: string, parent: Entry | undefined): Entry | null {
  const [name, id, ...words] = text.split('~');
  const type = TYPES.find((known) => known === name);
  const itemId = decoded(id ?? '');
  if (type === undefined || itemId === '') return null;
  const shown = words.join('~') || itemId;
  if (OBJECTS.has(type)) return objectEntry(type, itemId, shown);
  if (parent === undefined) return null;
  const entry = entryIn(parent, type, itemId, shown);
  return WITHIN.has(type) ? { ...entry, within: itemId } : entry;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Folders: what a search can be narrowed to. */
const SEARCHABLE: ReadonlySet<EntryType> = new Set([
  'mail-folder',
  'calendar',
  'contact-folder',
  'task-list',
  'folder',
  'library',
  'list',
  'channel',
  'posts',
  'chat',
]);

/** Whether a search looks into it alone, with all below it. */
export function isSearchable({ type }: Pick<Entry, 'type'>): boolean {
  return SEARCHABLE.has(type);
}

/** The item that is open beside the list, as an address says it. */
export type OpenItem = Pick<Entry, 'type' | 'objectId' | 'within'> & { itemId: string };

export function writeOpen({ type, objectId, itemId, within }: OpenItem): string {
  return [type, objectId, itemId, ...(within === null ? [] : [within])].map(encodeURIComponent).join('~');
}

export function readOpen(text: string): OpenItem | null {
  const [name = '', objectId = '', itemId = '', within = null] = text.split('~').map(decoded);
  const type = TYPES.find((known) => known === name);
  return type === undefined || objectId === '' || itemId === '' ? null : { type, objectId, itemId, within };
}
