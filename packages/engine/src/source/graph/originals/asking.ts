import type { ContentName, ItemVersion } from '../../../model/items.ts';
import type { ProtectedObject } from '../../../model/protected-object.ts';
import type { Hashes } from '../../originals.ts';
import type { GraphConnection } from '../connection.ts';

/** One comparison: what came back of an item, and who is asked for the original. */
export interface Asking {
  connection: GraphConnection;
  signal: AbortSignal;
  object: ProtectedObject;
  version: ItemVersion;
  restored: ReadonlyMap<ContentName, Hashes>;
}
