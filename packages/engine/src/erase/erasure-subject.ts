import type { ProtectedObject } from '../model/protected-object.ts';

/** What is erased: one object by its key; all objects of a user by id or address; all of an organization by its tenant id. */
export interface ErasureSubject {
  type: 'object' | 'user' | 'organization';
  id: string;
}

type KeyedObject = ProtectedObject & { key: string };

export function objectsOfSubject<One extends KeyedObject>(
  objects: readonly One[],
  { type, id }: ErasureSubject,
): One[] {
  if (type === 'object') return objects.filter(({ key }) => key === id);
  if (type === 'organization') return objects.filter(({ organizationId }) => organizationId === id);
  return [...usersCalled(objects, id).values()].flat();
}

/**
 * The objects of each user with an id, or else with an address, by the id of the user: a drive says whose it is, and not how that user is
 * addressed. They are several when an address went from one to another.
 */
export function usersCalled<One extends KeyedObject>(objects: readonly One[], called: string): Map<string, One[]> {
  const all = Map.groupBy(objects, userOf);
  const id = called.toLowerCase();
  const found = new Map<string, One[]>();
  for (const [user, own] of all)
    if (user === id || (user !== null && !all.has(id) && own.some(({ address }) => address?.toLowerCase() === id)))
      found.set(user, own);
  return found;
}

const OF_USERS: ReadonlySet<string> = new Set(['mailbox', 'archive', 'chats']);

/** The id of the user an object belongs to; `null` for one of a group, site or team. */
function userOf({ kind, id, owner }: ProtectedObject): string | null {
  const [type, of] = owner?.split('/', 2) ?? [OF_USERS.has(kind) ? 'user' : '', id];
  return type === 'user' && of !== undefined ? of.toLowerCase() : null;
}
