import type { Tenant } from '../tenant.ts';
import type { FolderClass } from './folder.ts';

/** How many items of each kind mailboxes hold, without archives and what was removed for good; posts of groups are messages. */
export type HeldItems = Record<'message' | 'event' | 'contact' | 'task', number>;

const KINDS: Readonly<Record<FolderClass, keyof HeldItems>> = {
  'IPF.Note': 'message',
  'IPF.Appointment': 'event',
  'IPF.Contact': 'contact',
  'IPF.Task': 'task',
};

/** Counts what a whole backup of all mailboxes of a tenant has to contain. */
export function heldItems({ directory, mailboxes, groupThreads }: Tenant): HeldItems {
  const held: HeldItems = { message: 0, event: 0, contact: 0, task: 0 };
  for (const { id, mailbox } of directory.users) {
    if (mailbox === null) continue;
    for (const { folderClass, wellKnownName, itemCount } of mailboxes.of(id).folders.values())
      if (!wellKnownName?.startsWith('recoverableitems')) held[KINDS[folderClass]] += itemCount;
  }
  for (const { id, kind } of directory.groups)
    if (kind === 'microsoft365') for (const { posts } of groupThreads.of(id)) held.message += posts.length;
  return held;
}
