import type { RestoreOperation, RestoreOptions } from '@keepwatch/contract/restore/explorer';
import type { FoundItem } from '@keepwatch/contract/restore/items';
import type { RestorePoint, SessionType } from '@keepwatch/contract/restore/sessions';
import type { Api } from '../../kit/api.ts';
import { type Entry, type EntryType, objectEntry } from './entry.ts';

/** Where rows of a list begin, and how many there are at most. */
export interface Range {
  limit: number;
  offset: number;
  /** Behind which row, as the link of the page before says: with it the offset only counts. */
  after?: string;
}

/** A page of a list. */
export interface EntryPage {
  entries: Entry[];
  /** Where the next page begins; `null`: this was the last. */
  next: Range | null;
}

export const ENTRY_SORTS = ['name', '-name', 'date', '-date', 'size', '-size'] as const;
export type EntrySort = (typeof ENTRY_SORTS)[number];

/** What a page is read for. */
export interface Reading {
  sessionId: string;
  range: Range;
  sort: EntrySort;
  /** Of the list at the top: what the names have in them. */
  search: string;
}

/** One list of what is in a node; a node can have several, one after another. */
export interface Source {
  /** Distinguishes the lists of a node. */
  key: 'fixed' | 'containers' | 'items' | 'mixed';
  read: (api: Api, reading: Reading, signal: AbortSignal) => Promise<EntryPage>;
}

/** Where something is restored to; `null`: where it was. */
export interface Destination {
  /** A person, OneDrive, team or site address. */
  to: string | null;
}

/** How something is restored. */
export interface RestoreWish extends Destination {
  options: RestoreOptions;
  planOnly: boolean;
  /** For the list of restores. */
  pathName: string;
}

/** One call that restores some of what was chosen. */
export interface RestoreRequest {
  name: string;
  start: (api: Api, sessionId: string, wish: RestoreWish) => Promise<RestoreOperation>;
}

export interface DownloadWish {
  format: string;
  fileName: string;
  downloadInBackground: boolean;
}

/** One call that saves some of what was chosen as a file. */
export interface DownloadRequest {
  name: string;
  formats: readonly DownloadFormat[];
  start: (api: Api, sessionId: string, wish: DownloadWish) => Promise<Blob>;
  /** How much it is; none where the server does not say. */
  weigh: ((api: Api, sessionId: string) => Promise<{ items: number; sizeBytes: number }>) | null;
}

export const DOWNLOAD_FORMATS = ['pst', 'msg', 'eml', 'zip'] as const;
export type DownloadFormat = (typeof DOWNLOAD_FORMATS)[number];

/** An application whose restore points are explored. All of its screen follows from this. */
export interface RestoreApplication {
  sessionType: SessionType;
  title: string;
  /** What is at the top. */
  objects: { type: EntryType; one: string; many: string };
  /** Beside the tree: what its names are looked for in. */
  findLabel?: string;
  /** What a restore elsewhere asks for. `targetOf`: how the calls name one of the objects as the target; `null`: it is none. */
  destination: { label: string; description: string; targetOf: (object: Entry) => string | null };
  /** Of the list: what its second column is called. */
  fromTitle: string;
  dateTitle: string;
  /** Whether a restore point has anything of it. */
  has: (point: RestorePoint) => boolean;
  /** What is in a node; at the top for `null`. */
  sourcesOf: (node: Entry | null) => readonly Source[];
  /** Of an object whose id a search or a comparison names; without: that of `objects`. */
  objectTypeOf?: (objectId: string) => EntryType;
  /** Why it cannot be restored, as a sentence; `null`: it can. */
  refusesRestore?: (entry: Pick<Entry, 'type'>) => string | null;
  /** Why it is not saved as a file; `null`: it is. */
  refusesDownload?: (entry: Pick<Entry, 'type'>) => string | null;
  restoresOf: (chosen: readonly Entry[]) => readonly RestoreRequest[];
  downloadsOf: (chosen: readonly Entry[]) => readonly DownloadRequest[];
  /** The type of an entry that a search found, and of the folder that it is in. */
  typesOf: (found: FoundItem) => { item: EntryType; folder: EntryType };
  /** Files that are larger are made in the background alone; `null`: each is sent as it is read (docs/decisions/0046). */
  atOnceBytesMax: number | null;
  /** Options of a restore that mean something here. */
  options: readonly RestoreOption[];
}

export type RestoreOption =
  | 'markRestored'
  | 'markRestoredAsUnread'
  | 'excludeDeletedItems'
  | 'excludeDrafts'
  | 'documentVersion'
  | 'restorePermissions'
  | 'folder';

/** The object in which something was found. */
export function foundObject({ objects, objectTypeOf }: RestoreApplication, id: string, name: string): Entry {
  return objectEntry(objectTypeOf?.(id) ?? objects.type, id, name);
}
