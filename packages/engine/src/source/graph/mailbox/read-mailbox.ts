import { EngineError } from '../../../model/engine-error.ts';
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

/** What a cloud may be without, with what is then told: To Do is not everywhere. */
const PARTS: readonly { name: string; read: Part }[] = [
  { name: 'mail', read: readMail },
  { name: 'recoverable items', read: readRecoverableItems },
  { name: 'calendars', read: readCalendars },
  { name: 'contacts', read: readContacts },
  { name: 'tasks', read: readTasks },
  { name: 'items lost before', read: readLostItems },
];

/**
 * All of a mailbox: mail, calendars, contacts and tasks. A part that the permissions do not cover stops none of the others, and is
 * thrown in the end, since a mailbox without it is not whole.
 */
export async function* readMailbox(reading: Reading): AsyncGenerator<SourceEvent> {
  const stream = new ExchangeStream(reading);
  let refused: EngineError | null = null;
  for (const { name, read } of PARTS) {
    try {
      yield* read(reading, stream);
    } catch (error) {
      if (isNotOffered(error)) yield { type: 'alert', alert: notOffered(name, reading.request.object.name) };
      else if (error instanceof EngineError && error.code === 'consent-missing') refused ??= error;
      else throw error;
    }
  }
  if (refused !== null) throw refused;
}

function notOffered(part: string, mailbox: string) {
  const message = `This tenant does not give out the ${part} of ${mailbox}: they are not backed up.`;
  return { code: 'part-not-offered', message };
}
