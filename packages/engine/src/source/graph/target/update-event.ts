import { EngineError } from '../../../model/engine-error.ts';
import type { NewItem, Written } from '../../target.ts';
import { type JsonObject, objectsOf } from '../json.ts';
import { writeEvent } from './event-writer.ts';
import type { ItemImport } from './item-import.ts';
import { bareId, type MailboxWriting, type Place, pathOfItem, picked } from './mailbox-writing.ts';
import { differentEventFields, leftOver } from './unchanged-item.ts';

/** Fields of a meeting that are its organizer's own: Exchange does not mail their changes. */
const OWN = ['categories', 'isReminderOn', 'reminderMinutesBeforeStart', 'showAs'];

type EventPlace = Place & { id: string };

/**
 * Gives an event that exists the stored fields. Exchange mails a change of what guests see of a meeting to all of them, as soon as its organizer's event
 * changes, and no property of Graph keeps it from that: of a meeting only what is its organizer's own is written.
 * https://learn.microsoft.com/graph/api/event-update
 * @throws EngineError `source-refused`, and changes nothing, where guests would be mailed
 */
export async function updateEvent(
  writing: MailboxWriting,
  place: EventPlace,
  item: NewItem,
  signal: AbortSignal,
): Promise<Written> {
  const path = pathOfItem(writing.user, 'event', place.id, place.folderId);
  const there = await writing.connection.ask({ path, headers: bareId, signal });
  const guests = guestsOf(there);
  if (guests === 0) return writeEvent(writing, place, item, signal);
  const different = differentEventFields(item.properties, there);
  if (different.some((name) => !OWN.includes(name))) throw wouldMail(guests);
  const body = picked(
    item.properties,
    different.filter((name) => OWN.includes(name)),
  );
  if (Object.keys(body).length > 0)
    await writing.connection.ask({ method: 'PATCH', path, headers: bareId, body, signal });
  return { id: place.id, losses: [] };
}

/** Makes an event that exists what was stored: a meeting by an import, which brings its guests back and is mailed to none of them. */
export async function replaceEvent(
  writing: MailboxWriting,
  imports: ItemImport,
  place: EventPlace,
  item: NewItem & { kind: 'event' },
  signal: AbortSignal,
): Promise<Written> {
  if (objectsOf(item.properties['attendees']).length > 0) {
    const imported = await imports.replace(place, item, signal);
    if (imported !== null) return { id: imported, losses: [] };
  }
  const { losses } = await updateEvent(writing, place, item, signal);
  return { id: place.id, losses: [...losses, ...(await leftOver(writing, place, item, signal))] };
}

/** Of a meeting of this mailbox; in the calendars of its guests nothing is mailed. */
const guestsOf = (event: JsonObject): number =>
  event['isOrganizer'] === false ? 0 : objectsOf(event['attendees']).length;

const wouldMail = (guests: number) =>
  new EngineError(
    'source-refused',
    `It is a meeting, and Microsoft 365 would mail the change to its ${guests} guests. Keep both, change it in Outlook, or give the application MailboxItem.ImportExport.All and back up again.`,
  );
