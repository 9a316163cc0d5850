import { ROOT } from '@keepwatch/contract/restore/explorer';
import type { FoundObject } from '../sessions/session-objects.ts';

/** What of an object is meant: some items, what is below one, or all of it. */
export interface ChosenItems {
  parentId?: string | undefined;
  items?: readonly { id: string }[] | undefined;
}

/** The ids of what is meant; `null` for all of the object. */
export function idsOf({ parentId, items }: ChosenItems): readonly string[] | null {
  if (items !== undefined && items.length > 0) return [...new Set(items.map(({ id }) => id))];
  return parentId === undefined || parentId === ROOT ? null : [parentId];
}

/** Count and bytes of what is meant, with all below it. */
export async function weighItems({ stored, object, revision }: FoundObject, meant: ChosenItems) {
  const { items, bytes } = await stored.catalog.weigh(object.key, revision, idsOf(meant));
  return { items, sizeBytes: bytes };
}
