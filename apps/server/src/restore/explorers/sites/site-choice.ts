import { notFound } from '../../../foundation/errors.ts';
import type { OpenedSession } from '../../sessions/opened-session.ts';
import type { FoundObject } from '../../sessions/session-objects.ts';
import { chosenInLibrary } from '../library-ids.ts';
import type { ChosenItems } from '../weigh-items.ts';
import { isLibraryOf, librariesOf, siteOfNode } from './site-tree.ts';

/** Some of an object of a site: the site itself with its lists, or one of its libraries. */
export interface SitePart {
  found: FoundObject;
  items: readonly string[] | null;
}

/** What is meant of a site by the ids on the wire; without any all of it, its libraries included. */
export async function chosenInSite(
  opened: OpenedSession,
  site: FoundObject,
  { parentId, items }: ChosenItems,
): Promise<SitePart[]> {
  const ids =
    items !== undefined && items.length > 0 ? items.map(({ id }) => id) : parentId === undefined ? [] : [parentId];
  const [first] = ids;
  const isWhole = first === undefined || siteOfNode(first) === null || siteOfNode(first) === site.object.id;
  if (isWhole) return wholeSite(opened, site);
  const library = await chosenInLibrary(opened, ids).catch(() => null);
  if (library !== null && isLibraryOf(library.library.object, site.object))
    return [{ found: library.library, items: library.items }];
  return [{ found: site, items: ids }];
}

/** A site with its lists and pages, and all of its libraries. */
export async function wholeSite(opened: OpenedSession, site: FoundObject): Promise<SitePart[]> {
  const libraries = await librariesOf(opened, site);
  return [{ found: site, items: null }, ...libraries.map((found) => ({ found, items: null }))];
}

/** Folders or documents that were chosen in one library of a site. @throws 404 for those of another site */
export async function requireInLibrary(
  opened: OpenedSession,
  site: FoundObject,
  ids: readonly string[],
): Promise<SitePart> {
  const chosen = await chosenInLibrary(opened, ids);
  if (chosen === null || !isLibraryOf(chosen.library.object, site.object)) throw notFound('library');
  return { found: chosen.library, items: chosen.items };
}
