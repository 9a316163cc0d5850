import { EngineError } from '../../../model/engine-error.ts';
import { sideBySide } from '../../../model/side-by-side.ts';
import type { SourceEvent } from '../../source.ts';
import { isNotOffered } from '../graph-error.ts';
import type { Reading } from '../reader.ts';
import { readCalendars } from './calendars.ts';
import { readContacts } from './contacts.ts';
import { ExchangeStream } from './exchange-stream.ts';
import { readLostItems } from './lost-items.ts';
import { readMail } from './mail.ts';
import { readRecoverableItems } from './recoverable-items.ts';
import { readTasks } from './tasks.ts';

type Part = (reading: Reading, stream: ExchangeStream) => AsyncGenerator<SourceEvent>;

interface NamedPart {
  name: string;
  read: Part;
}

/** What a cloud may be without, with what is then told: To Do is not everywhere. */
const PARTS: readonly NamedPart[] = [
  { name: 'mail', read: readMail },
  { name: 'recoverable items', read: readRecoverableItems },
  { name: 'calendars', read: readCalendars },
  { name: 'contacts', read: readContacts },
  { name: 'tasks', read: readTasks },
];
const LOST_ITEMS: NamedPart = { name: 'items lost before', read: readLostItems };

/**
 * All of a mailbox: mail, calendars, contacts and tasks, side by side, since in each of them one answer leads to the next question. A
 * part that the permissions do not cover stops none of the others, and is thrown in the end, since a mailbox without it is not whole.
 */
export async function* readMailbox(reading: Reading): AsyncGenerator<SourceEvent> {
  const stream = new ExchangeStream(reading);
  const refused: EngineError[] = [];
  yield* sideBySide(PARTS.map((part) => readPart(part, reading, stream, refused)));
  yield* readPart(LOST_ITEMS, reading, stream, refused);
  if (refused[0] !== undefined) throw refused[0];
}

/** @param refused takes that a permission is missing; all else that concerns the whole mailbox is thrown */
async function* readPart(
  { name, read }: NamedPart,
  reading: Reading,
  stream: ExchangeStream,
  refused: EngineError[],
): AsyncGenerator<SourceEvent> {
  try {
    yield* read(reading, stream);
  } catch (error) {
    if (isNotOffered(error)) yield { type: 'alert', alert: notOffered(name, reading.request.object.name) };
    else if (error instanceof EngineError && error.code === 'consent-missing') refused.push(error);
    else throw error;
  }
}

function notOffered(part: string, mailbox: string) {
  const message = `This tenant does not give out the ${part} of ${mailbox}: they are not backed up.`;
  return { code: 'part-not-offered', message };
}
