import { EngineError } from '../../../model/engine-error.ts';
import type { ContentName, Item, StoredItem } from '../../../model/items.ts';
import type { SourceContent, SourceEvent } from '../../source.ts';
import type { JsonObject } from '../json.ts';

/** What a person is told of an item that is lost. */
export function lostEvent({ id, kind, name, parentId }: Item, error: unknown): SourceEvent {
  const reason = error instanceof Error ? error.message : String(error);
  return { type: 'lost', item: { id, kind, name, parentId, reason } };
}

/** Gone between the list and the read: it is no loss, and the next list tells of it. */
export const isGone = (error: unknown) => error instanceof EngineError && error.code === 'not-found';

/** Errors that the next item would meet too. */
export function concernsAll(error: unknown): boolean {
  if (!(error instanceof EngineError)) return true;
  return [
    'source-unreachable',
    'consent-missing',
    'credentials-refused',
    'certificate-expired',
    'source-gone',
  ].includes(error.code);
}

/** The content every item has: the JSON as it was read. */
export const propertiesOf = (entity: JsonObject): SourceContent => ({
  name: 'properties',
  bytes: Buffer.from(JSON.stringify(entity)),
});

/** The stored item again, with all its contents as they are: told in a scan because it is still there. */
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
