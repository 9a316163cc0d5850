import type { SourceEvent } from '../../source.ts';
import { type DeltaScope, emptied, readDelta } from '../delta/delta.ts';
import { readCursor } from '../delta/delta-cursor.ts';
import { textOf } from '../json.ts';
import { isGone, propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import type { ExchangeStream } from './exchange-stream.ts';
import { readMessageSteps } from './mail.ts';
import { folderItem, messageScope } from './mail-folders.ts';
import { path, SINGLE } from './mailbox-paths.ts';
import { MESSAGE_QUERY } from './message-item.ts';

/** The one part of the recoverable items that Graph names; https://learn.microsoft.com/graph/api/resources/mailfolder */
export const RECOVERABLE = 'recoverableitemsdeletions';

/**
 * Reads what people removed from Deleted Items, while the mail server keeps it to be recovered. The delta of the folders does not list this
 * folder, so its cursor has a scope of its own.
 */
export async function* readRecoverableItems(reading: Reading, stream: ExchangeStream): AsyncGenerator<SourceEvent> {
  const { connection, request, options } = reading;
  const known = [...request.cursors.keys()].flatMap((scope) => /^recoverable\/(.+)$/.exec(scope)?.[1] ?? []);
  const folder = options.recoverableItems === true ? await findFolder(reading) : null;
  const id = textOf(folder?.['id']);
  for (const gone of known.filter((one) => one !== id))
    yield* [...emptied(scopeOf(request.object.id, gone)), { type: 'removed', id: gone } as const];
  if (folder === null || id === undefined) return;
  yield { type: 'item', item: folderItem(folder, null, RECOVERABLE), contents: [propertiesOf(folder)] };
  const delta = scopeOf(request.object.id, id);
  const from = readCursor(request.cursors.get(delta.scope));
  yield* readMessageSteps(reading, readDelta(connection, delta, from, request.signal), stream);
}

const scopeOf = (user: string, folderId: string): DeltaScope => ({
  ...messageScope(user, folderId, MESSAGE_QUERY),
  scope: `recoverable/${folderId}`,
});

/** `null` where the mailbox has none. */
async function findFolder({ connection, request }: Reading) {
  const { object, signal } = request;
  const call = `${path`/users/${object.id}/mailFolders/${RECOVERABLE}`}?$select=id,displayName,parentFolderId,isHidden`;
  try {
    return await connection.ask({ path: call, headers: SINGLE, signal });
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}
