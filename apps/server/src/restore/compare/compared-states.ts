import { isLibraryOf, librariesOfSites, parentAddress } from '../explorers/sites/site-tree.ts';
import { isOfExplorer, KINDS_OF } from '../explorers/wire-ids.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import type { SessionObject } from '../sessions/repository-objects.ts';
import { objectsOf } from '../sessions/session-objects.ts';
import { CONTAINERS } from './compared-kinds.ts';
import type { Sessions } from './comparison.ts';

/** What may still be looked at for a page. */
export interface Budget {
  objects: number;
  /** Of objects that are in two repositories. */
  items: number;
}

/** Objects at both restore points, with their libraries. */
interface States {
  /** Whether the explorer shows the same in an object at both. What it looks at reduces the budget. */
  areEqual(now: SessionObject, before: SessionObject, budget: Budget, gone: AbortSignal): Promise<boolean>;
}

/** Reads what some objects are made of in both sessions. */
export async function statesOf(
  { opened, other }: Sessions,
  now: readonly SessionObject[],
  before: readonly SessionObject[],
): Promise<States> {
  const [later, earlier] = await Promise.all([librariesOf(opened, now), librariesOf(other, before)]);
  return {
    async areEqual(object, counterpart, budget, gone) {
      const parts = [object, ...later(object)];
      const others = [counterpart, ...earlier(counterpart)];
      if (parts.length !== others.length) return false;
      for (const part of parts) {
        const same = others.find(({ kind, id }) => kind === part.kind && id === part.id);
        if (same === undefined || !(await isEqual(opened, part, same, budget, gone))) return false;
      }
      return true;
    },
  };
}

async function isEqual(
  { session }: OpenedSession,
  now: SessionObject,
  before: SessionObject,
  budget: Budget,
  gone: AbortSignal,
): Promise<boolean> {
  const kinds = [...KINDS_OF[session.sessionType], ...CONTAINERS];
  if (now.repositoryId === before.repositoryId) {
    // A revision is the next one where something changed.
    if (now.revision === before.revision) return true;
    const query = { object: now.key, from: before.revision, to: now.revision, parentId: null, kinds, limit: 1 };
    const { rows, next } = await now.stored.catalog.changes(query, gone);
    return rows.length === 0 && next === null;
  }
  // Each repository counts revisions for itself.
  const digests = [now, before].map(({ stored, key, revision }) => stored.catalog.digest(key, revision, kinds, gone));
  const [one, other] = await Promise.all(digests);
  budget.items -= (one?.items ?? 0) + (other?.items ?? 0);
  return one?.digest === other?.digest;
}

/** Finds the libraries of some sites or teams: by whose they are, and by the address of the site that they are in. */
async function librariesOf(
  opened: OpenedSession,
  objects: readonly SessionObject[],
): Promise<(object: SessionObject) => SessionObject[]> {
  const found = new Map<string, SessionObject[]>();
  for await (const drive of drivesOf(opened, objects))
    if (isOfExplorer(opened.session.sessionType, drive))
      for (const place of [drive.owner ?? '', parentAddress(drive)])
        if (place !== '') found.set(place, [...(found.get(place) ?? []), drive]);
  return (object) => {
    const places = object.kind === 'team' ? ownersOf(object) : [`site/${object.id}`, plain(object.address)];
    const libraries = new Set(places.flatMap((place) => found.get(place) ?? []));
    return [...libraries].filter((drive) => object.kind === 'team' || isLibraryOf(drive, object));
  };
}

const ownersOf = ({ id }: Pick<SessionObject, 'id'>) => [`team/${id}`, `group/${id}`];
const plain = (address: string | null) => (address ?? '').toLowerCase().replace(/\/+$/, '');

async function* drivesOf(opened: OpenedSession, objects: readonly SessionObject[]): AsyncGenerator<SessionObject> {
  const teams = objects.filter(({ kind }) => kind === 'team');
  const sites = objects.filter(({ kind }) => kind === 'site');
  if (teams.length > 0) yield* objectsOf(opened, { kinds: ['drive'], owners: teams.flatMap(ownersOf) });
  if (sites.length > 0) yield* librariesOfSites(opened, sites);
}
