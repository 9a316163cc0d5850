import type { ObjectKind, ProtectedObject } from '../../model/protected-object.ts';
import { isOfGroup } from '../../source/graph/group/group-owner.ts';
import type { Source } from '../../source/source.ts';

/** All objects of some kinds in a tenant. */
export async function objectsIn(source: Source, ...kinds: ObjectKind[]): Promise<ProtectedObject[]> {
  const selection = { scope: 'everything', kinds, include: [], exclude: [], personalSites: false } as const;
  const objects: ProtectedObject[] = [];
  for await (const found of source.listObjects(selection, new AbortController().signal))
    if ('kind' in found) objects.push(found);
  return objects;
}

/** The first mailbox of a tenant. */
export async function mailboxOf(source: Source): Promise<ProtectedObject> {
  const [mailbox] = await objectsIn(source, 'mailbox');
  if (mailbox === undefined) throw new Error('The tenant has no mailbox.');
  return mailbox;
}

/** The first mailbox of a Microsoft 365 group. */
export async function groupMailboxOf(source: Source): Promise<ProtectedObject> {
  const mailbox = (await objectsIn(source, 'mailbox')).find(isOfGroup);
  if (mailbox === undefined) throw new Error('The tenant has no group with a mailbox.');
  return mailbox;
}
