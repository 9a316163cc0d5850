import type { ItemContent } from './item.ts';

/** About what an item takes, in bytes; making the MIME of every message of a list to count it would cost more than the list. */
export function sizeOf(content: ItemContent): number {
  const files = content.attachments.reduce((sum, one) => sum + (one.kind === 'file' ? one.size : 1024), 0);
  return 2048 + files + (content.kind === 'message' ? content.body.length : 0);
}
