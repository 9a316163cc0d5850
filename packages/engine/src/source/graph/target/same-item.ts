import type { MailboxItemKind, NewItem } from '../../target.ts';
import { GraphError } from '../graph-error.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';
import { TASK_QUERY } from '../mailbox/tasks.ts';
import { writableContact } from './contact-writer.ts';
import { bareId, type MailboxWriting, type Place, pathOfItem, picked } from './mailbox-writing.ts';
import { isEqual } from './unchanged-item.ts';

/** The contract is `MailboxTarget.isSame`. */
export async function isSameItem(
  { connection, user }: MailboxWriting,
  { folderId, id }: Place & { id: string },
  { kind, properties }: NewItem,
  signal: AbortSignal,
): Promise<boolean> {
  if (kind === 'message') return true; // found by its message id
  const path = pathOfItem(user, kind, id, folderId) + (kind === 'task' ? `?${TASK_QUERY}` : '');
  try {
    const there = await connection.ask({ path, headers: bareId, signal });
    return saysTheSame(kind, properties, there) && hasNothingBeside(properties, there);
  } catch (error) {
    if (error instanceof GraphError && error.status === 404) return true;
    throw error;
  }
}

/** An item's own content as the vendor returns it: not what the vendor derives from it, and no text that it converts. */
function ownOf(kind: Exclude<MailboxItemKind, 'message'>, item: JsonObject): object {
  if (kind === 'contact') return writableContact(item);
  if (kind === 'task')
    return {
      ...picked(item, ['title', 'importance', 'status', 'categories']),
      body: objectOf(item['body'])['content'],
    };
  const names = ['subject', 'bodyPreview', 'isAllDay', 'importance', 'sensitivity', 'showAs', 'categories'];
  return { ...picked(item, names), location: objectOf(item['location'])['displayName'] };
}

const saysTheSame = (kind: Exclude<MailboxItemKind, 'message'>, stored: JsonObject, there: JsonObject) =>
  isEqual(ownOf(kind, stored), ownOf(kind, there));

/** Whether no guests, attachments, steps or links were added that were not stored with the item. */
function hasNothingBeside(stored: JsonObject, there: JsonObject): boolean {
  if (objectsOf(there['attendees']).length > 0) return false; // none are written
  if (there['hasAttachments'] === true && stored['hasAttachments'] !== true) return false;
  return ['checklistItems', 'linkedResources'].every((part) => {
    const names = new Set(objectsOf(stored[part]).map(({ displayName }) => textOf(displayName)));
    return objectsOf(there[part]).every(({ displayName }) => names.has(textOf(displayName)));
  });
}
