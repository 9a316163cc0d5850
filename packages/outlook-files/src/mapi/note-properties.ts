import type { NoteDetails } from '../note.ts';
import { itemObject, MESSAGE_FLAG } from './item-properties.ts';
import type { MapiMessage } from './mapi-object.ts';
import { NOTE_NAMES } from './named-properties.ts';

const COLOUR = { blue: 0, green: 1, pink: 2, yellow: 3, white: 4 } as const;
const ICON = 0x300;
/** A note's window, as Outlook makes it. */
const PLACE = { width: 200, height: 166, x: 80, y: 80 } as const;

/** A sticky note, [MS-OXONOTE] 2.2. */
export function noteObject(note: NoteDetails): MapiMessage {
  const colour = COLOUR[note.colour ?? 'yellow'];
  const subject = note.subject ?? note.bodyText?.split(/\r?\n/)[0] ?? '';
  const object = itemObject(
    { ...note, subject },
    { messageClass: 'IPM.StickyNote', icon: ICON + colour, flags: MESSAGE_FLAG.read, date: note.modifiedAt },
  );
  object.properties
    .integer(NOTE_NAMES.colour, colour)
    .integer(NOTE_NAMES.width, PLACE.width)
    .integer(NOTE_NAMES.height, PLACE.height)
    .integer(NOTE_NAMES.x, PLACE.x)
    .integer(NOTE_NAMES.y, PLACE.y);
  return object;
}
