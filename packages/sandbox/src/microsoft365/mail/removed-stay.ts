import { type Folder, readKey } from '../mailbox/folder.ts';
import type { Mailbox } from '../mailbox/mailbox.ts';
import type { JsonObject } from '../wire/json.ts';

/** What has left a folder: moved elsewhere it still exists (`changed`), otherwise it is gone (`deleted`). */
export function removedStay(mailbox: Mailbox, folder: Folder, key: string, isImmutable: boolean): JsonObject {
  const { number, moves } = readKey(key);
  const id = mailbox.itemId({ number, moves, folder: folder.number }, isImmutable);
  return {
    id,
    '@removed': { reason: mailbox.findItem(number) ? 'changed' : 'deleted' },
  };
}
