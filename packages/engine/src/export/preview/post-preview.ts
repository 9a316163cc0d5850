import type { ItemVersion } from '../../model/items.ts';
import { instantOf, objectOf, objectsOf, textOf } from '../../source/graph/json.ts';
import { type ExportParts, readProperties, readWhole } from '../export-parts.ts';
import { hostedImage, reactionCounts } from '../message-pages.ts';
import { safeHtml } from '../safe-html.ts';
import { pictureTypeOf } from './picture.ts';
import { factsOf, type ItemPreview, instantFacts } from './preview.ts';

const BODY_CHARACTERS_MAX = 200_000;
const PICTURE_BYTES_MAX = 2 * 2 ** 20;
const PICTURES_BYTES_MAX = 8 * 2 ** 20;

/** How much is shown. Pictures use it up, so that several messages share it. */
export interface PostBounds {
  characters: number;
  pictureBytes: number;
}

/** A post, a reply or a message of a chat: who wrote it when, its text with its pictures, what was attached and how others reacted. */
export async function postPreview(
  parts: ExportParts,
  item: ItemVersion,
  bounds: PostBounds = { characters: BODY_CHARACTERS_MAX, pictureBytes: PICTURES_BYTES_MAX },
): Promise<Pick<ItemPreview, 'from' | 'sentAt' | 'html' | 'text' | 'isCut' | 'facts'>> {
  const properties = await readProperties(parts, item);
  const { content, contentType } = objectOf(properties['body']);
  const body = textOf(content) ?? '';
  const shown = body.slice(0, bounds.characters);
  const isHtml = textOf(contentType)?.toLowerCase() === 'html';
  const images = isHtml ? await picturesOf(parts, item, bounds) : new Map<string, string>();
  const attached = objectsOf(properties['attachments']).flatMap(({ name }) => textOf(name) ?? []);
  const reactions = reactionCounts(properties).map(([name, count]) => `${name} ${count}`);
  const dateAt = (name: string) => new Date(instantOf(properties[name]) ?? Number.NaN);
  return {
    from: item.details.from === undefined ? null : { name: item.details.from, email: '' },
    sentAt: item.details.sentAt === undefined ? null : new Date(item.details.sentAt),
    html: isHtml ? safeHtml(shown, (address) => hostedImage(address, images)) : null,
    text: isHtml ? null : shown,
    isCut: body.length > bounds.characters,
    facts: [
      ...instantFacts({ Edited: dateAt('lastEditedDateTime'), Deleted: dateAt('deletedDateTime') }),
      ...factsOf({ Attached: attached.join(', '), Reactions: reactions.join(', ') }),
    ],
  };
}

/** Pictures that Teams stores with the message, as data, by their ids; as many as fit. */
async function picturesOf(parts: ExportParts, item: ItemVersion, bounds: PostBounds): Promise<Map<string, string>> {
  const pictures = new Map<string, string>();
  for (const content of item.contents.filter(({ name }) => name.startsWith('hosted/'))) {
    if (content.sizeBytes > Math.min(PICTURE_BYTES_MAX, bounds.pictureBytes)) continue;
    bounds.pictureBytes -= content.sizeBytes;
    const bytes = await readWhole(parts, content);
    const type = pictureTypeOf(bytes);
    if (type !== null)
      pictures.set(content.name.slice('hosted/'.length), `data:${type};base64,${bytes.toString('base64')}`);
  }
  return pictures;
}
