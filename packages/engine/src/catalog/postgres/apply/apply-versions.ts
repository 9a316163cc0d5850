import type pg from 'pg';
import { type CopyValue, copyRows } from '../copy-rows.ts';
import { OPEN_END, parentHash, recordOf } from '../item-record.ts';
import { rows } from '../sessions/connection.ts';
import { sortDate, sortName } from '../sort-keys.ts';
import type { EndedVersion, NewVersion, VersionChanges } from './version-changes.ts';

export interface ChangedObject {
  object: number;
  changes: VersionChanges;
  /** A new object has nothing to end. */
  isNew: boolean;
}

/** Items by object and hash (`itemKey`), whose entries of the search go on. */
export type FoundAsBefore = ReadonlySet<string>;

export function itemKey(object: number, hash: string): string {
  return `${object} ${hash}`;
}

const BY_TABLE = ['enable_hashjoin', 'enable_mergejoin', 'enable_seqscan'];

/** A table that grows by the thousand has no statistics yet by which a plan could be chosen: all is found by its index, until the transaction ends. */
export async function findByIndex(connection: pg.PoolClient): Promise<void> {
  await connection.query(BY_TABLE.map((name) => `SET LOCAL ${name} = off`).join('; '));
}

/** The same for as long as the work takes. */
export async function findingByIndex(connection: pg.PoolClient, work: () => Promise<void>): Promise<void> {
  await findByIndex(connection);
  await work();
  await connection.query(BY_TABLE.map((name) => `SET LOCAL ${name} = on`).join('; '));
}

/**
 * Applies what happened to items, cursors and lost items of many objects.
 * @param asBefore what is not to be indexed again; `null` where nothing is indexed for the search yet
 */
export async function applyChanges(
  connection: pg.PoolClient,
  repository: number,
  objects: readonly ChangedObject[],
  asBefore: FoundAsBefore | null = null,
): Promise<void> {
  const ended = endedVersions(objects);
  await endRows(connection, 'item_versions', ended);
  if (asBefore !== null) {
    const found = ended.filter(({ object, hash }) => !asBefore.has(itemKey(object, hash)));
    await endRows(connection, 'search_entries', found);
  }
  await addVersions(connection, repository, objects, asBefore);
  await applyCursors(connection, objects);
  await applyLost(connection, objects);
}

interface EndedRow extends EndedVersion {
  object: number;
  hash: string;
}

function endedVersions(objects: readonly ChangedObject[]): EndedRow[] {
  return objects.flatMap(({ object, changes, isNew }) =>
    isNew ? [] : [...changes.ended].map(([hash, version]) => ({ object, hash, ...version })),
  );
}

/** Entries of the search have no instant at which they ended: that of the version is what counts. */
async function endRows(
  connection: pg.PoolClient,
  table: 'item_versions' | 'search_entries',
  ended: readonly EndedRow[],
): Promise<void> {
  if (ended.length === 0) return;
  const endedAt = table === 'item_versions' ? ', ended_at = coalesce(v.ended_at, e.ended_at)' : '';
  await connection.query(
    `UPDATE ${table} v SET last = least(v.last, e.last), next = e.next${endedAt}
     FROM unnest($1::integer[], $2::uuid[], $3::integer[], $4::integer[], $5::timestamptz[]) AS e (object, item, last, next, ended_at)
     WHERE v.object = e.object AND v.item = e.item AND v.next = ${OPEN_END}`,
    [
      ended.map(({ object }) => object),
      ended.map(({ hash }) => hash),
      ended.map(({ last }) => last),
      ended.map(({ next }) => next),
      ended.map((one) => one.endedAt),
    ],
  );
}

async function addVersions(
  connection: pg.PoolClient,
  repository: number,
  objects: readonly ChangedObject[],
  asBefore: FoundAsBefore | null,
): Promise<void> {
  if (!objects.some(({ changes }) => changes.versions.length > 0)) return;
  const containers = await containersOf(connection, objects);
  await copyRows(
    connection,
    'item_versions (object, container, item, kind, sort_name, sort_date, size, first, last, next, ended_at, record)',
    versionRows(objects, containers),
  );
  await copyRows(
    connection,
    'unindexed (repository, object, item, first)',
    objects.flatMap(({ object, changes }) =>
      changes.versions
        .filter(({ hash }) => asBefore?.has(itemKey(object, hash)) !== true)
        .map(({ hash, first }): CopyValue[] => [repository, object, hash, first]),
    ),
  );
}

