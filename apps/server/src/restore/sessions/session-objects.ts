import type { CatalogObject, ItemScope, ListedObject } from '@keepwatch/engine/engine';
import { invalid, notFound } from '../../foundation/errors.ts';
import { identityOf } from '../roles/coverage.ts';
import type { OpenedSession } from './opened-session.ts';
import {
  type ObjectFilter,
  type ObjectKind,
  objectsIn,
  type RepositoryRow,
  repositoriesOf,
  type SessionObject,
} from './repository-objects.ts';
import type { StoredScope } from './stored-scope.ts';

/** The objects that a session shows, by name: no further than they are read. @param after the `cursor` of an object: those behind it */
export async function* objectsOf(
  opened: OpenedSession,
  filter: ObjectFilter,
  after?: string,
): AsyncGenerator<SessionObject> {
  const positions = positionsIn(after);
  const lists = repositoriesOf(opened).map((repository) =>
    objectsIn(opened, repository, filter, positions.get(repository.id)),
  );
  for await (const { repositoryId, object, shown } of merged(lists)) {
    positions.set(repositoryId, object.cursor);
    if (shown !== null) yield { ...shown, cursor: [...positions].map((position) => position.join(BETWEEN)).join(' ') };
  }
}

/** Neither in an id nor in a cursor of a catalog. */
const BETWEEN = ':';
const POSITION = /^([^: ]+):([^: ]+)$/;

/** Where the list of each repository goes on. @throws 422 */
function positionsIn(cursor: string | undefined): Map<string, string> {
  const positions = cursor === undefined ? [] : cursor.split(' ');
  return new Map(
    positions.map((position) => {
      const [, id, at] = POSITION.exec(position) ?? [];
      if (id !== undefined && at !== undefined) return [id, at];
      throw invalid([{ path: 'query.after', message: 'must be that of the page before' }]);
    }),
  );
}

type List = AsyncGenerator<RepositoryRow, void>;

/** Lists by name as one by name. */
async function* merged(lists: readonly List[]): AsyncGenerator<RepositoryRow> {
  const heads = new Map<List, RepositoryRow>();
  const readOn = async (list: List) => {
    const { value } = await list.next();
    if (value === undefined) heads.delete(list);
    else heads.set(list, value);
  };
  await Promise.all(lists.map(readOn));
  while (heads.size > 0) {
    const [list, first] = [...heads].reduce((one, other) => (isBefore(other[1], one[1]) ? other : one));
    yield first;
    await readOn(list);
  }
}

const isBefore = (one: RepositoryRow, other: RepositoryRow) =>
  one.object.name.localeCompare(other.object.name, 'en') < 0;

/** One object of a session, with what the engine needs to look into it. */
export interface FoundObject extends Omit<SessionObject, keyof ListedObject> {
  object: CatalogObject;
  revision: number;
}

/** Finds an object by the id that Microsoft gives it. @returns `null` for one that the session does not show */
export async function findObject(opened: OpenedSession, kind: ObjectKind, id: string): Promise<FoundObject | null> {
  for await (const { key, revision, repositoryId, stored, backupTime, isDeleted } of objectsOf(opened, {
    kinds: [kind],
    these: [{ kind, id }],
  })) {
    const object = await stored.catalog.object(key);
    if (object !== null) return { object, revision, repositoryId, stored, backupTime, isDeleted };
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
