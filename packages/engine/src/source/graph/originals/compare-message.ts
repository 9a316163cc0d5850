import { type Comparison, notCompared } from '../../originals.ts';
import { textOf } from '../json.ts';
import { path, SINGLE } from '../mailbox/mailbox-paths.ts';
import type { Asking } from './asking.ts';
import { hashesOf } from './hashes.ts';

/**
 * Compares the stored MIME of a message with that of its mailbox, where the change key is the stored one. Exchange makes the MIME of a message when it
 * is asked for, and documents nowhere that it comes out alike each time: another one is no fault of what is stored.
 * @throws `not-found` for one that is gone
 */
export async function compareMessage({ connection, signal, object, version, restored }: Asking): Promise<Comparison> {
  const mime = restored.get('mime');
  if (mime === undefined) return notCompared('Its text is protected, and was not backed up.');
  const message = path`/users/${object.id}/messages/${version.id}`;
  const now = await connection.ask({ path: `${message}?$select=id,changeKey`, headers: SINGLE, signal });
  if (textOf(now['changeKey']) !== version.details.tag) return { outcome: 'changed', reason: null };
  const theirs = await hashesOf(connection.download({ path: `${message}/$value`, headers: SINGLE, signal }));
  return theirs.sha256 === mime.sha256 ? { outcome: 'same', reason: null } : MADE_OTHERWISE;
}

const MADE_OTHERWISE = notCompared('Microsoft 365 wrote the text of the unchanged message in another way this time.');
