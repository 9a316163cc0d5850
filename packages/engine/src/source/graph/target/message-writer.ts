import { EngineError } from '../../../model/engine-error.ts';
import type { NewItem, Written } from '../../target.ts';
import { GraphError } from '../graph-error.ts';
import { textOf } from '../json.ts';
import { path as graphPath } from '../mailbox/mailbox-paths.ts';
import { writeInParts } from './large-message.ts';
import {
  bareId,
  bytesOf,
  deleteOnFailure,
  type MailboxWriting,
  type Place,
  pathOfItem,
  pathOfItems,
  picked,
} from './mailbox-writing.ts';
import { completedMime } from './message-mime.ts';
import { CHANGEABLE, extendedProperties, lossesOf } from './message-properties.ts';

/** A request takes 4 MB, which as base64 are three quarters of that. https://learn.microsoft.com/graph/outlook-send-mime-message */
const MIME_BYTES = 3_000_000;

/**
 * Writes a message from its MIME, so that every byte of it stays: alternatives, messages within it, headers, signatures. What the mailbox knows
 * beside is changed afterwards, and read again: what did not become what it was is reported as lost. That it was sent is always among it,
 * since Graph makes a draft of all MIME, and settles that when it is first saved.
 * https://learn.microsoft.com/graph/api/user-post-messages
 *
 * With an id in the place, an existing message gets what can be changed of any message.
 */
export async function writeMessage(
  writing: MailboxWriting,
  place: Place,
  item: NewItem,
  signal: AbortSignal,
): Promise<Written> {
  const { connection, user } = writing;
  if (place.id !== null) {
    const itemPath = pathOfItem(user, 'message', place.id, place.folderId);
    const body = picked(item.properties, CHANGEABLE);
    await connection.ask({ method: 'PATCH', path: itemPath, headers: bareId, body, signal });
    return { id: place.id, losses: [] };
  }
  const mime = await bytesOf(item, 'mime');
  if (mime === null) throw new EngineError('bad-request', 'A message without its MIME cannot be written.');
  if (mime.length > MIME_BYTES) return writeInParts(writing, place, item, mime, signal);
  try {
    return await writeMime(writing, place, item, mime, signal);
  } catch (error) {
    if (!(error instanceof GraphError) || error.status !== 413) throw error;
    return writeInParts(writing, place, item, mime, signal);
  }
}

async function writeMime(
  writing: MailboxWriting,
  place: Place,
  item: NewItem,
  mime: Buffer,
  signal: AbortSignal,
): Promise<Written> {
  const { connection, user } = writing;
  const whole = completedMime(mime, item.properties);
  const id = await post(writing, place.folderId, whole.toString('base64'), signal);
  const itemPath = pathOfItem(user, 'message', id, place.folderId);
  const losses = await deleteOnFailure(writing, itemPath, signal, async () => {
    const body = {
      ...picked(item.properties, CHANGEABLE),
      singleValueExtendedProperties: extendedProperties(item.properties),
    };
    await connection.ask({ method: 'PATCH', path: itemPath, headers: bareId, body, signal });
    return lossesOf(writing, itemPath, item, signal);
  });
  return {
    id,
    losses: whole === mime ? losses : [...losses, 'its header as it was: fields that the mailbox knew were added'],
  };
}

/** Not every server takes MIME for a folder of its own: then it begins among the drafts. @returns the id */
async function post(writing: MailboxWriting, folderId: string, body: string, signal: AbortSignal): Promise<string> {
  const { connection, user } = writing;
  const call = { method: 'POST', headers: { ...bareId, 'content-type': 'text/plain' }, body, signal } as const;
  try {
    return textOf((await connection.ask({ ...call, path: pathOfItems(user, 'message', folderId) }))['id']) ?? '';
  } catch (error) {
    if (!(error instanceof GraphError) || ![400, 415].includes(error.status)) throw error;
  }
  const draft = textOf((await connection.ask({ ...call, path: graphPath`/users/${user}/messages` }))['id']) ?? '';
  const itemPath = pathOfItem(user, 'message', draft, folderId);
  const move = {
    method: 'POST',
    path: `${itemPath}/move`,
    headers: bareId,
    body: { destinationId: folderId },
  } as const;
  return deleteOnFailure(
    writing,
    itemPath,
    signal,
    async () => textOf((await connection.ask({ ...move, signal }))['id']) ?? draft,
  );
}
