import type { CatalogObject, ItemScope, ListedObject, Stored } from '@keepwatch/engine/engine';
import { notFound } from '../../foundation/errors.ts';
import { identityOf } from '../roles/coverage.ts';
import type { OpenedSession } from './opened-session.ts';
import type { StoredScope } from './stored-scope.ts';

export type ObjectKind = ListedObject['kind'];

/** A mailbox, drive, site or team as a session shows it. */
export interface SessionObject extends ListedObject {
  repositoryId: string;
  stored: Stored;
  /** Of the restore point that has it. */
  backupTime: string;
  /** The restore point of the session no longer has it; an earlier one does. */
  isDeleted: boolean;
}

export interface ObjectFilter {
  kinds: readonly ObjectKind[];
  /** To whom they belong. */
  owners?: readonly string[];
  /** What must occur in the name or the address. */
  text?: string | undefined;
}

const OBJECTS_A_PAGE = 1_000;

/** The objects that a session shows, by name. One restore point is read as far as it is asked for; several are put together first. */
export async function* objectsOf(opened: OpenedSession, filter: ObjectFilter): AsyncGenerator<SessionObject> {
  const [only, ...others] = opened.points;
  if (only !== undefined && others.length === 0 && !opened.session.showDeleted) {
    yield* objectsOfPoint(only, filter);
    return;
  }
  const found = new Map<string, SessionObject>();
  for (const point of opened.points)
    for await (const object of objectsOfPoint(point, filter))
      if (!found.has(nameOf(object))) found.set(nameOf(object), object);
  if (opened.session.showDeleted)
    for await (const object of deletedObjects(opened, filter, found)) found.set(nameOf(object), object);
  yield* [...found.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

const nameOf = ({ kind, id }: Pick<ListedObject, 'kind' | 'id'>) => `${kind} ${id}`;

type Point = OpenedSession['points'][number];

async function* objectsOfPoint(point: Point, filter: ObjectFilter): AsyncGenerator<SessionObject> {
  const { repositoryId, stored, at: backupTime } = point;
  for await (const object of listed(stored, filter, { restorePoint: point.restorePoint }))
    yield { ...object, repositoryId, stored, backupTime, isDeleted: false };
}

async function* listed(
  { catalog }: Stored,
  { kinds, owners, text }: ObjectFilter,
  of: { restorePoint: string } | { organizationId: string },
): AsyncGenerator<ListedObject> {
  const searched = text === undefined || text === '' ? {} : { text };
  const query = { ...of, kinds, limit: OBJECTS_A_PAGE, ...searched, ...(owners === undefined ? {} : { owners }) };
  for (let after: string | null | undefined; after !== null; ) {
    const page: { rows: ListedObject[]; next: string | null } = await catalog.findObjects(
      after === undefined ? query : { ...query, after },
    );
    yield* page.rows;
    after = page.next;
  }
}

/** What earlier restore points have of the same repositories, as it was last. */
async function* deletedObjects(
  { points, organization, session }: OpenedSession,
  filter: ObjectFilter,
  known: ReadonlyMap<string, SessionObject>,
): AsyncGenerator<SessionObject> {
  for (const { repositoryId, stored } of new Map(points.map((point) => [point.repositoryId, point])).values())
    for await (const object of listed(stored, filter, { organizationId: organization.tenantId })) {
      if (known.has(nameOf(object))) continue;
      const last = await lastPointOf(stored, object.key, new Date(session.at));
      if (last !== null) yield { ...object, ...last, repositoryId, stored, isDeleted: true };
    }
}

async function lastPointOf({ catalog }: Stored, object: string, to: Date) {
  const [last] = await catalog.listRestorePoints({ object, to, limit: 1, offset: 0 });
  if (last === undefined || last.revision === null) return null;
  return { revision: last.revision, backupTime: last.finishedAt.toISOString() };
}

/** One object of a session, with what the engine needs to look into it. */
export interface FoundObject extends Omit<SessionObject, keyof ListedObject> {
  object: CatalogObject;
  revision: number;
}

/** Finds an object by the id that Microsoft gives it. @returns `null` for one that the session does not show */
export async function findObject(opened: OpenedSession, kind: ObjectKind, id: string): Promise<FoundObject | null> {
  const { session, organization, points } = opened;
  for (const { repositoryId, stored, at, restorePoint } of points) {
    const key = stored.repository.objectKey({ organizationId: organization.tenantId, kind, id });
    const instant = new Date(at);
    const states = await stored.catalog.listRestorePoints({
      object: key,
      from: instant,
      to: instant,
      limit: 10,
      offset: 0,
    });
    const state = states.find(({ run }) => run.id === restorePoint);
    if (state === undefined || state.revision === null) continue;
    const object = await stored.catalog.object(key);
    if (object !== null)
      return { object, revision: state.revision, repositoryId, stored, backupTime: at, isDeleted: false };
  }
  if (!session.showDeleted) return null;
  for (const { repositoryId, stored } of points) {
    const key = stored.repository.objectKey({ organizationId: organization.tenantId, kind, id });
    const last = await lastPointOf(stored, key, new Date(session.at));
    const object = last === null ? null : await stored.catalog.object(key);
    if (last !== null && object !== null) return { object, ...last, repositoryId, stored, isDeleted: true };
  }
  return null;
}

/** The same. @throws 404 that names what it is */
export async function requireObject(
  opened: OpenedSession,
  kind: ObjectKind,
  id: string,
  what: string,
): Promise<FoundObject> {
  const found = await findObject(opened, kind, id);
  if (found === null) throw notFound(what);
  return found;
}

/** Some of an object, as a row has it. */
export function storedScope(
  { session }: OpenedSession,
  { repositoryId, object, revision }: FoundObject,
  items: readonly string[] | null,
): StoredScope {
  const what = { object: object.key, identity: identityOf(object), revision, items };
  return { repositoryId, ...what, showDeleted: session.showDeleted };
}

/** The same as the engine takes it. */
export function scopeOf(
  { session }: OpenedSession,
  { object, revision }: FoundObject,
  items: readonly string[] | null,
): ItemScope {
  return { object, revision, items, showDeleted: session.showDeleted };
}
