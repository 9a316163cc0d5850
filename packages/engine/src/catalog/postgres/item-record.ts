import { hash } from 'node:crypto';
import type { ItemKind, ItemVersion, Segment, StoredContent, StoredItem } from '../../model/items.ts';

/** A revision that never comes: the open end of a version. */
export const OPEN_END = 2_147_483_647;
/** The parent of items at the top of an object. */
export const TOP = '00000000-0000-0000-0000-000000000000';

/** The 16 bytes under which an item id of the source is found, as a UUID. */
export function itemHash(id: string): string {
  return hash('sha256', id, 'hex').slice(0, 32);
}

export function parentHash(parentId: string | null): string {
  return parentId === null ? TOP : itemHash(parentId);
}

/** What a row says beside `record`. */
export interface VersionRow {
  kind: ItemKind;
  size: number;
  first: number;
  last: number;
  ended_at: Date | null;
  record: string;
  /** Of the container: the parent's id as JSON. */
  holder: string | null;
}

/** The columns of a `VersionRow`, of `item_versions` as `v` and its `containers` as `c`. */
export const VERSION_COLUMNS = 'v.kind, v.size, v.first, v.last, v.ended_at, v.record, c.holder';

/** What of an item has no column: as JSON in the order of docs/repository-format.md, 7, so that equal items have equal records. */
export function recordOf({ id, name, modifiedAt, details, contents }: StoredItem): string {
  return JSON.stringify({ id, name, modifiedAt, details, contents: contents.map(contentRecord) });
}

function contentRecord(content: StoredContent) {
  const { name, sizeBytes } = content;
  return 'segments' in content
    ? { name, sizeBytes, segments: content.segments.map(segmentRecord) }
    : { name, sizeBytes, list: content.list.map(segmentRecord) };
}

function segmentRecord(segment: Segment): Segment {
  return 'base64' in segment ? { base64: segment.base64, end: segment.end, of: segment.of } : segment;
}

interface ItemRecord {
  id: string;
  name: string;
  modifiedAt: string | null;
  details: StoredItem['details'];
  contents: StoredContent[];
}

export function versionOf({ kind, size, first, last, ended_at, record, holder }: VersionRow): ItemVersion {
  // Written by `recordOf` alone.
  const { modifiedAt, ...rest }: ItemRecord = JSON.parse(record);
  return {
    ...rest,
    kind,
    parentId: holder === null ? null : JSON.parse(holder),
    sizeBytes: size,
    modifiedAt: modifiedAt === null ? null : new Date(modifiedAt),
    firstRevision: first,
    lastRevision: last === OPEN_END ? null : last,
    endedAt: ended_at,
  };
}

/** An item alone, without when it was there. */
export function itemOf(row: VersionRow): StoredItem {
  const { firstRevision: _first, lastRevision: _last, endedAt: _ended, ...item } = versionOf(row);
  return item;
}
