import type { CatalogObject, RepositoryCatalog } from '../catalog/catalog.ts';
import { forEachAtOnce } from '../model/in-order.ts';
import type { ObjectFlag } from '../model/outcome.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { SelectedItem, Selection } from '../source/source.ts';

/** The objects of a job's last restore point, by key, as far as the catalog still has them. */
export type EarlierObjects = ReadonlyMap<string, ObjectFlag | null>;

/** An object that this run did not read, and the restore point has all the same. */
export interface CarriedObject {
  object: CatalogObject;
  flag: ObjectFlag;
  /** That it is not in the organization's lists any more, and no run before this one has said so. */
  isNews: boolean;
}

/** What a listing came to. */
export interface Listed {
  keys: ReadonlySet<string>;
  /** Subjects that could not be asked (`user/<id>`). */
  refused: ReadonlySet<string>;
  /** Whether all was listed that was not refused. */
  isWhole: boolean;
}

const LOOKUPS_AT_ONCE = 8;

export async function earlierObjects(
  catalog: RepositoryCatalog,
  job: string,
  organizationId: string,
): Promise<EarlierObjects> {
  const [newest] = await catalog.listRestorePoints({ job, organizationId, limit: 1, offset: 0 });
  const point = newest === undefined ? null : await catalog.restorePoint(newest.run.id);
  const { objects: flags = {} } = point?.findings ?? {};
  return new Map(point?.objects.map(([key]) => [key, flags[key] ?? null]));
}

/**
 * What the last restore point had and this run did not read, and which of it is missing. That something is not listed takes nothing out of the
 * newest state: licences end, people leave, and Microsoft refuses, and it is then that the backup is needed.
 */
export async function carriedObjects(
  catalog: RepositoryCatalog,
  earlier: EarlierObjects,
  selection: Selection,
  listed: Listed,
  isRead: (key: string) => boolean,
): Promise<CarriedObject[]> {
  const carried: CarriedObject[] = [];
  const left = [...earlier].filter(([key]) => !isRead(key));
  await forEachAtOnce(left, LOOKUPS_AT_ONCE, async ([key, before]) => {
    const object = await catalog.object(key);
    if (object === null || !isStillCovered(selection, object)) return;
    const isMissing = listed.isWhole && !listed.keys.has(key) && !listed.refused.has(subjectOf(object));
    const flag = isMissing || before === 'unlisted' ? 'unlisted' : 'unread';
    carried.push({ object, flag, isNews: isMissing && before !== 'unlisted' });
  });
  return carried.sort((one, other) => (one.object.key < other.object.key ? -1 : 1));
}

/** Whether the job still means the object. Members of groups are not known here: of theirs it is said that they are gone. */
function isStillCovered(
  { scope, kinds, include, exclude, personalSites }: Selection,
  object: ProtectedObject,
): boolean {
  const names = [object.id, object.address, object.owner?.replace(/^\w+\//, '')];
  const isNamed = (item: SelectedItem) => names.some((name) => name?.toLowerCase() === item.id.toLowerCase());
  const hasKind = (item: SelectedItem) => item.kinds?.includes(object.kind) !== false;
  if (!kinds.includes(object.kind) || exclude.some((item) => isNamed(item) && hasKind(item))) return false;
  const isMeant = (item: SelectedItem) => item.type === 'group' || isListed(item, object) || isNamed(item);
  if (scope === 'selected') return include.some((item) => hasKind(item) && isMeant(item));
  return personalSites || !isPersonalSite(object);
}

const isPersonalSite = ({ kind, address }: ProtectedObject) => kind === 'site' && /\/personal\//i.test(address ?? '');

/** Whether a whole list that is selected has what the object hangs on. */
function isListed({ type, id }: SelectedItem, object: ProtectedObject): boolean {
  if (type !== 'all') return false;
  const [subject] = subjectOf(object).split('/', 1);
  if (id === 'users') return subject === 'user';
  if (id === 'groups') return subject === 'group' || subject === 'team';
  return subject === 'site' && isPersonalSite(object) === (id === 'personal-sites');
}

const SUBJECT_TYPES: Readonly<Record<ProtectedObject['kind'], string>> = {
  mailbox: 'user',
  archive: 'user',
  chats: 'user',
  drive: 'user',
  site: 'site',
  team: 'team',
  planner: 'group',
};

/** The subject that an object hangs on, as listings name it. */
function subjectOf({ kind, id, owner }: ProtectedObject): string {
  return (owner ?? `${SUBJECT_TYPES[kind]}/${id}`).toLowerCase();
}
