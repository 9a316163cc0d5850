import type { ContainerPaths } from '../browse/container-paths.ts';
import type { ItemDetails } from '../model/items.ts';
import { orDamaged } from '../model/or-damaged.ts';
import { readRestoreItem } from './read-restore-item.ts';
import type { RestoreOptions } from './restore-options.ts';
import type { RestoreItem, RestorePlace } from './restore-place.ts';

/** What two items that a target takes for each other have in common in the catalog: it saves reading all that are only called alike. */
const MARKS = ['sentAt', 'startsAt', 'endsAt'] as const satisfies (keyof ItemDetails)[];

/** Finds the other stored items that are looked for in the target by what an item is looked for by, chosen to be restored or not. */
export type FindNamesakes = (item: RestoreItem) => Promise<RestoreItem[]>;

/** @throws what a repository that cannot be read throws; one that is damaged is not among them */
export function namesakesIn(
  parts: Parameters<typeof readRestoreItem>[0],
  { place, paths, options }: { place: RestorePlace; paths: ContainerPaths; options: RestoreOptions },
): FindNamesakes {
  return async (item) => {
    const identity = place.identityOf(item);
    const found: RestoreItem[] = [];
    for (const version of await paths.namesakes(item.version)) {
      if (MARKS.some((mark) => version.details[mark] !== item.version.details[mark])) continue;
      const other = await orDamaged(readRestoreItem(parts, version, options));
      if (other !== null && place.identityOf(other) === identity) found.push(other);
    }
    return found;
  };
}
