import type { ListedObject } from '@keepwatch/engine/engine';
import type { OpenedSession } from './opened-session.ts';

export type ObjectKind = ListedObject['kind'];
type Point = OpenedSession['points'][number];

/** A mailbox, drive, site or team as a session shows it. */
export interface SessionObject extends ListedObject {
  repositoryId: string;
  stored: Point['stored'];
  /** Of the restore point that has it. */
  backupTime: string;
  /** The restore point of the session no longer has it; an earlier one does. */
  isDeleted: boolean;
}

export interface ObjectFilter {
  kinds: readonly ObjectKind[];
  /** To whom they belong. */
  owners?: readonly string[] | undefined;
  /** What must occur in the name or the address. */
  text?: string | undefined;
  /** Which addresses they have, or are directly below. */
  addresses?: readonly string[] | undefined;
  below?: readonly string[] | undefined;
  /** These alone: an object is the same one in all repositories. */
  these?: readonly Pick<ListedObject, 'kind' | 'id'>[] | undefined;
}

/** A repository with those of a session's restore points that are in it. */
export interface SessionRepository {
  id: string;
  stored: Point['stored'];
  points: readonly Point[];
}

export function repositoriesOf({ points }: OpenedSession): SessionRepository[] {
  const groups = Map.groupBy(points, ({ repositoryId }) => repositoryId);
  return [...groups].flatMap(([id, ofIt]) =>
    ofIt[0] === undefined ? [] : { id, stored: ofIt[0].stored, points: ofIt },
  );
}

/** Objects of a request: few for the first rows, which most lists show alone. */
const PAGES = { first: 200, further: 1_000 };

/** An object of a repository's list, and what the session shows of it; `null` where another repository has it as it is shown. */
export interface RepositoryRow {
  repositoryId: string;
  object: ListedObject;
  shown: SessionObject | null;
}

/** What one repository of a session has, by name, behind a cursor of its catalog. */
export async function* objectsIn(
  opened: OpenedSession,
  repository: SessionRepository,
  filter: ObjectFilter,
  after: string | undefined,
): AsyncGenerator<RepositoryRow, void> {
  const query = queryOf(opened, repository, filter);
  const read = (page: { after: string | undefined; limit: number }) =>
    repository.stored.catalog.findObjects({ ...query, ...page });
  let page = await read({ after, limit: PAGES.first });
  yield* rowsOf(opened, repository, page.rows);
  while (page.next !== null) {
    page = await read({ after: page.next, limit: PAGES.further });
    yield* rowsOf(opened, repository, page.rows);
  }
}

function queryOf(
  { organization, session }: OpenedSession,
  repository: SessionRepository,
  { these, ...filter }: ObjectFilter,
) {
  return {
    ...filter,
    organizationId: organization.tenantId,
    keys: these?.map((object) => keyIn(repository, organization, object)),
    // What is deleted is in none of the restore points.
    restorePoints: session.showDeleted ? undefined : repository.points.map(({ restorePoint }) => restorePoint),
  };
}

type Identity = Pick<ListedObject, 'kind' | 'id'>;

function keyIn(
  { stored }: SessionRepository,
  { tenantId }: OpenedSession['organization'],
  { kind, id }: Identity,
): string {
  return stored.repository.objectKey({ organizationId: tenantId, kind, id });
}

async function* rowsOf(
  opened: OpenedSession,
  repository: SessionRepository,
  rows: readonly ListedObject[],
): AsyncGenerator<RepositoryRow> {
  const others = repositoriesOf(opened).filter(({ id }) => id !== repository.id);
  const here = opened.session.showDeleted ? await atPoints(opened, repository, rows) : byIdentity(rows);
  const elsewhere = await Promise.all(others.map((other) => atPoints(opened, other, rows)));
  const { id: repositoryId, stored } = repository;
  for (const object of rows) {
    const found = here.get(nameOf(object));
    const rank = rankOf(opened, found);
    if (elsewhere.some((at) => rankOf(opened, at.get(nameOf(object))) < rank)) {
      yield { repositoryId, object, shown: null };
      continue;
    }
    const point = opened.points[rank];
    const { revision } = found ?? object;
    const state = point === undefined ? await lastOf(opened, repository, object) : { revision, backupTime: point.at };
    const isDeleted = point === undefined;
    yield { repositoryId, object, shown: state && { ...object, ...state, repositoryId, stored, isDeleted } };
  }
}

/** Which of the session's restore points has an object; behind all of them where none has it. */
function rankOf({ points }: OpenedSession, object: ListedObject | undefined): number {
  const rank = points.findIndex(({ restorePoint }) => restorePoint === object?.restorePoint);
  return rank < 0 ? points.length : rank;
}

const nameOf = ({ kind, id }: Identity) => `${kind} ${id}`;
const byIdentity = (rows: readonly ListedObject[]) => new Map(rows.map((object) => [nameOf(object), object]));

/** The same objects as the restore points of a repository have them. */
async function atPoints(
  { organization }: OpenedSession,
  repository: SessionRepository,
  rows: readonly ListedObject[],
): Promise<ReadonlyMap<string, ListedObject>> {
  if (rows.length === 0) return new Map();
  const restorePoints = repository.points.map(({ restorePoint }) => restorePoint);
  const keys = rows.map((object) => keyIn(repository, organization, object));
  return byIdentity((await repository.stored.catalog.findObjects({ restorePoints, keys, limit: keys.length })).rows);
}

/** As the first repository had an object last that once had it; `null` where that is another one. */
async function lastOf(opened: OpenedSession, repository: SessionRepository, object: ListedObject) {
  for (const one of repositoriesOf(opened)) {
    const key = keyIn(one, opened.organization, object);
    const to = new Date(opened.session.at);
    const [last] = await one.stored.catalog.listRestorePoints({ object: key, to, limit: 1, offset: 0 });
    if (last === undefined || last.revision === null) continue;
    return one.id === repository.id ? { revision: last.revision, backupTime: last.finishedAt.toISOString() } : null;
  }
  return null;
}
