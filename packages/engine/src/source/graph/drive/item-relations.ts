import type { JsonObject } from '../json.ts';
import type { Reading } from '../reader.ts';
import { repliesTo } from '../reading-failures.ts';
import { firstOfList, wholeList } from '../whole-list.ts';
import { itemPath } from './drive-paths.ts';

/** What an item's entity does not contain, where it is requested. */
export interface Relations {
  /** Of an item that is itself shared: all that apply to it. */
  permissions: JsonObject[] | null;
  /** Newest first, the current one among them. */
  versions: JsonObject[] | null;
  /** How many versions were listed beyond those. */
  versionsBeyond: number;
}

export interface RequestedRelations {
  id: string;
  permissions: boolean;
  /** The most versions to read, including the current one; 0 for none. */
  versionsMax: number;
}

/**
 * Asks for what several items want, in batches.
 * @returns for each its relations, or the refusal of one of its calls
 */
export async function readRelations(
  reading: Reading,
  requested: readonly RequestedRelations[],
): Promise<(Relations | { error: Error })[]> {
  const { connection, request } = reading;
  const calls: { path: string }[] = [];
  const indexOf = (isRequested: boolean, path: string) => (isRequested ? calls.push({ path }) - 1 : null);
  const places = requested.map(({ id, permissions, versionsMax }) => {
    const path = itemPath(request.object.id, id);
    return {
      permissions: indexOf(permissions, `${path}/permissions`),
      versions: indexOf(versionsMax > 0, `${path}/versions`),
      versionsMax,
    };
  });
  const replies = await repliesTo(connection, calls, request.signal);
  return Promise.all(
    places.map(async ({ permissions, versions, versionsMax }) => {
      try {
        const shared = permissions === null ? null : await wholeList(connection, replies[permissions], request.signal);
        if (versions === null) return { permissions: shared, versions: null, versionsBeyond: 0 };
        const listed = await firstOfList(connection, replies[versions], request.signal, versionsMax);
        return { permissions: shared, versions: listed.first, versionsBeyond: listed.beyond };
      } catch (error) {
        return { error: error instanceof Error ? error : new Error(String(error)) };
      }
    }),
  );
}
