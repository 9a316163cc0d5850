import type { FoundItem } from '@keepwatch/contract/restore/items';
import type { CatalogObject, ItemKind, ItemVersion, SearchHit, SearchQuery } from '@keepwatch/engine/engine';
import { invalid } from '../../foundation/errors.ts';
import type { SecretBox } from '../../foundation/secrets.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import { instantText } from './browse-object.ts';
import { owningSites } from './sites/owning-site.ts';
import { librariesOf } from './sites/site-tree.ts';
import { librariesOfTeam } from './team-files.ts';
import { isOfExplorer, KINDS_OF, requireContainer, wireIds } from './wire-ids.ts';

/** What is looked for; `after` as a page before gave it. */
export interface SessionSearch
  extends Omit<SearchQuery, 'kinds' | 'objects' | 'within' | 'restorePoint' | 'organizationId'> {
  objectId?: string | undefined;
  /** Of that object: the folder to look into. */
  parentId?: string | undefined;
  /** Without: all that the explorer shows. */
  types?: readonly ItemKind[] | undefined;
  allTime: boolean;
}

interface FoundPage {
  data: FoundItem[];
  _next: string | null;
}

/** Where a search goes on: in which of the places that are searched one after another, and behind which hit. */
const CURSOR = /^(\d{1,3}) (.*)$/s;

/**
 * Searches the restore points of a session one after another, or all of their repositories over all time. A page of a catalog that has few
 * hits and a next one is a page here as well. Where the next one begins is sealed: it may name an item that a restore operator does not see.
 */
export async function searchSession(
  box: SecretBox,
  opened: OpenedSession,
  { after, ...search }: SessionSearch,
  signal: AbortSignal,
): Promise<FoundPage> {
  const context = `search of restore session ${opened.session.id}`;
  const { data, _next } = await foundPage(
    opened,
    search,
    after === undefined ? '0 ' : unsealed(box, after, context),
    signal,
  );
  return { data, _next: _next === null ? null : box.seal(_next, context).toString('base64url') };
}

/** @throws 422 for anything but what a page of the same session gave */
function unsealed(box: SecretBox, after: string, context: string): string {
  try {
    return box.open(Buffer.from(after, 'base64url'), context);
  } catch {
    return refuse();
  }
}

async function foundPage(
  opened: OpenedSession,
  { objectId, parentId, types, allTime, limit, ...words }: Omit<SessionSearch, 'after'>,
  from: string,
  signal: AbortSignal,
): Promise<FoundPage> {
  const type = opened.session.sessionType;
  const kinds = types === undefined ? KINDS_OF[type] : KINDS_OF[type].filter((kind) => types.includes(kind));
  const places = kinds.length === 0 ? [] : placesOf(opened, allTime);
  const [, at = '0', cursor = ''] = CURSOR.exec(from) ?? refuse();
  const within = objectId === undefined ? null : await partOf(opened, objectId, parentId);
  const siteOf = owningSites(opened);
  const data: FoundItem[] = [];
  let after = cursor;
  for (let place = Number(at); place < places.length; ) {
    const { stored, restorePoint } = places[place] ?? refuse();
    const { hits, next } = await stored.catalog.search(
      {
        ...words,
        organizationId: opened.organization.tenantId,
        kinds,
        limit,
        ...(restorePoint === null ? {} : { restorePoint }),
        ...(within ?? {}),
        ...(after === '' ? {} : { after }),
      },
      signal,
    );
    for (const hit of hits) {
      if (isOfExplorer(type, hit.object)) data.push(foundItem(opened, hit, await siteOf(hit.object)));
      if (data.length === limit) return { data, _next: `${place} ${hit.cursor}` };
    }
    if (next !== null && hits.length < limit) return { data, _next: `${place} ${next}` };
    [place, after] = next === null ? [place + 1, ''] : [place, next];
  }
  return { data, _next: null };
}

/** A folder of an object, or all of it: a site and a team have libraries, which are objects of their own. */
async function partOf(
  opened: OpenedSession,
  objectId: string,
  parentId: string | undefined,
): Promise<Pick<SearchQuery, 'objects' | 'within'>> {
  const { found, container } = await requireContainer(opened, objectId, parentId);
  if (container !== null) return { objects: [found.object.key], within: container };
  const { kind, id } = found.object;
  const libraries =
    kind === 'site' ? await librariesOf(opened, found) : kind === 'team' ? await librariesOfTeam(opened, id) : [];
  return { objects: [found, ...libraries].map(({ object: { key } }) => key) };
}

function refuse(): never {
  throw invalid([{ path: 'query.after', message: 'must be the _next of the page before' }]);
}

function placesOf({ points }: OpenedSession, allTime: boolean) {
  if (!allTime) return points.map(({ stored, restorePoint }) => ({ stored, restorePoint }));
  const repositories = new Map(points.map(({ repositoryId, stored }) => [repositoryId, stored]));
  return [...repositories.values()].map((stored) => ({ stored, restorePoint: null }));
}

function foundItem(
  opened: OpenedSession,
  { object, version, path, goneAt }: SearchHit,
  siteId: string | null,
): FoundItem {
  return { ...foundRow(opened, object, version, path, siteId), endedAt: instantText(goneAt) };
}

/** An item wherever it is, with the way to it. @param siteId that shows it, where its library does not say (`owningSites`) */
export function foundRow(
  { session }: OpenedSession,
  object: CatalogObject,
  version: ItemVersion,
  path: string[],
  siteId: string | null,
): Omit<FoundItem, 'endedAt'> {
  const { objectId, idOf } = wireIds(session.sessionType, object);
  const { id, kind, name, parentId, sizeBytes, modifiedAt, details } = version;
  return {
    id: idOf(id),
    objectId: siteId ?? objectId,
    objectName: object.name,
    type: kind,
    name,
    parentId: parentId === null ? null : idOf(parentId),
    path,
    from: details.from ?? null,
    date: instantText(details.receivedAt ?? details.sentAt ?? details.startsAt ?? modifiedAt),
    sizeBytes,
  };
}
