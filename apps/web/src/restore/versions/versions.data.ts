import type { ItemPreview } from '@keepwatch/contract/restore/previews';
import { type ItemVersion, listItemVersions } from '@keepwatch/contract/restore/versions';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../kit/portal.tsx';
import { RESTORE_KEY } from '../points/points.data.ts';
import { VERSION } from '../preview/item-parts.tsx';
import type { Looked } from '../preview/item-preview.data.ts';

/** An item as it was once: as restore points have it, or as SharePoint stored an earlier version of a file with it. */
export interface Side {
  key: string;
  of: Looked;
  sizeBytes: number;
  modifiedAt: string | null;
  by: string | null;
  /** The restore points that have it; `null` for a version that SharePoint stored. */
  seen: Pick<ItemVersion, 'firstBackupTime' | 'lastBackupTime' | 'restorePoints'> | null;
  /** The label that SharePoint gave it. */
  label: string | null;
  name: string;
  path: readonly string[];
  isShown: boolean;
}

export function useVersions(sessionId: string, { objectId, itemId }: Looked) {
  const api = useApi();
  return useQuery({
    queryKey: [...RESTORE_KEY, 'versions', sessionId, objectId, itemId],
    queryFn: ({ signal }) =>
      api.request(listItemVersions, { params: { restoreSessionId: sessionId }, query: { objectId, itemId } }, signal),
  });
}

/** All versions of an item, newest first: those of restore points, then those that SharePoint stored with the one that is shown. */
export function sidesOf(
  { objectId, itemId }: Looked,
  versions: readonly ItemVersion[],
  { parts, name }: ItemPreview,
): Side[] {
  const stored = parts.filter(({ what }) => what === 'earlier-version');
  return [
    ...versions.map((version) => ({
      ...version,
      key: String(version.version),
      of: { objectId, itemId, version: version.version },
      by: version.modifiedBy,
      seen: version,
      label: null,
    })),
    ...stored.map(({ id, sizeBytes, modifiedAt }) => ({
      key: id,
      of: { objectId, itemId, part: id },
      ...{ sizeBytes, modifiedAt, name },
      by: null,
      seen: null,
      label: id.slice(VERSION.length),
      path: [],
      isShown: false,
    })),
  ];
}

/** Which two are beside each other at first: the one that is shown, and the one before it. */
export function firstPair(sides: readonly Side[]): readonly [older: string, newer: string] | null {
  const at = Math.max(
    0,
    sides.findIndex(({ isShown }) => isShown),
  );
  const [newer, older] = at + 1 < sides.length ? [sides[at], sides[at + 1]] : [sides[at - 1], sides[at]];
  return newer === undefined || older === undefined ? null : [older.key, newer.key];
}
