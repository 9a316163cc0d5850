import type { Item, ItemVersion } from '../../model/items.ts';
import { visible } from './browse.ts';
import { itemHash, VERSION_COLUMNS, type VersionRow, versionOf } from './item-record.ts';
import { type Connection, rows } from './sessions/connection.ts';
import { sortName } from './sort-keys.ts';

const NAMESAKES_MAX = 100;

/** Other items of an item's kind and name in its container at a revision, by the index of names. */
export async function namesakesOf(
  connection: Connection,
  { object, container, revision }: { object: number; container: number; revision: number },
  { id, kind, name }: Item,
): Promise<ItemVersion[]> {
  const found = await rows<VersionRow>(
    connection,
    `SELECT ${VERSION_COLUMNS} FROM item_versions v JOIN containers c ON c.id = v.container
     WHERE v.object = $1 AND v.container = $3 AND v.kind = $4 AND v.sort_name = $5 AND v.item <> $6::uuid AND ${visible(false)}
     ORDER BY v.item LIMIT ${NAMESAKES_MAX}`,
    [object, revision, container, kind, sortName(name), itemHash(id)],
  );
  return found.map(versionOf).filter((version) => version.name === name);
}
