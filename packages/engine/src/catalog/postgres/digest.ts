import type { ItemKind } from '../../model/items.ts';
import type { ObjectDigest } from '../catalog.ts';
import { visible } from './browse.ts';
import { type Connection, row } from './sessions/connection.ts';

/** Where a record begins to say which chunks an item is made of: each repository names them in its own way. No name has it, as quotes in it are escaped. */
const CONTENTS = ',"contents":[';

/** The digest of an object: a sum, so that it does not depend on an order. */
export async function digestOf(
  connection: Connection,
  object: number,
  revision: number,
  kinds: readonly ItemKind[],
): Promise<ObjectDigest> {
  const found = await row<ObjectDigest>(
    connection,
    `SELECT count(*) AS items, coalesce(sum(hashtextextended(concat_ws(' ', v.item, c.item, v.kind, v.size, split_part(v.record, $4, 1)), 0)::numeric), 0)::text AS digest
     FROM item_versions v JOIN containers c ON c.id = v.container WHERE v.object = $1 AND ${visible(false)} AND v.kind = ANY ($3::item_kind[])`,
    [object, revision, kinds, CONTENTS],
  );
  return found ?? { items: 0, digest: '0' };
}
