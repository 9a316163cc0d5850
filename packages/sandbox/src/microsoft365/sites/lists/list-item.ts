import type { IdentitySet } from '../../drives/identity-set.ts';
import type { DriveItem } from '../../drives/items/drive-item.ts';

export interface ListItemVersion {
  /** Such as `2.0`. */
  id: string;
  modifiedBy: IdentitySet;
  modifiedMs: number;
  fields: Record<string, unknown>;
}

/** A row of a list; in a library, the row of a file or folder. */
export interface ListItem {
  /** Number within the list. */
  id: string;
  uniqueId: string;
  contentTypeId: string;
  createdBy: IdentitySet;
  createdMs: number;
  modifiedBy: IdentitySet;
  modifiedMs: number;
  revision: number;
  fields: Record<string, unknown>;
  hasAttachments: boolean;
  /** Newest first; the first is the current one. */
  versions: ListItemVersion[];
  driveItem: DriveItem | undefined;
}
