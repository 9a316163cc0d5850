import type { ItemVersion as VersionRow } from '@keepwatch/contract/restore/versions';
import type { ItemVersion, ListedRestorePoint } from '@keepwatch/engine/engine';
import { instantText } from '../explorers/browse-object.ts';
import type { FoundObject } from '../sessions/session-objects.ts';
import type { FoundVersion } from './look-at-item.ts';

const VERSIONS_MAX = 1_000;
const POINTS_A_PAGE = 1_000;
const POINTS_MAX = 10_000;

interface VersionRows {
  data: VersionRow[];
  restorePoints: number;
  firstBackupTime: string | null;
  lastBackupTime: string | null;
}

/** The versions of an item with the restore points that have them, and how many restore points the object has. */
export async function versionRows({ found, item }: FoundVersion): Promise<VersionRows> {
  const { stored, object } = found;
  const versions = (await stored.catalog.versionsOf(object.key, item.id)).slice(0, VERSIONS_MAX);
  const points = await pointsOf(found);
  const paths = new Map<string, Promise<string[]>>();
  const data = versions.map(async (version) => {
    const key = `${version.parentId} ${version.firstRevision}`;
    const path = paths.get(key) ?? pathOf(found, version);
    paths.set(key, path);
    return row(version, await path, points, version.firstRevision === item.firstRevision);
  });
  return {
    data: await Promise.all(data),
    restorePoints: points.length,
    firstBackupTime: instantText(points.at(-1)?.finishedAt),
    lastBackupTime: instantText(points[0]?.finishedAt),
  };
}

type Point = Pick<ListedRestorePoint, 'finishedAt'> & { revision: number };

/** The restore points of an object, newest first. */
async function pointsOf({ stored: { catalog }, object: { key } }: FoundObject): Promise<Point[]> {
  const points: Point[] = [];
  for (let offset = 0; offset < POINTS_MAX; offset += POINTS_A_PAGE) {
    const page = await catalog.listRestorePoints({ object: key, limit: POINTS_A_PAGE, offset });
    for (const { finishedAt, revision } of page) if (revision !== null) points.push({ finishedAt, revision });
    if (page.length < POINTS_A_PAGE) break;
  }
  return points;
}

function row(version: ItemVersion, path: string[], points: readonly Point[], isShown: boolean): VersionRow {
  const { name, sizeBytes, modifiedAt, details, firstRevision, lastRevision } = version;
  const having = points.filter(
    ({ revision }) => firstRevision <= revision && revision <= (lastRevision ?? Number.POSITIVE_INFINITY),
  );
  return {
    version: firstRevision,
    name,
    path,
    sizeBytes,
    modifiedAt: instantText(modifiedAt),
    modifiedBy: details.from ?? null,
    firstBackupTime: instantText(having.at(-1)?.finishedAt),
    lastBackupTime: instantText(having[0]?.finishedAt),
    restorePoints: having.length,
    isShown,
    isCurrent: lastRevision === null,
  };
}

/** Deeper folders are not named; no source has them, and a loop ends here. */
const DEPTH_MAX = 64;

async function pathOf({ stored: { catalog }, object }: FoundObject, version: ItemVersion): Promise<string[]> {
  const revision = version.lastRevision ?? object.revision;
  const names: string[] = [];
  for (let { parentId } = version; parentId !== null && names.length < DEPTH_MAX; ) {
    const parent = await catalog.item(object.key, revision, parentId);
    if (parent === null) break;
    names.unshift(parent.name);
    parentId = parent.parentId;
  }
  return names;
}
