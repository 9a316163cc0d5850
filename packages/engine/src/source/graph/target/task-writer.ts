import type { NewItem, Written } from '../../target.ts';
import { objectsOf, textOf } from '../json.ts';
import type { NewAttachment } from './attachment-writer.ts';
import {
  bareId,
  deleteOnFailure,
  type MailboxWriting,
  type Place,
  pathOfItem,
  pathOfItems,
  picked,
} from './mailbox-writing.ts';
import { storedAttachments } from './stored-attachments.ts';

/** The fields of a task that its owner sets, and those of its steps and links. */
export const SETTABLE = [
  'title',
  'body',
  'importance',
  'status',
  'isReminderOn',
  'reminderDateTime',
  'dueDateTime',
  'startDateTime',
  'completedDateTime',
  'recurrence',
  'categories',
];
export const STEP = ['displayName', 'isChecked', 'checkedDateTime'];
export const LINK = ['applicationName', 'displayName', 'externalId', 'webUrl'];

/** Writes a task with its steps, links and attachments. */
export async function writeTask(
  writing: MailboxWriting,
  place: Place,
  item: NewItem,
  signal: AbortSignal,
): Promise<Written> {
  const { connection, user } = writing;
  const { properties } = item;
  const { folderId } = place;
  const body = picked(properties, SETTABLE);
  if (place.id !== null) {
    const itemPath = pathOfItem(user, 'task', place.id, folderId);
    await connection.ask({ method: 'PATCH', path: itemPath, headers: bareId, body, signal });
    await replaceSteps(writing, itemPath, item, signal);
    return { id: place.id, losses: [] };
  }
  const path = pathOfItems(user, 'task', folderId);
  const id = textOf((await connection.ask({ method: 'POST', path, headers: bareId, body, signal }))['id']) ?? '';
  const itemPath = pathOfItem(user, 'task', id, folderId);
  const losses: string[] = [];
  await deleteOnFailure(writing, itemPath, signal, async () => {
    const add = (part: string, entity: unknown) =>
      connection.ask({ method: 'POST', path: `${itemPath}/${part}`, headers: bareId, body: entity, signal });
    for (const step of objectsOf(properties['checklistItems'])) await add('checklistItems', picked(step, STEP));
    for (const link of objectsOf(properties['linkedResources'])) await add('linkedResources', picked(link, LINK));
    for await (const attachment of storedAttachments(item)) {
      if ('lost' in attachment) losses.push(attachment.lost);
      else await add('attachments', taskAttachment(attachment));
    }
  });
  return { id, losses };
}

/** A task that exists gets the steps of the stored one instead of its own. */
async function replaceSteps(
  { connection }: MailboxWriting,
  itemPath: string,
  { properties }: NewItem,
  signal: AbortSignal,
): Promise<void> {
  const path = `${itemPath}/checklistItems`;
  for await (const { value } of connection.pages({ path, headers: bareId, signal }))
    for (const { id } of value)
      await connection.ask({ method: 'DELETE', path: `${path}/${encodeURIComponent(textOf(id) ?? '')}`, signal });
  for (const step of objectsOf(properties['checklistItems']))
    await connection.ask({ method: 'POST', path, headers: bareId, body: picked(step, STEP), signal });
}

function taskAttachment({ name, contentType, bytes }: NewAttachment): object {
  return {
    '@odata.type': '#microsoft.graph.taskFileAttachment',
    name,
    contentType,
    size: bytes.length,
    contentBytes: bytes.toString('base64'),
  };
}
