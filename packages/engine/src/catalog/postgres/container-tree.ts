import { visible } from './browse.ts';
import { parentHash } from './item-record.ts';
import { type Connection, rows } from './sessions/connection.ts';

/** A container of an object by number, with the container that its parent is in. */
interface ContainerPlace {
  container: number;
  inside: number | null;
}

/** Numbers of those of some items that contain others; `null` for all of an object. */
export async function containersNamed(
  connection: Connection,
  object: number,
  items: readonly string[] | null,
): Promise<number[] | null> {
  if (items === null) return null;
  const found = await rows<{ id: number }>(
    connection,
    'SELECT id FROM containers WHERE object = $1 AND item = ANY ($2::uuid[])',
    [object, items.map(parentHash)],
  );
  return found.map(({ id }) => id);
}

/**
 * Numbers of the containers below some, these first, or (`null`) of all of an object; each after the one it is in. A container whose
 * parent is not there is a root of its own: what it contains must not be missing from the whole.
 */
export async function containersBelow(
  connection: Connection,
  object: number,
  revision: number,
  from: readonly number[] | null,
  showDeleted: boolean | undefined,
): Promise<number[]> {
  if (from?.length === 0) return [];
  const places = await rows<ContainerPlace>(
    connection,
    `SELECT c.id AS container, v.container AS inside FROM containers c
     LEFT JOIN item_versions v ON v.object = $1 AND v.item = c.item AND ${visible(showDeleted)}
     WHERE c.object = $1 ORDER BY c.id`,
    [object, revision],
  );
  const inside = Map.groupBy(places, (place) => place.inside);
  const roots = from ?? (inside.get(null) ?? []).map(({ container }) => container);
  return inOrder(roots, inside);
}

/** Breadth first. Every container once, even if the source ever reported that two are within each other. */
function inOrder(roots: readonly number[], inside: ReadonlyMap<number | null, readonly ContainerPlace[]>): number[] {
  const ordered = new Set(roots);
  // A set that grows is walked to its new end.
  for (const one of ordered) for (const { container } of inside.get(one) ?? []) ordered.add(container);
  return [...ordered];
}
