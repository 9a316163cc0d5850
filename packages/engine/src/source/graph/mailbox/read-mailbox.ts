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
import { readSettings } from './settings.ts';
import { readTasks } from './tasks.ts';

interface NamedPart {
  name: string;
  read(reading: Reading, stream: ExchangeStream): AsyncGenerator<SourceEvent>;
  /** The cursors of its containers, where a cloud may be without it: To Do is not everywhere. */
  cursors?: string;
}

const PARTS: readonly NamedPart[] = [
  { name: 'mail', read: readMail },
  { name: 'calendars', read: readCalendars },
  { name: 'contacts', read: readContacts },
  { name: 'tasks', read: readTasks, cursors: 'tasks/' },
  { name: 'settings and rules', read: readSettings, cursors: 'settings' },
];
const RECOVERABLE_ITEMS: NamedPart = { name: 'recoverable items', read: readRecoverableItems };
const LOST_ITEMS: NamedPart = { name: 'items lost before', read: readLostItems };

/**
 * Reads all of a mailbox: mail, calendars, contacts, tasks and settings, side by side, since in each of them one answer leads to the next request. A
 * part that fails does not stop the others, and is reported, since the mailbox is incomplete without it.
 * @throws what concerns the whole mailbox, and the first failure when none of its parts could be read
 */
export async function* readMailbox(reading: Reading): AsyncGenerator<SourceEvent> {
  const stream = new ExchangeStream(reading);
  const refused: unknown[] = [];
  const parts = PARTS.map((part) => readPart(part, reading, stream, refused));
  // That these can be read says nothing of the mailbox: most jobs do not ask for them.
  yield* sideBySide([...parts, readPart(RECOVERABLE_ITEMS, reading, stream, [])]);
  if (refused.length === PARTS.length) throw refused[0];
  yield* readPart(LOST_ITEMS, reading, stream, []);
}

/** @param refused takes why a part failed; what concerns the whole mailbox is thrown */
async function* readPart(
  { name, read, cursors }: NamedPart,
  reading: Reading,
  stream: ExchangeStream,
  refused: unknown[],
): AsyncGenerator<SourceEvent> {
  const { request, failures } = reading;
  try {
    yield* read(reading, stream);
  } catch (error) {
    const wasThere = [...request.cursors.keys()].some((scope) => cursors !== undefined && scope.startsWith(cursors));
    if (cursors !== undefined && !wasThere && isNotOffered(error))
      yield { type: 'alert', alert: notOffered(name, request.object.name) };
    else {
      refused.push(error);
      yield await failures.partFailed(`the ${name}`, error);
    }
  }
}

function notOffered(part: string, mailbox: string) {
  const message = `This tenant does not give out the ${part} of ${mailbox}: they are not backed up.`;
  return { code: 'part-not-offered', message };
}
