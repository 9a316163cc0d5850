import type { Attachment, OutlookItem } from '@keepwatch/outlook-files/outlook-item';
import type { ItemVersion } from '../../model/items.ts';
import type { ExportParts } from '../export-parts.ts';
import { attachmentParts } from '../item-parts.ts';
import { outlookItemOf } from '../outlook/outlook-item-of.ts';
import { type ImageOf, safeHtml } from '../safe-html.ts';
import { cardFacts } from './card-facts.ts';
import { PICTURE_TYPES } from './picture.ts';
import type { ItemPreview } from './preview.ts';

/** More of a body than a person reads, and little enough for a browser. */
const BODY_CHARACTERS_MAX = 1_000_000;
const PICTURE_BYTES_MAX = 2 * 2 ** 20;
const PICTURES_BYTES_MAX = 8 * 2 ** 20;
/** Of pictures as data in the HTML: a body of a megabyte can name one picture a hundred thousand times. */
const PICTURE_CHARACTERS_MAX = (PICTURES_BYTES_MAX / 3) * 4 + 10_000;
const PICTURES: ReadonlySet<string> = new Set(PICTURE_TYPES);

/** A message, event, contact or task as a person looks at it. @throws `damaged` for what cannot be read */
export async function mailPreview(parts: ExportParts, item: ItemVersion): Promise<ItemPreview> {
  const read = await outlookItemOf(parts, item);
  const { bodyHtml, bodyText } = read;
  const shownHtml = bodyHtml?.slice(0, BODY_CHARACTERS_MAX);
  const pictures = shownHtml === undefined ? new Map<string, string>() : await picturesOf(parts, read, shownHtml);
  const message = read.kind === 'message' ? read : null;
  return {
    kind: item.kind,
    subject: read.subject ?? item.name,
    from: message?.from ?? null,
    recipients: message?.recipients ?? [],
    sentAt: message?.sentAt ?? null,
    receivedAt: message?.receivedAt ?? null,
    html: shownHtml === undefined ? null : safeHtml(shownHtml, asFarAsRoom(pictures)),
    text: bodyText?.slice(0, BODY_CHARACTERS_MAX) ?? null,
    isCut: Math.max(bodyHtml?.length ?? 0, bodyText?.length ?? 0) > BODY_CHARACTERS_MAX,
    picture: null,
    facts: cardFacts(read),
    attachments: attachmentParts(read).map(({ part }) => part),
    losses: message?.losses ?? [],
  };
}

/** Gives pictures out, each as often as it is named, until all together are as many as a browser shows. */
function asFarAsRoom(pictures: ReadonlyMap<string, string>): ImageOf {
  let left = PICTURE_CHARACTERS_MAX;
  return (address) => {
    const picture = pictures.get(cidOf(address));
    if (picture === undefined || picture.length > left) return null;
    left -= picture.length;
    return picture;
  };
}

const cidOf = (address: string) => (/^cid:/i.test(address) ? decoded(address.slice(4)).toLowerCase() : '');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Pictures that the body refers to, by their content ids, as data; as many as fit. */
async function picturesOf(parts: ExportParts, { attachments = [] }: OutlookItem, html: string) {
  const pictures = new Map<string, string>();
  const asked = new Set(Array.from(html.matchAll(/cid:([^"'\s>)]+)/gi), ([, id = '']) => decoded(id).toLowerCase()));
  let left = PICTURES_BYTES_MAX;
  for (const attachment of attachments) {
    const id = pictureIdOf(attachment);
    if (id === null || !asked.has(id) || pictures.has(id) || attachment.kind === 'item') continue;
    if (attachment.sizeBytes > Math.min(PICTURE_BYTES_MAX, left)) continue;
    left -= attachment.sizeBytes;
    const bytes: Uint8Array[] = [];
    for await (const piece of attachment.content()) bytes.push(piece);
    parts.signal.throwIfAborted();
    const type = attachment.contentType?.toLowerCase() ?? '';
    pictures.set(id, `data:${type};base64,${Buffer.concat(bytes).toString('base64')}`);
  }
  return pictures;
}

function pictureIdOf(attachment: Attachment): string | null {
  if (attachment.kind === 'item' || attachment.contentId === undefined) return null;
  return PICTURES.has(attachment.contentType?.toLowerCase() ?? '') ? attachment.contentId.toLowerCase() : null;
}
