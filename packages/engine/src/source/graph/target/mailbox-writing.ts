import type { ContentName } from '../../../model/items.ts';
import { cleanedUp } from '../../../model/stoppable.ts';
import type { MailboxItemKind, NewItem } from '../../target.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { path, SINGLE } from '../mailbox/mailbox-paths.ts';

export interface MailboxWriting {
  connection: GraphConnection;
  user: string;
}

/** Where an item goes: new into a folder, or over one that exists. */
export interface Place {
  folderId: string;
  id: string | null;
}

export const bareId = SINGLE;

/** The path of the items of a folder. */
export function pathOfItems(user: string, kind: MailboxItemKind, folderId: string): string {
  switch (kind) {
    case 'message':
      return path`/users/${user}/mailFolders/${folderId}/messages`;
    case 'event':
      return path`/users/${user}/calendars/${folderId}/events`;
    case 'contact':
      return path`/users/${user}/contactFolders/${folderId}/contacts`;
    case 'task':
      return path`/users/${user}/todo/lists/${folderId}/tasks`;
  }
}

/** The path of one item; tasks are found below their list alone. */
export function pathOfItem(user: string, kind: MailboxItemKind, id: string, folderId: string): string {
  if (kind === 'message') return path`/users/${user}/messages/${id}`;
  if (kind === 'event') return path`/users/${user}/events/${id}`;
  if (kind === 'contact') return path`/users/${user}/contacts/${id}`;
  return path`/users/${user}/todo/lists/${folderId}/tasks/${id}`;
}

/** Those of some properties that the item has. */
export function picked(properties: NewItem['properties'], names: readonly string[]): Record<string, unknown> {
  const found = names.filter((name) => properties[name] !== undefined && properties[name] !== null);
  return Object.fromEntries(found.map((name) => [name, properties[name]]));
}

/** The bytes of a content; `null` for one that is not stored with the item. */
export async function bytesOf({ contents }: NewItem, name: ContentName): Promise<Buffer | null> {
  const content = contents.find((one) => one.name === name);
  if (content === undefined) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of content.open()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Runs the rest of a creation, and deletes the item when that fails. Where a stopped restore cannot delete it in time, the next one does. */
export async function deleteOnFailure<T>(
  { connection }: MailboxWriting,
  itemPath: string,
  signal: AbortSignal,
  rest: () => Promise<T>,
): Promise<T> {
  try {
    return await rest();
  } catch (error) {
    await cleanedUp(signal, (limited) => takeAway(connection, itemPath, limited)).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new AggregateError([error, cause], `An item was written in part and could not be deleted: ${itemPath}`);
    });
    throw error;
  }
}

/**
 * Deletes an item so that people do not find it in Deleted Items, where the first deletion puts it; the second one puts it among what
 * only an administrator can recover. One that is not there is no error.
 */
export async function takeAway(connection: GraphConnection, itemPath: string, signal: AbortSignal): Promise<void> {
  for (let time = 1; time <= 2; time += 1) {
    try {
      await connection.ask({ method: 'DELETE', path: itemPath, headers: bareId, signal });
    } catch (error) {
      if (!(error instanceof GraphError) || error.status !== 404) throw error;
      return;
    }
  }
}
