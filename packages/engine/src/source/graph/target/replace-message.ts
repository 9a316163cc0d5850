import { EngineError } from '../../../model/engine-error.ts';
import type { NewItem, Written } from '../../target.ts';
import type { JsonObject } from '../json.ts';
import { MESSAGE_QUERY } from '../mailbox/message-item.ts';
import { type Body, bodyText } from './body-text.ts';
import { bareId, bytesOf, type MailboxWriting, type Place, pathOfItem, takeAway } from './mailbox-writing.ts';
import { bodyOf, bodyOfMime, parsedMime } from './message-body.ts';
import { contentDiffers } from './message-losses.ts';
import { lossesOf } from './message-properties.ts';
import { writeMessage } from './message-writer.ts';

/**
 * Makes a message that exists what was stored: the stored one is written, then the other goes, in this order, so that a death between leaves
 * both and never none. A message that was sent cannot be written as such (`writeMessage`): where it still says what it said, it gets its flags
 * and categories back; where it does not, it is left alone.
 * @throws EngineError `source-refused` for a message that was sent and says something else now
 */
export async function replaceMessage(
  writing: MailboxWriting,
  place: Place & { id: string },
  item: NewItem,
  signal: AbortSignal,
): Promise<Written> {
  const { connection, user } = writing;
  const itemPath = pathOfItem(user, 'message', place.id, place.folderId);
  const now = await connection.ask({ path: `${itemPath}?${WITH_BODY}`, headers: bareId, signal });
  if (item.properties['isDraft'] !== true && now['isDraft'] !== true) {
    if (await saysOther(item, now)) throw refusal();
    await writeMessage(writing, place, item, signal);
    return { id: place.id, losses: await lossesOf(writing, itemPath, item, signal) };
  }
  const made = await writeMessage(writing, { ...place, id: null }, item, signal);
  await takeAway(connection, itemPath, signal);
  return made;
}

const WITH_BODY = MESSAGE_QUERY.replace('$select=', '$select=body,');

const refusal = () =>
  new EngineError(
    'source-refused',
    'Its content was changed, and without an import Microsoft 365 accepts a sent message only as a draft. Keep both, or give the application MailboxItem.ImportExport.All and back up again.',
  );

async function saysOther(item: NewItem, now: JsonObject): Promise<boolean> {
  if (contentDiffers(item.properties, now)) return true;
  const mime = await bytesOf(item, 'mime');
  const email = mime === null ? null : await parsedMime(mime);
  return email === null || wordsOf(bodyOfMime(email)) !== wordsOf(bodyOf(now));
}

/** Signs that have names of their own come as those or as themselves. */
const wordsOf = (body: Body) => bodyText(body).replaceAll(/&\w{2,31};|[^\p{L}\p{N}]/gu, '');
