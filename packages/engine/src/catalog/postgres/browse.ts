import { EngineError } from '../../model/engine-error.ts';
import { ITEM_KINDS, type ItemVersion } from '../../model/items.ts';
import type { BrowseQuery, Page } from '../catalog.ts';
import { itemHash, parentHash, VERSION_COLUMNS, type VersionRow, versionOf } from './item-record.ts';
import { type Connection, row, rows } from './sessions/connection.ts';
import { AHEAD_KINDS, LAST_DATE } from './sort-keys.ts';

const SORT_COLUMNS = {
  name: ['sort_name', 'text'],
  date: ['sort_date', 'bigint'],
  size: ['size', 'bigint'],
} as const;

/** Which versions show at the revision `$2`: those of that revision, or with deleted ones the newest of each item up to it. */
export function visible(showDeleted: boolean | undefined): string {
  return `v.first <= $2 AND v.${showDeleted ? 'next > $2' : 'last >= $2'}`;
}

/**
 * A page of a container at a revision. Each kind has its own range in the index, in the order asked for, and rows are decided within the
 * index: a page costs the same whatever the revision, the folder's size and the page's number.
 */
export async function browse(
  connection: Connection,
  object: number,
  container: number,
  query: BrowseQuery,
): Promise<Page<ItemVersion>> {
  const isDescending = query.sort.startsWith('-');
  const [column, type] = sortColumn(query.sort);
  const order = isDescending ? 'DESC' : 'ASC';
  const after = query.after === undefined ? beginningOf(query) : readCursor(query.after, query.sort);
  const keyset = after === null ? '' : `AND (v.${column}, v.item) ${isDescending ? '<' : '>'} ($7::${type}, $8::uuid)`;
  const found = await rows<VersionRow & { item: string; sort: string | number }>(
    connection,
    `SELECT ${VERSION_COLUMNS}, page.sort, page.item FROM (
       SELECT v.* FROM ${kindsAsked(column)} CROSS JOIN LATERAL (
         SELECT v.${column} AS sort, v.item, v.first FROM item_versions v
         WHERE v.object = $1 AND v.container = $4 AND v.kind = asked.kind AND ${visible(query.showDeleted)} ${keyset}
           ${column === 'sort_date' ? 'AND v.sort_date <= asked.newest' : ''}
         ORDER BY v.${column} ${order}, v.item ${order} LIMIT $5::bigint + $6) v
       ORDER BY v.sort ${order}, v.item ${order} LIMIT $5 OFFSET $6) page
     JOIN item_versions v ON v.object = $1 AND v.item = page.item AND v.first = page.first
     JOIN containers c ON c.id = v.container
     ORDER BY page.sort ${order}, page.item ${order}`,
    [
      object,
      query.revision,
      query.kinds ?? ITEM_KINDS,
      container,
      query.limit + 1,
      query.offset ?? 0,
      ...(after ?? []),
    ],
  );
  const shown = found.slice(0, query.limit);
  const last = shown.at(-1);
  const next = found.length > shown.length && last !== undefined ? cursorText(query.sort, last.sort, last.item) : null;
  return { rows: shown.map(versionOf), next };
}

/**
 * The kinds `$3`; by date each with the latest date that the revision can have. Without it, a page of an early restore point would begin
 * with passing all that came since.
 */
function kindsAsked(column: string): string {
  if (column !== 'sort_date') return 'unnest($3::item_kind[]) AS asked (kind)';
  return `(SELECT kind, CASE WHEN kind = ANY ('{${AHEAD_KINDS}}') THEN ${LAST_DATE} ELSE coalesce(
       (SELECT p.newest FROM restore_point_objects p WHERE p.object = $1 AND p.revision >= $2 ORDER BY p.revision LIMIT 1),
       ${LAST_DATE}) END AS newest
     FROM unnest($3::item_kind[]) AS kinds (kind)) AS asked`;
}

function sortColumn(sort: BrowseQuery['sort']): readonly [string, string] {
  if (sort === 'name' || sort === '-name') return SORT_COLUMNS.name;
  return sort === 'date' || sort === '-date' ? SORT_COLUMNS.date : SORT_COLUMNS.size;
}

/** The place just before all that has an instant, in the order of the list. */
function beginningOf({ from, sort }: BrowseQuery): [number, string] | null {
  if (from === undefined) return null;
  if (sort !== 'date' && sort !== '-date')
    throw new EngineError('bad-request', 'A list begins at an instant only where it is by date.');
  return [
    from.getTime(),
    (sort === 'date' ? '0' : 'f').repeat(32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  ];
}

/** The sort is part of it: a cursor of another order would skip rows silently. */
function cursorText(sort: string, value: string | number, item: string): string {
  return Buffer.from(JSON.stringify([sort, value, item])).toString('base64url');
}

function readCursor(cursor: string, sort: string): [string | number, string] {
  const [of, value, item] = parseCursor(cursor);
  const isValue = sort.endsWith('name') ? typeof value === 'string' : Number.isSafeInteger(value);
  if (of === sort && isValue && (typeof value === 'string' || typeof value === 'number') && isUuid(item)) {
    return [value, item];
  }
  throw new EngineError('bad-request', 'This page no longer fits the list. Start again from its first page.');
}

function parseCursor(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}

/** The number of the container that an item is, or (`null`) of the top; `null` when nothing was ever in it. */
export async function containerNumber(
  connection: Connection,
  object: number,
  parentId: string | null,
): Promise<number | null> {
  const found = await row<{ id: number }>(connection, 'SELECT id FROM containers WHERE object = $1 AND item = $2', [
    object,
    parentHash(parentId),
  ]);
  return found?.id ?? null;
}

/** An item as it was at a revision; with deleted ones, as it was last before that. */
export async function itemAt(
  connection: Connection,
  object: number,
  revision: number,
  id: string,
  showDeleted = false,
): Promise<ItemVersion | null> {
  const found = await row<VersionRow>(
    connection,
    `SELECT ${VERSION_COLUMNS} FROM item_versions v JOIN containers c ON c.id = v.container
     WHERE v.object = $1 AND v.item = $3 AND ${visible(showDeleted)}`,
    [object, revision, itemHash(id)],
  );
  return found && versionOf(found);
}

/** All versions of an item, newest first. */
export async function versionsOf(connection: Connection, object: number, id: string): Promise<ItemVersion[]> {
  const found = await rows<VersionRow>(
    connection,
    `SELECT ${VERSION_COLUMNS} FROM item_versions v JOIN containers c ON c.id = v.container
     WHERE v.object = $1 AND v.item = $2 ORDER BY v.first DESC`,
    [object, itemHash(id)],
  );
  return found.map(versionOf);
}
