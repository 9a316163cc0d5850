import { EngineError } from '../../model/engine-error.ts';
import type { ContentName, StoredItem } from '../../model/items.ts';
import type { SourceContent, SourceEvent } from '../source.ts';
import type { JsonObject } from './json.ts';

/** Answered as not found: whether it is gone, only a request for the item itself shows. */
export const isGone = (error: unknown) => error instanceof EngineError && error.code === 'not-found';

/** The content every item has: the JSON as it was read. */
export const propertiesOf = (entity: JsonObject): SourceContent => ({
  name: 'properties',
  bytes: Buffer.from(JSON.stringify(entity)),
});

/** The stored item again, with all its contents as they are: reported in a scan because it still exists. */
export function asStored(stored: StoredItem, parentId: string | null): SourceEvent {
  const { contents, ...item } = stored;
  return {
    type: 'item',
    item: { ...item, parentId },
    contents: contents.map(({ name }: { name: ContentName }) => ({ name, keep: true })),
  };
}

/** In groups of so many. */
export function groupsOf<T>(values: readonly T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let at = 0; at < values.length; at += size) groups.push(values.slice(at, at + size));
  return groups;
}
