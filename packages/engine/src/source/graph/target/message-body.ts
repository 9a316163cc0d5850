import PostalMime, { type Email } from 'postal-mime';
import { type JsonObject, objectOf, textOf } from '../json.ts';
import type { Body } from './body-text.ts';

/** Parses a message; `null` where it is too broken to parse. Messages within it stay whole. */
export async function parsedMime(mime: Buffer): Promise<Email | null> {
  try {
    return await PostalMime.parse(mime, { forceRfc822Attachments: true });
  } catch {
    return null;
  }
}

export const bodyOfMime = ({ html, text }: Pick<Email, 'html' | 'text'>): Body => ({
  content: html ?? text ?? '',
  isHtml: html !== undefined,
});

/** The body of an item as Graph returns it. https://learn.microsoft.com/graph/api/resources/itembody */
export function bodyOf(item: JsonObject): Body {
  const { content, contentType } = objectOf(item['body']);
  return { content: textOf(content) ?? '', isHtml: textOf(contentType)?.toLowerCase() !== 'text' };
}
