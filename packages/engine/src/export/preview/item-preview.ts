import type { CatalogObject } from '../../catalog/catalog.ts';
import type { ItemKind, ItemVersion } from '../../model/items.ts';
import type { ExportParts } from '../export-parts.ts';
import { openPart } from '../item-parts.ts';
import { detailFacts } from './detail-facts.ts';
import { partPreview } from './file-preview.ts';
import { mailPreview } from './mail-preview.ts';
import { pagePreview } from './page-preview.ts';
import { postPreview } from './post-preview.ts';
import type { Fact, ItemPreview, PreviewOrder } from './preview.ts';
import { rowFacts } from './row-preview.ts';

const MAIL_KINDS: ReadonlySet<ItemKind> = new Set(['message', 'event', 'contact', 'task']);
const POST_KINDS: ReadonlySet<ItemKind> = new Set(['post', 'reply', 'chat-message']);

/** What is shown of an item, or of one part of it. @throws `not-found` for a part that it does not have, `damaged` for what cannot be read */
export async function previewOf(parts: ExportParts, { object, item, part }: PreviewOrder): Promise<ItemPreview> {
  if (part !== undefined)
    return { ...nothingOf(item), ...(await partPreview(parts, await openPart(parts, item, part))) };
  if (MAIL_KINDS.has(item.kind)) return mailPreview(parts, item);
  if (POST_KINDS.has(item.kind)) return { ...nothingOf(item), ...(await postPreview(parts, item)) };
  if (item.kind === 'file') return fileOf(parts, item);
  if (item.kind === 'page')
    return { ...nothingOf(item), facts: detailFacts(item), ...(await pagePreview(parts, item)) };
  return { ...nothingOf(item), facts: [...detailFacts(item), ...(await factsOf(parts, object, item))] };
}

/** A file, with what its list says of it. One without bytes is known by that alone. */
async function fileOf(parts: ExportParts, item: ItemVersion): Promise<ItemPreview> {
  const facts = detailFacts(item);
  if (!item.contents.some(({ name }) => name === 'file')) return { ...nothingOf(item), facts };
  const shown = await partPreview(parts, await openPart(parts, item, 'file'));
  return { ...nothingOf(item), ...shown, facts: [...facts, ...shown.facts] };
}

async function factsOf(parts: ExportParts, object: CatalogObject, item: ItemVersion): Promise<readonly Fact[]> {
  return item.kind === 'list-item' ? rowFacts(parts, object, item) : [];
}

/** What is shown of an item of which nothing but its name is known. */
export function nothingOf({ kind, name }: ItemVersion): ItemPreview {
  const people = { from: null, recipients: [], sentAt: null, receivedAt: null };
  const content = { html: null, text: null, isCut: false, picture: null };
  return { kind, subject: name, ...people, ...content, facts: [], attachments: [], losses: [] };
}
