import { EngineError } from '../../model/engine-error.ts';
import { ITEM_KINDS, type ItemKind } from '../../model/items.ts';
import type { ChangesQuery, ItemChange, Page } from '../catalog.ts';
import { containersBelow, containersNamed } from './container-tree.ts';
import { VERSION_COLUMNS, type VersionRow, versionOf } from './item-record.ts';
import { type Connection, rows } from './sessions/connection.ts';

/** Containers of which a statement asks, and a page at most: one that finds little is short, and the next goes on where it ended. */
const CONTAINERS_A_STATEMENT = 200;
const CONTAINERS_A_PAGE = 5_000;

/** Where the next page begins: behind a row of a container, or at its beginning. */
type Place = readonly [container: number, kind: ItemKind | null, name: string, item: string];

/** What differs between two revisions of an object, in one container and all below it: container by container, and by name within each. */
export async function changesOf(
  connection: Connection,
  object: number,
  query: ChangesQuery,
): Promise<Page<ItemChange>> {
  const containers = await containersOf(connection, object, query);
  const at = query.after === undefined ? null : readCursor(query.after);
  const first = at === null ? 0 : containers.indexOf(at[0]);
  if (first < 0) throw staleCursor();
  const found: ChangeRow[] = [];
  const end = Math.min(containers.length, first + CONTAINERS_A_PAGE);
  let place = at;
  for (let from = first; from < end && found.length <= query.limit; from += CONTAINERS_A_STATEMENT) {
    const some = containers.slice(from, Math.min(end, from + CONTAINERS_A_STATEMENT));
    found.push(
      ...(await rowsOf(connection, object, query, { some, containers, place, limit: query.limit + 1 - found.length })),
    );
    place = null;
  }
  return pageOf(found, query.limit, containers[end]);
}

function pageOf(found: readonly ChangeRow[], limit: number, following: number | undefined): Page<ItemChange> {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const isFull = found.length > limit && last !== undefined;
  const next: Place | null = isFull
    ? [last.container, last.kind, last.sort_name, last.item]
    : following === undefined
      ? null
      : [following, null, '', ''];
  return { rows: shown.map(changeOf), next: next === null ? null : cursorText(next) };
}

/** The containers of both revisions: what vanished may have been in one that vanished. */
async function containersOf(
  connection: Connection,
  object: number,
  { parentId, from, to }: ChangesQuery,
): Promise<number[]> {
  const tops = await containersNamed(connection, object, parentId === null ? null : [parentId]);
  const [now, before] = [
    await containersBelow(connection, object, to, tops, false),
    await containersBelow(connection, object, from, tops, false),
  ];
  return [...new Set([...now, ...before])];
}

interface ChangeRow extends VersionRow {
  container: number;
  item: string;
  sort_name: string;
  what: ItemChange['what'];
  /** The version at the earlier revision, of what changed. */
  other: VersionRow | null;
}

interface Asked {
  some: readonly number[];
  containers: readonly number[];
  place: Place | null;
  limit: number;
}

/**
 * Versions that one of the revisions has and the other has not. An item that changed has two of them and is given once: as it is at the later
 * revision; where it was moved out of what is compared, as it was before. What is the same is passed within the index, as in browse.ts.
 */
function rowsOf(connection: Connection, object: number, query: ChangesQuery, asked: Asked): Promise<ChangeRow[]> {
  const { some, containers, place, limit } = asked;
  const behind = place === null || place[1] === null ? null : place;
  return rows<ChangeRow>(
    connection,
    `SELECT ${VERSION_COLUMNS}, v.container, v.item, v.sort_name, changed.what,
       CASE WHEN o.item IS NOT NULL THEN json_build_object('kind', o.kind, 'size', o.size, 'first', o.first, 'last', o.last,
         'record', o.record, 'holder', oc.holder) END AS other
     FROM unnest($4::integer[]) WITH ORDINALITY AS asked (container, place) CROSS JOIN LATERAL (
       SELECT k.kind, k.sort_name, k.item, k.first, o.first AS other, ${WHAT} AS what FROM item_versions k
       LEFT JOIN item_versions o ON o.object = k.object AND o.item = k.item
         AND ((${isAt('k', '$3')} AND ${isAt('o', '$2')}) OR (NOT (${isAt('k', '$3')}) AND ${isAt('o', '$3')}))
       WHERE k.object = $1 AND k.container = asked.container AND k.kind = ANY ($5::item_kind[])
         AND (${isAt('k', '$2')}) <> (${isAt('k', '$3')}) ${sideOf(query.what)} AND ${WHAT} = ANY ($7::text[])
         AND (o.item IS NULL OR (${isAt('k', '$3')}) OR o.container <> ALL ($6::integer[]))
         ${behind === null ? '' : 'AND (asked.place > 1 OR (k.kind, k.sort_name, k.item) > ($9::item_kind, $10, $11::uuid))'}
       ORDER BY k.kind, k.sort_name, k.item LIMIT $8) changed
     JOIN item_versions v ON v.object = $1 AND v.item = changed.item AND v.first = changed.first
     JOIN containers c ON c.id = v.container
     LEFT JOIN item_versions o ON o.object = $1 AND o.item = changed.item AND o.first = changed.other
     LEFT JOIN containers oc ON oc.id = o.container
     ORDER BY asked.place, changed.kind, changed.sort_name, changed.item LIMIT $8`,
    [
      object,
      query.from,
      query.to,
      some,
      query.kinds ?? ITEM_KINDS,
      containers,
      query.what ?? CHANGES,
      limit,
      ...(behind === null ? [] : behind.slice(1)),
    ],
  );
}

const isAt = (alias: string, revision: string) => `${alias}.first <= ${revision} AND ${alias}.last >= ${revision}`;

/** What vanished has a version at the earlier revision alone, what appeared at the later: where one of them is asked for, the others are not looked up. */
function sideOf(what: ChangesQuery['what'] = CHANGES): string {
  const [only, ...others] = what;
  if (others.length > 0 || only === 'changed') return '';
  return `AND ${isAt('k', only === 'vanished' ? '$2' : '$3')}`;
}

const CHANGES = ['appeared', 'changed', 'vanished'] as const;
const WHAT = `CASE WHEN o.item IS NOT NULL THEN 'changed' WHEN ${isAt('k', '$3')} THEN 'appeared' ELSE 'vanished' END`;

function changeOf(row: ChangeRow): ItemChange {
  const { what, other } = row;
  return {
    what,
    version: versionOf(row),
    other: other === null ? null : versionOf({ ...other, ended_at: null }),
  };
}

function cursorText(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function readCursor(cursor: string): Place {
  const parts = parsed(cursor);
  const [container, kind, name, item] = parts;
  const known = kind === null ? null : ITEM_KINDS.find((one) => one === kind);
  if (!Number.isSafeInteger(container) || known === undefined || typeof name !== 'string' || typeof item !== 'string')
    throw staleCursor();
  if (known !== null && !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(item)) throw staleCursor();
  return [Number(container), known, name, item];
}

function parsed(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function staleCursor(): EngineError {
  return new EngineError('bad-request', 'This page no longer fits the comparison. Start again from its first page.');
}
