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
 * folder, so its cursor has a scope of its own. Jobs with other options may share the mailbox: it goes on as long as one of them asks for it, and
 * the runs of the others leave it as it is.
 */
export async function* readRecoverableItems(reading: Reading, stream: ExchangeStream): AsyncGenerator<SourceEvent> {
  const { connection, request, options } = reading;
  const isAsked = options.recoverableItems === true;
  const jobs = new Set(jobsOf(request.cursors));
  const job = request.job ?? '';
  if (isAsked !== jobs.has(job)) {
    if (isAsked) jobs.add(job);
    else jobs.delete(job);
    yield { type: 'cursor', scope: JOBS, value: jobs.size === 0 ? null : JSON.stringify([...jobs].sort()) };
  }
  if (!isAsked && jobs.size > 0) return;
  const known = [...request.cursors.keys()].flatMap((scope) => /^recoverable\/(.+)$/.exec(scope)?.[1] ?? []);
  const folder = isAsked ? await findFolder(reading) : null;
  const id = textOf(folder?.['id']);
  for (const gone of known.filter((one) => one !== id))
    yield* [...emptied(scopeOf(request.object.id, gone)), { type: 'removed', id: gone } as const];
  if (folder === null || id === undefined) return;
  yield { type: 'item', item: folderItem(folder, null, RECOVERABLE), contents: [propertiesOf(folder)] };
  const delta = scopeOf(request.object.id, id);
  const from = readCursor(request.cursors.get(delta.scope));
  yield* readMessageSteps(reading, readDelta(connection, delta, from, request.signal), stream);
}

/** The cursor with the ids of the jobs that ask for them. */
const JOBS = 'recoverable-jobs';

function jobsOf(cursors: ReadonlyMap<string, string>): string[] {
  const jobs: unknown = JSON.parse(cursors.get(JOBS) ?? '[]');
  return Array.isArray(jobs) ? jobs.map(String) : [];
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
