import PostalMime, { type Address, type Email } from 'postal-mime';
import type { NewItem } from '../../target.ts';
import { GraphError } from '../graph-error.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';
import { MESSAGE_QUERY } from '../mailbox/message-item.ts';
import { bareId, bytesOf, type MailboxWriting, type Place, pathOfItem } from './mailbox-writing.ts';
import { differentProperties } from './message-losses.ts';
import { readable } from './unchanged-item.ts';

/** The contract is `MailboxTarget.isUnchanged`, for messages. @param isImported whether the stored one would come by an import, with every property */
export async function isUnchangedMessage(
  writing: MailboxWriting,
  { folderId, id }: Place & { id: string },
  item: NewItem,
  isImported: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const { connection, user } = writing;
  const path = pathOfItem(user, 'message', id, folderId);
  try {
    const query = MESSAGE_QUERY.replace('$select=', '$select=body,');
    const now = await connection.ask({ path: `${path}?${query}`, headers: bareId, signal });
    const different = differentProperties(item.properties, now);
    // Without an import some become what the MIME says of them.
    if (isImported ? different.length > 0 : different.some((name) => !isOfMime(name))) return false;
    const mime = await bytesOf(item, 'mime');
    if (mime === null) return false;
    const email = await PostalMime.parse(mime, { forceRfc822Attachments: true });
    if (different.some((name) => !isAsInMime(name, item.properties, now, email))) return false;
    const says = [email.html ?? email.text, objectOf(now['body'])['content']].map((body) =>
      readable(textOf(body) ?? ''),
    );
    const hasSame = now['hasAttachments'] !== true || (await hasAttachmentsOf(writing, path, email, signal));
    // Of MIME that is broken or signed servers make something else: then it is the same if it is that to the letter.
    return (hasSame && says[0] === says[1]) || (await isMime(writing, path, mime, signal));
  } catch (error) {
    if (error instanceof GraphError && error.status === 404) return false;
    throw error;
  }
}

const MIME_ADDRESSES: Readonly<Record<string, (email: Email) => readonly (Address | undefined)[]>> = {
  from: ({ from }) => [from],
  sender: ({ sender, from }) => [sender ?? from],
  toRecipients: ({ to }) => to ?? [],
  ccRecipients: ({ cc }) => cc ?? [],
  replyTo: ({ replyTo }) => replyTo ?? [],
};
const OF_MIME = new Set([...Object.keys(MIME_ADDRESSES), 'isDraft', 'subject', 'hasAttachments']);

const isOfMime = (name: string) => OF_MIME.has(name);

/** Whether a property that is another than the stored one is what Graph makes of the MIME. */
function isAsInMime(name: string, stored: JsonObject, now: JsonObject, email: Email): boolean {
  if (name === 'isDraft') return stored['isDraft'] !== true; // it makes a draft of all MIME
  if (name === 'subject') return (email.subject ?? '') === (textOf(now['subject']) ?? '');
  if (name === 'hasAttachments') return email.attachments.length > 0 === (now['hasAttachments'] === true);
  return addressText(MIME_ADDRESSES[name]?.(email) ?? []) === addressText(addressesOf(now[name]));
}

function addressesOf(recipients: unknown): { address?: string }[] {
  const all = Array.isArray(recipients) ? objectsOf(recipients) : [objectOf(recipients)];
  return all.map((one) => ({ address: textOf(objectOf(one['emailAddress'])['address']) ?? '' }));
}

const addressText = (all: readonly ({ address?: string | undefined } | undefined)[]) =>
  all
    .map((one) => one?.address?.toLowerCase() ?? '')
    .filter((address) => address !== '')
    .sort()
    .join(' ');

async function isMime(
  { connection }: MailboxWriting,
  messagePath: string,
  mime: Buffer,
  signal: AbortSignal,
): Promise<boolean> {
  return mime.equals(await connection.askBytes({ path: `${messagePath}/$value`, headers: bareId, signal }));
}

/** By their number and their names: their bytes stand in another form there. */
async function hasAttachmentsOf(
  { connection }: MailboxWriting,
  messagePath: string,
  email: Email,
  signal: AbortSignal,
): Promise<boolean> {
  const there: JsonObject[] = [];
  const path = `${messagePath}/attachments?$select=name,size,isInline`;
  for await (const { value } of connection.pages({ path, headers: bareId, signal })) there.push(...value);
  const names = new Set(there.map(({ name }) => textOf(name)));
  return (
    there.length === email.attachments.length &&
    email.attachments.every(({ filename }) => filename == null || filename === '' || names.has(filename))
  );
}
