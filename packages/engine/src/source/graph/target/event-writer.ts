import { EngineError } from '../../../model/engine-error.ts';
import type { NewItem, Written } from '../../target.ts';
import { dateOf, type JsonObject, objectsOf, textOf, textsOf } from '../json.ts';
import { attach } from './attachment-writer.ts';
import { inOwnZone, losesItsZone } from './event-times.ts';
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

/** Without attendees: the vendor sends each of them an invitation as soon as an event lists them. */
export const SETTABLE = [
  'subject',
  'body',
  'start',
  'end',
  'location',
  'locations',
  'recurrence',
  'isAllDay',
  'isReminderOn',
  'reminderMinutesBeforeStart',
  'importance',
  'sensitivity',
  'showAs',
  'categories',
  'responseRequested',
  'allowNewTimeProposals',
  'hideAttendees',
];
const DAY_MS = 86_400_000;

/** Writes an event with what was changed and cancelled in its series, and its attachments. */
export async function writeEvent(
  writing: MailboxWriting,
  place: Place,
  item: NewItem,
  signal: AbortSignal,
): Promise<Written> {
  const { connection, user } = writing;
  const { properties } = item;
  const body = settable(properties);
  const losses = lossesOf(properties);
  if (place.id !== null) {
    const itemPath = pathOfItem(user, 'event', place.id, place.folderId);
    await connection.ask({ method: 'PATCH', path: itemPath, headers: bareId, body, signal });
    return { id: place.id, losses };
  }
  const path = pathOfItems(user, 'event', place.folderId);
  const id = textOf((await connection.ask({ method: 'POST', path, headers: bareId, body, signal }))['id']) ?? '';
  const itemPath = pathOfItem(user, 'event', id, place.folderId);
  await deleteOnFailure(writing, itemPath, signal, async () => {
    for (const exception of objectsOf(properties['exceptionOccurrences']))
      await changeOccurrence(writing, itemPath, dateOf(exception['originalStart']), settable(exception), signal);
    for (const occurrence of textsOf(properties['cancelledOccurrences']))
      await changeOccurrence(writing, itemPath, dateOf(occurrence.split('.').at(-1)), null, signal);
    for await (const attachment of storedAttachments(item)) {
      if ('lost' in attachment) losses.push(attachment.lost);
      else await attach(writing, itemPath, attachment, signal);
    }
  });
  return { id, losses };
}

function settable(properties: JsonObject): JsonObject {
  return { ...picked(properties, SETTABLE), ...inOwnZone(properties) };
}

function lossesOf(properties: JsonObject): string[] {
  return [
    ...(objectsOf(properties['attendees']).length > 0 ? ['the attendees: they would be invited again'] : []),
    ...(losesItsZone(properties) ? ['its own time zone: it starts and ends at the same instants, given in UTC'] : []),
  ];
}

/** @param changes of the occurrence of that day; `null` cancels it */
async function changeOccurrence(
  { connection, user }: MailboxWriting,
  itemPath: string,
  day: Date | null,
  changes: JsonObject | null,
  signal: AbortSignal,
): Promise<void> {
  if (day === null) throw new EngineError('bad-request', 'A change of a series does not say which day it is of.');
  const [from, to] = [day.getTime(), day.getTime() + DAY_MS].map((ms) => new Date(ms).toISOString().slice(0, 19));
  const call = { path: `${itemPath}/instances?startDateTime=${from}&endDateTime=${to}`, headers: bareId, signal };
  const { value } = await connection.page(call);
  const id = textOf(value[0]?.['id']);
  if (id === undefined) throw new EngineError('source-refused', `The series has no occurrence on ${from}.`);
  const path = pathOfItem(user, 'event', id, '');
  if (changes === null) await connection.ask({ method: 'DELETE', path, headers: bareId, signal });
  else await connection.ask({ method: 'PATCH', path, headers: bareId, body: withoutRecurrence(changes), signal });
}

function withoutRecurrence({ recurrence: _, ...changes }: JsonObject): JsonObject {
  return changes;
}
