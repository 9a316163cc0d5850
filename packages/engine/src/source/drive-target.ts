import type { FoundItem, TargetContent } from './target.ts';

/**
 * Where files are restored to: a OneDrive or a document library. Like `MailboxTarget`, it has no state of a restore, and a refusal
 * concerns one item only.
 */
export interface DriveTarget {
  /** The folder at the top. */
  rootId(signal: AbortSignal): Promise<string>;
  /** The files and folders directly in a folder. */
  children(folderId: string, signal: AbortSignal): Promise<FoundChild[]>;
  /** Makes a folder; one of that name that is there already is given instead. */
  createFolder(parentId: string, folder: NewFolderEntry, signal: AbortSignal): Promise<FoundChild>;
  /**
   * Writes a file under a name that is free, or over the file of an id, whose bytes then become an earlier version. Bytes of any size;
   * a file that is there is whole.
   * @throws NameInUseError when the name is not free (any more); nothing was changed
   */
  write(place: FilePlace, bytes: TargetContent, times: FileTimes, signal: AbortSignal): Promise<FoundChild>;
  /** What `FoundChild.hash` is of a file of these bytes. */
  hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string>;
  /** Shares an item as it was shared, without notifying anyone. @returns what could not be shared, as text for users */
  share(id: string, permissions: readonly unknown[], signal: AbortSignal): Promise<string[]>;
  /** An item that is not there is no error. */
  delete(id: string, signal: AbortSignal): Promise<void>;
}

/** Either a new name in a folder, or a file that exists. */
export type FilePlace = { folderId: string; name: string } | { id: string };

export interface FoundChild extends FoundItem {
  name: string;
  isFolder: boolean;
  sizeBytes: number;
  /** The hash that the drive reports for the bytes; `null` where it reports none. */
  hash: string | null;
}

/** What the person's own program said of the file; the drive keeps its own times beside. ISO 8601. */
export interface FileTimes {
  createdDateTime?: string;
  lastModifiedDateTime?: string;
}

export interface NewFolderEntry {
  name: string;
  times: FileTimes;
}