function* versionRows(
  objects: readonly ChangedObject[],
  containers: ReadonlyMap<string, number>,
): Generator<CopyValue[]> {
  for (const { object, changes } of objects)
    for (const version of changes.versions)
      yield versionRow(object, containers.get(`${object} ${parentHash(version.item.parentId)}`) ?? 0, version);
}

function versionRow(object: number, container: number, version: NewVersion): CopyValue[] {
  const { item, hash, first, last, next, endedAt } = version;
  const sorts = [storable(sortName(item.name)), sortDate(item), item.sizeBytes];
  const ends = [first, last, next, endedAt?.toISOString() ?? null];
  return [object, container, hash, item.kind, ...sorts, ...ends, recordOf(item)];
}

/**
 * The numbers of all parents that items name, by object and hash. Those that were never named before get one, in the order in which they are named:
 * in that order they are walked later, and so restored.
 */
async function containersOf(
  connection: pg.PoolClient,
  objects: readonly ChangedObject[],
): Promise<Map<string, number>> {
  const named = new Map<string, { object: number; hash: string; holder: string | null }>();
  for (const { object, changes } of objects)
    for (const { item } of changes.versions) {
      const hash = parentHash(item.parentId);
      const holder = item.parentId === null ? null : JSON.stringify(item.parentId);
      named.set(`${object} ${hash}`, { object, hash, holder });
    }
  const all = [...named.values()];
  const found = await rows<{ id: number; object: number; item: string }>(
    connection,
    `WITH named AS (SELECT * FROM unnest($1::integer[], $2::uuid[], $3::text[]) WITH ORDINALITY AS named (object, item, holder, at)),
     added AS (
       INSERT INTO containers (object, item, holder)
       SELECT object, item, holder FROM named
       WHERE NOT EXISTS (SELECT FROM containers c WHERE c.object = named.object AND c.item = named.item) ORDER BY at
       RETURNING id, object, item)
     SELECT id, object, item FROM added
     UNION ALL SELECT c.id, c.object, c.item FROM named JOIN containers c ON c.object = named.object AND c.item = named.item`,
    [all.map(({ object }) => object), all.map(({ hash }) => hash), all.map(({ holder }) => holder)],
  );
  const ids = new Map(found.map(({ id, object, item }) => [`${object} ${item.replaceAll('-', '')}`, id]));
  return new Map(
    [...named].map(([key, { object, hash }]) => [key, ids.get(`${object} ${hash.replaceAll('-', '')}`) ?? 0]),
  );
}

async function applyCursors(connection: pg.PoolClient, objects: readonly ChangedObject[]): Promise<void> {
  const all = objects.flatMap(({ object, changes }) =>
    [...changes.cursors].map(([scope, value]) => ({ object, scope, value })),
  );
  const [removed, stored] = [all.filter(({ value }) => value === null), all.filter(({ value }) => value !== null)];
  if (removed.length > 0)
    await connection.query(
      `DELETE FROM cursors USING unnest($1::integer[], $2::text[]) AS c (object, scope)
       WHERE cursors.object = c.object AND cursors.scope = c.scope`,
      [removed.map(({ object }) => object), removed.map(({ scope }) => scope)],
    );
  if (stored.length > 0)
    await connection.query(
      `INSERT INTO cursors (object, scope, value) SELECT * FROM unnest($1::integer[], $2::text[], $3::text[])
       ON CONFLICT (object, scope) DO UPDATE SET value = excluded.value`,
      [stored.map(({ object }) => object), stored.map(({ scope }) => scope), stored.map(({ value }) => value)],
    );
}

async function applyLost(connection: pg.PoolClient, objects: readonly ChangedObject[]): Promise<void> {
  const all = objects.flatMap(({ object, changes }) =>
    [...changes.lost].map(([hash, record]) => ({ object, hash, record })),
  );
  const [found, lost] = [all.filter(({ record }) => record === null), all.filter(({ record }) => record !== null)];
  if (found.length > 0)
    await connection.query(
      `DELETE FROM lost_items USING unnest($1::integer[], $2::uuid[]) AS l (object, item)
       WHERE lost_items.object = l.object AND lost_items.item = l.item`,
      [found.map(({ object }) => object), found.map(({ hash }) => hash)],
    );
  if (lost.length > 0)
    await connection.query(
      `INSERT INTO lost_items (object, item, record) SELECT * FROM unnest($1::integer[], $2::uuid[], $3::text[])
       ON CONFLICT (object, item) DO UPDATE SET record = excluded.record`,
      [lost.map(({ object }) => object), lost.map(({ hash }) => hash), lost.map(({ record }) => record)],
    );
}

/** PostgreSQL's texts hold every character but one. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
