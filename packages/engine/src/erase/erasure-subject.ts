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
  const users = usersCalled(objects, id.toLowerCase());
  return objects.filter((object) => users.has(userOf(object) ?? ''));
}

/** The ids of users whose id or address it is: a drive says whose it is, and not how that user is addressed. */
function usersCalled(objects: readonly KeyedObject[], called: string): Set<string> {
  const users = new Set<string>();
  for (const object of objects) {
    const user = userOf(object);
    if (user !== null && (user === called || object.address?.toLowerCase() === called)) users.add(user);
  }
  return users;
}

const OF_USERS: ReadonlySet<string> = new Set(['mailbox', 'archive', 'chats']);

/** The id of the user an object belongs to; `null` for one of a group, site or team. */
function userOf({ kind, id, owner }: ProtectedObject): string | null {
  const [type, of] = owner?.split('/', 2) ?? [OF_USERS.has(kind) ? 'user' : '', id];
  return type === 'user' && of !== undefined ? of.toLowerCase() : null;
}
