import type { UserPart } from '@keepwatch/contract/microsoft365/licensing';
import type { ListedObject } from '@keepwatch/engine/engine';

/** Something of a person that a restore point has. */
export interface CountedPart {
  /** The person's id at Microsoft. */
  userId: string;
  name: string;
  address: string | null;
  part: UserPart;
  key: string;
  revision: number;
}

const PARTS: ReadonlySet<string> = new Set<UserPart>(['mailbox', 'archive', 'drive', 'chats']);
const isPart = (kind: string): kind is UserPart => PARTS.has(kind);

/**
 * Returns whose an object is. Mailboxes, archives and chats have the id of their user, and a drive names its owner; `null` for what is of a group,
 * a team or a site.
 */
export function partOf(object: Omit<ListedObject, 'restorePoint' | 'cursor'>): CountedPart | null {
  const { kind, id, name, owner, address, key, revision } = object;
  if (!isPart(kind)) return null;
  const [ownerType, ownerId] = owner?.split('/') ?? [];
  if (kind === 'drive' && (ownerType !== 'user' || ownerId === undefined)) return null;
  if (ownerType !== undefined && ownerType !== 'user') return null;
  const userId = (kind === 'drive' ? (ownerId ?? id) : id).toLowerCase();
  return { userId, name: kind === 'drive' ? ownerName(name) : name, address, part: kind, key, revision };
}

/** Of `Ada Lovelace: Documents`. */
function ownerName(name: string): string {
  const end = name.lastIndexOf(': ');
  return end === -1 ? name : name.slice(0, end);
}
