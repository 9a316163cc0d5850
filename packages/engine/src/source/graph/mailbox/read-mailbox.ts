import type { SourceEvent } from '../../source.ts';
import type { Reading } from '../reader.ts';
import { readMail } from './mail.ts';

/** All of a mailbox. */
export async function* readMailbox(reading: Reading): AsyncGenerator<SourceEvent> {
  yield* readMail(reading);
}
