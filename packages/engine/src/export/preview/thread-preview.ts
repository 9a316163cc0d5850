import { type ThreadOrder, threadOf } from '../../browse/thread.ts';
import type { Page } from '../../catalog/catalog.ts';
import { EngineError } from '../../model/engine-error.ts';
import type { ItemVersion } from '../../model/items.ts';
import type { ExportParts } from '../export-parts.ts';
import { nothingOf } from './item-preview.ts';
import { type PostBounds, postPreview } from './post-preview.ts';
import type { ItemPreview } from './preview.ts';

export interface ThreadMessage extends ItemPreview {
  id: string;
}

const MESSAGES_MAX = 50;
/** Of each message, and of the pictures of a page: those that do not fit are seen when their message is opened. */
const BODY_CHARACTERS_MAX = 50_000;
const PICTURES_BYTES_MAX = 8 * 2 ** 20;

/** A page of a conversation to be looked at. A message that cannot be read says so, and the others are shown. */
export async function threadPreview(parts: ExportParts, order: ThreadOrder): Promise<Page<ThreadMessage>> {
  const limit = Math.min(order.limit, MESSAGES_MAX);
  const { rows, next } = await threadOf(parts.catalog, { ...order, limit }, parts.signal);
  const bounds: PostBounds = { characters: BODY_CHARACTERS_MAX, pictureBytes: PICTURES_BYTES_MAX };
  const messages: ThreadMessage[] = [];
  for (const item of rows) messages.push(await shown(parts, item, bounds));
  return { rows: messages, next };
}

async function shown(parts: ExportParts, item: ItemVersion, bounds: PostBounds): Promise<ThreadMessage> {
  const known = { ...nothingOf(item), id: item.id };
  try {
    return { ...known, ...(await postPreview(parts, item, bounds)) };
  } catch (error) {
    parts.signal.throwIfAborted();
    if (!(error instanceof EngineError)) throw error;
    return { ...known, losses: [`This message cannot be read: ${error.message}`] };
  }
}
