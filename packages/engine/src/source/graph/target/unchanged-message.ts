import { createHash } from 'node:crypto';
import type { Address, Email } from 'postal-mime';
import type { NewItem } from '../../target.ts';
import { GraphError } from '../graph-error.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';
import { EXTENDED, extendedOf, MESSAGE_QUERY } from '../mailbox/message-item.ts';
import { bodyTextAndLinks } from './body-text.ts';
import { bareId, bytesOf, type MailboxWriting, type Place, pathOfItem } from './mailbox-writing.ts';
import { bodyOf, bodyOfMime, parsedMime } from './message-body.ts';
import { differentProperties } from './message-losses.ts';

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
    if (wasAnsweredSince(item.properties, now)) return false;
    const mime = await bytesOf(item, 'mime');
    const email = mime === null ? null : await parsedMime(mime);
    if (mime === null || email === null) return false;
    if (different.some((name) => !isAsInMime(name, item.properties, now, email))) return false;
    const saysTheSame = bodyTextAndLinks(bodyOfMime(email)) === bodyTextAndLinks(bodyOf(now));
    // Of MIME that is broken or signed servers make something else: then it is the same if it is that to the letter.
    return (
      (saysTheSame && (await hasAttachmentsOf(writing, path, now, email, signal))) ||
      (await isMime(writing, path, mime, signal))
    );
  } catch (error) {
    if (error instanceof GraphError && error.status === 404) return false;
    throw error;
  }
}

/** A message that was never answered or forwarded has no such property, and no server adds one unasked. */
function wasAnsweredSince(stored: JsonObject, now: JsonObject): boolean {
  const verb = (message: JsonObject) => extendedOf(message, EXTENDED.lastVerb) ?? '0';
  return verb(stored) === '0' && verb(now) !== '0';
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

/**
 * Compares attachments by their number, their names, and the bytes of those that are files: a file that is opened, changed and closed is saved
 * into the message. Messages within a message have another form there. Pictures within the text count for `hasAttachments` with no server.
 */
async function hasAttachmentsOf(
  { connection }: MailboxWriting,
  messagePath: string,
  now: JsonObject,
  { attachments }: Email,
  signal: AbortSignal,
): Promise<boolean> {
  if (now['hasAttachments'] !== true && attachments.length === 0) return true;
  const there: JsonObject[] = [];
  const path = `${messagePath}/attachments?$select=id,name,size,isInline`;
  for await (const { value } of connection.pages({ path, headers: bareId, signal })) there.push(...value);
  const names = new Set(there.map(({ name }) => textOf(name)));
  if (there.length !== attachments.length) return false;
  if (!attachments.every(({ filename }) => filename == null || filename === '' || names.has(filename))) return false;
  const hashes = attachments.map(({ content }) =>
    hashOf(typeof content === 'string' ? content : new Uint8Array(content)),
  );
  for (const { id, ...one } of there) {
    if (!/fileAttachment$/i.test(textOf(one['@odata.type']) ?? '')) continue;
    const bytesPath = `${messagePath}/attachments/${encodeURIComponent(textOf(id) ?? '')}/$value`;
    const match = hashes.indexOf(hashOf(await connection.askBytes({ path: bytesPath, headers: bareId, signal })));
    if (match === -1) return false;
    hashes.splice(match, 1);
  }
  return true;
}

const hashOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('base64');
