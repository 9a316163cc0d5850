import type { ItemKind, StoredItem } from '../../model/items.ts';
import type { LostItem } from '../../model/outcome.ts';
import type { ObjectKind } from '../../model/protected-object.ts';
import type { CatalogObject } from '../catalog.ts';
import { itemHash, itemOf, OPEN_END, VERSION_COLUMNS, type VersionRow } from './item-record.ts';
import { type Connection, row, rows } from './sessions/connection.ts';

export interface ObjectRow {
  number: number;
  key: string;
  organization: string;
  kind: ObjectKind;
  object_id: string;
  name: string;
  owner: string | null;
  address: string | null;
  revision: number;
  cursors: Record<string, string>;
  lost: string[];
}

/** The columns of an `ObjectRow`, of `objects` as `o`. */
export const OBJECT_COLUMNS = `o.id AS number, o.key, o.organization, o.kind, o.object_id, o.name, o.owner, o.address, o.revision,
  (SELECT coalesce(json_object_agg(scope, value ORDER BY scope), '{}') FROM cursors WHERE object = o.id) AS cursors,
  (SELECT coalesce(json_agg(record ORDER BY item), '[]') FROM lost_items WHERE object = o.id) AS lost`;

/** Of an object that was erased, and not backed up since, there is nothing. */
export const IS_THERE = 'o.revision > o.erased_revision';

const OBJECTS_A_PAGE = 500;

export function catalogObject(found: ObjectRow): CatalogObject {
  const { key, organization, kind, object_id, name, owner, address, revision, cursors, lost } = found;
  return {
    key,
    organizationId: organization,
    kind,
    id: object_id,
    name,
    owner,
    address,
    revision,
    cursors: new Map(Object.entries(cursors)),
    // Written by `applyLost` alone.
    lost: lost.map((record): LostItem => JSON.parse(record)),
  };
}

/** The number of an object in this database, or `null`. */
export async function objectNumber(connection: Connection, repository: number, key: string): Promise<number | null> {
  const found = await row<{ id: number }>(
    connection,
    `SELECT o.id FROM objects o WHERE o.repository = $1 AND o.key = $2 AND ${IS_THERE}`,
    [repository, key],
  );
  return found?.id ?? null;
}

/** The last revision of an object; one that was erased goes on counting. 0: it was never there. */
export async function revisionOf(connection: Connection, repository: number, key: string): Promise<number> {
  const found = await row<{ revision: number }>(
    connection,
    'SELECT revision FROM objects WHERE repository = $1 AND key = $2',
    [repository, key],
  );
  return found?.revision ?? 0;
}

export async function findObject(
  connection: Connection,
  repository: number,
  key: string,
): Promise<CatalogObject | null> {
  const found = await row<ObjectRow>(
    connection,
    `SELECT ${OBJECT_COLUMNS} FROM objects o WHERE o.repository = $1 AND o.key = $2 AND ${IS_THERE}`,
    [repository, key],
  );
  return found && catalogObject(found);
}

/** All objects of a repository in the order of their keys. */
export async function* listObjects(connection: Connection, repository: number): AsyncGenerator<CatalogObject> {
  for (let after = ''; ; ) {
    const page = await rows<ObjectRow>(
      connection,
      `SELECT ${OBJECT_COLUMNS} FROM objects o WHERE o.repository = $1 AND o.key > $2 AND ${IS_THERE} ORDER BY o.key LIMIT ${OBJECTS_A_PAGE}`,
      [repository, after],
    );
    yield* page.map(catalogObject);
    const last = page.at(-1);
    if (last === undefined || page.length < OBJECTS_A_PAGE) return;
    after = last.key;
  }
}

/** Objects by their numbers in this database. */
export async function objectsByNumber(
  connection: Connection,
  numbers: readonly number[],
): Promise<Map<number, CatalogObject>> {
  const found = await rows<ObjectRow>(
    connection,
    `SELECT ${OBJECT_COLUMNS} FROM objects o WHERE o.id = ANY ($1::integer[])`,
    [[...new Set(numbers)]],
  );
  return new Map(found.map((one) => [one.number, catalogObject(one)]));
}

/** The current versions of items, by id; those that are not there are left out. */
export async function currentItems(
  connection: Connection,
  object: number,
  ids: readonly string[],
): Promise<Map<string, StoredItem>> {
  const found = await rows<VersionRow>(
    connection,
    `SELECT ${VERSION_COLUMNS} FROM unnest($2::uuid[]) AS asked (item)
     JOIN item_versions v ON v.object = $1 AND v.item = asked.item AND v.last = ${OPEN_END}
     JOIN containers c ON c.id = v.container`,
    [object, [...new Set(ids)].map(itemHash)],
  );
  return new Map(found.map(itemOf).map((item) => [item.id, item]));
}

export interface ItemPlace {
  id: string;
  parentId: string | null;
}

const IDS_A_PAGE = 5_000;

/** Ids of current items of some kinds with their parents', in one container or (`undefined`) in the whole object. */
export async function* currentIds(
  connection: Connection,
  object: number,
  kinds: readonly ItemKind[],
  container: string | undefined,
): AsyncGenerator<ItemPlace> {
  const containers = await rows<{ id: number; holder: string | null }>(
    connection,
    'SELECT id, holder FROM containers WHERE object = $1 AND ($2::uuid IS NULL OR item = $2) ORDER BY id',
    [object, container ?? null],
  );
  for (const { id, holder } of containers) {
    const parentId: string | null = holder === null ? null : JSON.parse(holder);
    for (const kind of kinds) yield* idsIn(connection, object, id, kind, parentId);
  }
}

async function* idsIn(
  connection: Connection,
  object: number,
  container: number,
  kind: ItemKind,
  parentId: string | null,
): AsyncGenerator<ItemPlace> {
  let after: [string, string] | null = null;
  do {
    const page: { id: string; sort_name: string; item: string }[] = await rows(
      connection,
      `SELECT v.record::json ->> 'id' AS id, v.sort_name, v.item FROM item_versions v
       WHERE v.object = $1 AND v.container = $2 AND v.kind = $3 AND v.last = ${OPEN_END}
         ${after === null ? '' : 'AND (v.sort_name, v.item) > ($4, $5::uuid)'}
       ORDER BY v.sort_name, v.item LIMIT ${IDS_A_PAGE}`,
      [object, container, kind, ...(after ?? [])],
    );
    yield* page.map(({ id }) => ({ id, parentId }));
    const last = page.at(-1);
    after = last === undefined || page.length < IDS_A_PAGE ? null : [last.sort_name, last.item];
  } while (after !== null);
}
