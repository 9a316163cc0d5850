import { isDeepStrictEqual } from 'node:util';
import type { SourceEvent } from '../../source.ts';
import { ranToTheDay, stillAsks } from '../asking-jobs.ts';
import { type DeltaScope, emptied, readDelta } from '../delta/delta.ts';
import { readCursor } from '../delta/delta-cursor.ts';
import { numberOf, objectOf, textOf } from '../json.ts';
import { isGone, propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import type { ExchangeStream } from './exchange-stream.ts';
import { readMessageSteps } from './mail.ts';
import { folderItem, messageScope, recoverableFoldersOf } from './mail-folders.ts';
import { path, SINGLE } from './mailbox-paths.ts';
import { MESSAGE_QUERY } from './message-item.ts';

/** The one part of the recoverable items that Graph names; https://learn.microsoft.com/graph/api/resources/mailfolder */
export const RECOVERABLE = 'recoverableitemsdeletions';

/**
 * Reads what people removed from Deleted Items, while the mail server keeps it to be recovered. The delta of the folders does not list this
 * folder, so its cursor has a scope of its own. Jobs with other options may share the mailbox: it goes on as long as one of them asks for it, and
 * the runs of the others leave it as it is. Longer than for the 30 days that a job without runs asks for them Exchange keeps nothing:
 * https://learn.microsoft.com/exchange/recipients-in-exchange-online/manage-user-mailboxes/change-deleted-item-retention
 */
export async function* readRecoverableItems(reading: Reading, stream: ExchangeStream): AsyncGenerator<SourceEvent> {
  const { connection, request, options } = reading;
  const isAsked = options.recoverableItems === true;
  const stored = jobsOf(request.cursors);
  const jobs = asking(stored, request.job ?? '', isAsked, connection.serverNow());
  if (!isDeepStrictEqual(jobs, stored))
    yield { type: 'cursor', scope: JOBS, value: jobs.size === 0 ? null : JSON.stringify(Object.fromEntries(jobs)) };
  if (!isAsked && jobs.size > 0) return;
  const known = recoverableFoldersOf(request.cursors);
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

/** The cursor with the ids of the jobs that ask for them, and when each ran last, to the day. */
const JOBS = 'recoverable-jobs';

function jobsOf(cursors: ReadonlyMap<string, string>): Map<string, number> {
  const jobs: unknown = JSON.parse(cursors.get(JOBS) ?? '{}');
  return new Map(Object.entries(objectOf(jobs)).map(([job, ranMs]) => [job, numberOf(ranMs) ?? 0]));
}

/** The jobs that ask for them after this run of one of them. */
function asking(
  stored: ReadonlyMap<string, number>,
  job: string,
  isAsked: boolean,
  nowMs: number,
): Map<string, number> {
  const jobs = new Map([...stored].filter(([, ranMs]) => stillAsks(ranMs, nowMs)));
  if (isAsked) jobs.set(job, ranToTheDay(jobs.get(job), nowMs));
  else jobs.delete(job);
  return jobs;
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
