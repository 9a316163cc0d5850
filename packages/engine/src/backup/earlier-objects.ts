import type { CatalogObject, RepositoryCatalog } from '../catalog/catalog.ts';
import { forEachAtOnce } from '../model/for-each-at-once.ts';
import type { ObjectFlag } from '../model/outcome.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { FoundSubject, Selection } from '../source/source.ts';
import { Coverage, type FormerSites } from './coverage.ts';

/** The objects of a job's last restore point, by key, as far as the catalog still has them. */
export type EarlierObjects = ReadonlyMap<string, { revision: number; flag: ObjectFlag | null; isStopped: boolean }>;

/** What a job's last restore point says. */
export interface EarlierPoint {
  objects: EarlierObjects;
  /** Keys of objects of which it was not known whether they are there. */
  unknown: ReadonlySet<string>;
  formerSites: FormerSites;
}

/** An object that this run did not read, and the restore point has all the same. */
export interface CarriedObject {
  object: CatalogObject;
  flag: ObjectFlag;
  /** That it is not in the organization's lists any more, and no run before this one has said so. */
  isNews: boolean;
}

/** An object that may be there, with what a person should know of that. */
export interface UnknownObject {
  name: string;
  message: string;
}

/** What a listing came to. */
export interface Listed {
  keys: ReadonlySet<string>;
  /** What the selected and excluded items were found to be. */
  found: readonly FoundSubject[];
  /** Subjects that could not be asked, and items that could not be looked up: `user/<id>`. */
  refused: ReadonlySet<string>;
  /** Objects that may be there, by key. */
  unknown: ReadonlyMap<string, UnknownObject>;
  /** As they were before this run, of those that have another address by now. */
  moved: readonly ProtectedObject[];
  /** Whether all was listed that was not refused. */
  isWhole: boolean;
}

const LOOKUPS_AT_ONCE = 8;

export async function earlierPoint(
  catalog: RepositoryCatalog,
  job: string,
  organizationId: string,
): Promise<EarlierPoint> {
  const [newest] = await catalog.listRestorePoints({ job, organizationId, limit: 1, offset: 0 });
  const point = newest === undefined ? null : await catalog.restorePoint(newest.run.id);
  const { objects: flags = {}, unknown = [], formerSites = {} } = point?.findings ?? {};
  const isStopped = point?.outcome === 'Stopped';
  const objects = point?.objects.map(
    ([key, revision]) => [key, { revision, flag: flags[key] ?? null, isStopped }] as const,
  );
  return { objects: new Map(objects), unknown: new Set(unknown), formerSites };
}

/** How far this run read an object of the last restore point. */
export type ReadState = 'whole' | 'partly' | 'not';

/**
 * What the last restore point had and this run did not read, and which of it is missing. That something is not listed takes nothing out of the
 * newest state: licences end, people leave, and Microsoft refuses, and it is then that the backup is needed.
 */
export async function carriedObjects(
  catalog: RepositoryCatalog,
  { objects: earlier, formerSites: formerly }: EarlierPoint,
  selection: Selection,
  listed: Listed,
  stateOf: (key: string) => ReadState,
): Promise<{ carried: CarriedObject[]; formerSites: FormerSites }> {
  // What was read in part has its old URL still, too.
  const isLeft = (state: ReadState) => state === 'not' || (state === 'partly' && listed.moved.length > 0);
  const left = [...earlier.keys()].filter((key) => isLeft(stateOf(key)));
  const objects = (await lookedUp(catalog, left)).toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const coverage = new Coverage(selection, listed, objects, formerly);
  const carried = objects.flatMap((object) => {
    if (stateOf(object.key) !== 'not' || !coverage.covers(object)) return [];
    const wasUnlisted = earlier.get(object.key)?.flag === 'unlisted';
    const isMissing = listed.isWhole && !listed.keys.has(object.key) && !coverage.isRefused(object);
    const flag = isMissing || wasUnlisted ? 'unlisted' : 'unread';
    return [{ object, flag, isNews: isMissing && !wasUnlisted } as const];
  });
  const isCarried = new Set(carried.map(({ object }) => object.key));
  const formerSites = Object.fromEntries(
    [...Object.entries(formerly), ...coverage.formerSitesOf(objects)].filter(
      ([key]) => isCarried.has(key) || (earlier.has(key) && stateOf(key) !== 'not'),
    ),
  );
  return { carried, formerSites };
}

/**
 * The keys of objects that may be there, as the next run is to know them, and which of these no run has named yet. One that the last restore point has is named
 * with what is not listed any more.
 */
export function unknownObjects(
  { objects, unknown: before }: EarlierPoint,
  { unknown, keys, refused, isWhole }: Listed,
): { keys: string[]; news: ({ key: string } & UnknownObject)[] } {
  const all = isWhole && refused.size === 0 ? [...unknown.keys()] : [...before, ...unknown.keys()];
  const news = [...unknown].flatMap(([key, one]) => (before.has(key) || objects.has(key) ? [] : [{ key, ...one }]));
  return { keys: [...new Set(all)].filter((key) => !keys.has(key)).sort(), news };
}

async function lookedUp(catalog: RepositoryCatalog, keys: readonly string[]): Promise<CatalogObject[]> {
  const objects: CatalogObject[] = [];
  await forEachAtOnce(keys, LOOKUPS_AT_ONCE, async (key) => {
    const object = await catalog.object(key);
    if (object !== null) objects.push(object);
  });
  return objects;
}

const POINTS_MAX = 10;

/**
 * The revision since which nothing was reported of what went from an object: that of the last restore point in which it is whole. What a run removed
 * that was stopped or killed, that broke off at this object or that only carried it is no more than a part of what went. An object that is whole in
 * none of the newest ones is compared with its present state.
 */
export async function reportedRevision(
  catalog: RepositoryCatalog,
  earlier: EarlierObjects,
  { key, revision }: Pick<CatalogObject, 'key' | 'revision'>,
): Promise<number> {
  const last = earlier.get(key);
  if (last !== undefined && last.revision === revision && isWhole(last.flag, last.isStopped)) return revision;
  const points = await catalog.listRestorePoints({ object: key, limit: POINTS_MAX, offset: 0 });
  const whole = points.flatMap((point) =>
    isWhole(point.flag, point.outcome === 'Stopped') ? (point.revision ?? []) : [],
  );
  return whole.length === 0 ? revision : Math.min(Math.max(...whole), revision);
}

/** A run that was stopped has reported what had gone by then; the rest of it goes with the next one. */
const isWhole = (flag: ObjectFlag | null, isStopped: boolean) => flag === null || (flag === 'shrunk' && !isStopped);
