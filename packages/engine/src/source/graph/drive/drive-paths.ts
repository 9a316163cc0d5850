import { path } from '../mailbox/mailbox-paths.ts';
import type { Container, ItemPlace } from '../reading-failures.ts';

/** Where a drive, an item and what belongs to it are asked for, below the version. */
export const drivePath = (driveId: string): string => path`/drives/${driveId}`;

/** The drive as the container of its items. */
export const driveContainer = (driveId: string): Container => {
  return { noun: 'drive', id: driveId, path: `${drivePath(driveId)}?$select=id` };
};

export const placeInDrive = (driveId: string, itemId: string): ItemPlace => {
  return { container: driveContainer(driveId), entity: { path: `${itemPath(driveId, itemId)}?$select=id` } };
};

export const itemPath = (driveId: string, itemId: string): string => path`/drives/${driveId}/items/${itemId}`;

export const versionPath = (driveId: string, itemId: string, versionId: string): string =>
  `${itemPath(driveId, itemId)}${path`/versions/${versionId}/content`}`;

/**
 * Of a delta: changed sharing counts as a change, and an item lists its sharing only where it is set and not where it is
 * inherited; https://learn.microsoft.com/graph/api/driveitem-delta#scanning-permissions-hierarchies
 */
export const DELTA_HEADERS = { prefer: 'hierarchicalsharing, deltashowsharingchanges' } as const;
