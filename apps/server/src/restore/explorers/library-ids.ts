import { invalid } from '../../foundation/errors.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import { type FoundObject, findObject } from '../sessions/session-objects.ts';

/** Between the id of a library and that of a folder or file in it: neither has one of its own. */
const SEPARATOR = ':';

/** The id on the wire of a folder or file: ids of items are unique in their library alone. */
export const inLibrary = (libraryId: string, itemId: string): string => `${libraryId}${SEPARATOR}${itemId}`;

/** The library of an id on the wire, and the item in it; `null` for the library itself. */
export function libraryOf(id: string): { libraryId: string; itemId: string | null } {
  const at = id.indexOf(SEPARATOR);
  return at < 0 ? { libraryId: id, itemId: null } : { libraryId: id.slice(0, at), itemId: id.slice(at + 1) };
}

/** Folders and files that were chosen in one library. */
export interface ChosenInLibrary {
  library: FoundObject;
  /** `null`: all of the library. */
  items: readonly string[] | null;
}

/** @throws 422 for ids of several libraries. @returns `null` for a library that the session does not show */
export async function chosenInLibrary(opened: OpenedSession, ids: readonly string[]): Promise<ChosenInLibrary | null> {
  const places = ids.map(libraryOf);
  const [first] = places;
  if (first === undefined) throw invalid([{ path: 'body', message: 'say which folders or documents' }]);
  if (places.some(({ libraryId }) => libraryId !== first.libraryId))
    throw invalid([{ path: 'body', message: 'must be of one library: do the others with a request of their own' }]);
  const library = await findObject(opened, 'drive', first.libraryId);
  if (library === null) return null;
  const items = places.flatMap(({ itemId }) => itemId ?? []);
  return { library, items: items.length < places.length ? null : items };
}
