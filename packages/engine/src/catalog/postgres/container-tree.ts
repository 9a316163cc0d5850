import { visible } from './browse.ts';
import { type Connection, rows } from './connection.ts';

/** Containers of an object by number, with the container their holder lies in. */
interface ContainerPlace {
  container: number;
  inside: number | null;
}

/**
 * Numbers of the containers below one, itself first, or (`null`) of all of an object; each after the one it lies in. A container whose
 * holder is not there is a root of its own: what it holds must not be missing from the whole.
 */
export async function containersBelow(
  connection: Connection,
  object: number,
  revision: number,
  from: number | null,
  showDeleted: boolean | undefined,
): Promise<number[]> {
  const places = await rows<ContainerPlace>(
    connection,
    `SELECT c.id AS container, v.container AS inside FROM containers c
     LEFT JOIN item_versions v ON v.object = $1 AND v.item = c.item AND ${visible(showDeleted)}
     WHERE c.object = $1 ORDER BY c.id`,
    [object, revision],
  );
  const inside = Map.groupBy(places, (place) => place.inside);
  const roots = from === null ? (inside.get(null) ?? []).map(({ container }) => container) : [from];
  return inOrder(roots, inside);
}

/** Breadth first. Every container once, should the source ever have told that two lie within each other. */
function inOrder(roots: readonly number[], inside: ReadonlyMap<number | null, readonly ContainerPlace[]>): number[] {
  const ordered = new Set(roots);
  // A set that grows is walked to its new end.
  for (const one of ordered) for (const { container } of inside.get(one) ?? []) ordered.add(container);
  return [...ordered];
}
