import { EngineError } from '../../model/engine-error.ts';
import type { ItemKind, ItemVersion } from '../../model/items.ts';
import { itemAt, visible } from './browse.ts';
import { containersBelow, containersNamed } from './container-tree.ts';
import { itemHash, VERSION_COLUMNS, type VersionRow, versionOf } from './item-record.ts';
import { type Connection, row, rows } from './sessions/connection.ts';

const ROWS_A_PAGE = 1_000;
/** Small containers are read together. */
const CONTAINERS_A_PAGE = 200;

/** What a walk goes through. */
export interface Walk {
  object: number;
  revision: number;
  /** The item to begin with; `null`: all of the object. */
  from: string | null;
  showDeleted?: boolean | undefined;
}

/**
 * An item and all below it, containers before what they hold, in pages; no connection is held between them.
 * @throws `not-found`, at the beginning or the end, if a prune has deleted the revision or another catalog has replaced this
 *   one: later pages lack what was there at first, so the result is incomplete
 */
export async function* walk(connection: Connection, what: Walk): AsyncGenerator<ItemVersion> {
  await assertRetained(connection, what);
  yield* versionsOf(connection, what);
  await assertRetained(connection, what);
}

async function assertRetained(connection: Connection, what: Walk): Promise<void> {
  if (await isRetained(connection, what)) return;
  throw new EngineError(
    'not-found',
    'The data was deleted while it was being read, by a prune or by a rebuild of the catalog. Start again, and choose a newer restore point if this one is no longer listed.',
  );
}

async function* versionsOf(connection: Connection, what: Walk): AsyncGenerator<ItemVersion> {
  const { object, revision, from, showDeleted } = what;
  if (from !== null) {
    const item = await itemAt(connection, object, revision, from, showDeleted);
    if (item === null) return;
    yield item;
  }
  for await (const page of pagesBelow(connection, what)) yield* page;
}

/** Whether nothing of the revision has expired: it is in a restore point, or is the present one, or nothing ever expired here. */
async function isRetained(connection: Connection, { object, revision }: Walk): Promise<boolean> {
  const found = await row(
    connection,
    `SELECT FROM objects o JOIN repositories r ON r.id = o.repository WHERE o.id = $1 AND (r.expired_before IS NULL OR o.revision = $2
       OR EXISTS (SELECT FROM restore_point_objects p WHERE p.object = o.id AND p.revision = $2))`,
    [object, revision],
  );
  return found !== null;
}

async function* pagesBelow(connection: Connection, what: Walk): AsyncGenerator<ItemVersion[]> {
  const containers = await containersOf(connection, what);
  for (let at = 0; at < containers.length; ) {
    const some = containers.slice(at, at + CONTAINERS_A_PAGE);
    const page = await pageOf(connection, what, some, null);
    yield shown(page, what.from);
    const last = page.at(-1);
    at += some.length;
    if (last === undefined || page.length < ROWS_A_PAGE) continue;
    // The page was full within this container: first the rest of it alone, then the next ones.
    yield* restOf(connection, what, last);
    at += some.indexOf(last.container) + 1 - some.length;
  }
}

async function* restOf(connection: Connection, what: Walk, after: WalkRow): AsyncGenerator<ItemVersion[]> {
  for (let last: WalkRow | undefined = after; last !== undefined; ) {
    const page: WalkRow[] = await pageOf(connection, what, [last.container], last);
    yield shown(page, what.from);
    last = page.length < ROWS_A_PAGE ? undefined : page.at(-1);
  }
}

interface WalkRow extends VersionRow {
  container: number;
  item: string;
  sort_name: string;
  kind: ItemKind;
}

/**
 * Rows of some containers, one container after the other; only the last of them may be cut off. `unnest` gives the containers in their
 * order and LATERAL reads them one by one, so that LIMIT ends the reading where the page is full.
 */
function pageOf(
  connection: Connection,
  { object, revision, showDeleted }: Walk,
  containers: readonly number[],
  after: WalkRow | null,
): Promise<WalkRow[]> {
  return rows<WalkRow>(
    connection,
    `SELECT ${VERSION_COLUMNS}, v.container, v.item, v.sort_name
     FROM unnest($3::integer[]) AS asked (container) CROSS JOIN LATERAL (
       SELECT v.* FROM item_versions v WHERE v.object = $1 AND v.container = asked.container AND ${visible(showDeleted)}
         ${after === null ? '' : 'AND (v.kind, v.sort_name, v.item) > ($4::item_kind, $5, $6::uuid)'}
       ORDER BY v.kind, v.sort_name, v.item LIMIT ${ROWS_A_PAGE}) v
     JOIN containers c ON c.id = v.container LIMIT ${ROWS_A_PAGE}`,
    [object, revision, containers, ...(after === null ? [] : [after.kind, after.sort_name, after.item])],
  );
}

/** The item the walk began with was returned already: it may be within itself. */
function shown(page: readonly WalkRow[], from: string | null): ItemVersion[] {
  return page.map(versionOf).filter(({ id }) => id !== from);
}

async function containersOf(connection: Connection, what: Walk): Promise<number[]> {
  const { object, revision, from, showDeleted } = what;
  const tops = await containersNamed(connection, object, from === null ? null : [from]);
  return containersBelow(connection, object, revision, tops, showDeleted);
}

/** What is weighed. */
export interface Weighed {
  object: number;
  revision: number;
  /** Items with all below them; `null`: all of the object. */
  items: readonly string[] | null;
}

/** Count and bytes of items and all below them, each once, or of all of the object. */
export async function weigh(
  connection: Connection,
  { object, revision, items }: Weighed,
): Promise<{ items: number; bytes: number }> {
  const tops = await containersNamed(connection, object, items);
  const containers = await containersBelow(connection, object, revision, tops, false);
  const sum = await row<{ items: number; bytes: number }>(
    connection,
    `SELECT count(*) AS items, coalesce(sum(v.size), 0) AS bytes FROM item_versions v
     WHERE v.object = $1 AND ${visible(false)} AND (v.container = ANY ($3::integer[]) OR v.item = ANY ($4::uuid[]))`,
    [object, revision, containers, (items ?? []).map(itemHash)],
  );
  return sum ?? { items: 0, bytes: 0 };
}
