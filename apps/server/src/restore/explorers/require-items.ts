import type { ItemVersion } from '@keepwatch/engine/engine';
import { notFound } from '../../foundation/errors.ts';
import type { FoundObject } from '../sessions/session-objects.ts';

/** Of so many items each is looked for before the work is accepted; of more the first ones. */
const LOOKED_FOR_MAX = 100;

/** @throws 404 for items that the object never had */
export async function requireItems(found: FoundObject, items: readonly string[] | null): Promise<void> {
  for (const id of (items ?? []).slice(0, LOOKED_FOR_MAX)) await requireItem(found, id);
}

/** An item as it was at the restore point, or as it was last before it. @throws 404 */
export async function requireItem({ stored, object, revision }: FoundObject, id: string): Promise<ItemVersion> {
  const item = await stored.catalog.item(object.key, revision, id);
  if (item !== null) return item;
  const versions = await stored.catalog.versionsOf(object.key, id);
  const earlier = versions.find(({ firstRevision }) => firstRevision <= revision);
  if (earlier === undefined) throw notFound('item');
  return earlier;
}
