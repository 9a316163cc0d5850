import type pg from 'pg';
import { type ErasedObjects, withoutObjects } from '../../../model/without-object.ts';
import type { Erasure, ObjectSection } from '../../../repository/commit.ts';
import type { ErasureRecord, VersionCount } from '../../catalog.ts';
import { IS_THERE } from '../objects.ts';
import { type Connection, row, rows } from '../sessions/connection.ts';

/** What must be read of the row before the section of the erasure takes its names away. */
export interface NamedObject {
  key: string;
  name: string;
  address: string | null;
  object_id: string;
}

/** The objects that sections erase, as they are called until then. */
export async function toBeErased(
  connection: Connection,
  repository: number,
  sections: readonly ObjectSection[],
): Promise<NamedObject[]> {
  const keys = sections.filter(({ changes }) => changes.some(({ type }) => type === 'erased')).map(({ key }) => key);
  if (keys.length === 0) return [];
  return rows<NamedObject>(
    connection,
    'SELECT key, name, address, object_id FROM objects WHERE repository = $1 AND key = ANY ($2::text[])',
    [repository, keys],
  );
}

/** Takes all of an object out of the catalog; its row stays, so that its revisions go on counting. */
export async function eraseObject(
  connection: pg.PoolClient,
  { id: object, revision }: { id: number; revision: number },
): Promise<void> {
  for (const table of [
    'restore_point_objects',
    'item_versions',
    'search_entries',
    'unindexed',
    'cursors',
    'lost_items',
    'containers',
  ])
    await connection.query(`DELETE FROM ${table} WHERE object = $1`, [object]);
  await connection.query('UPDATE objects SET erased_revision = $2 WHERE id = $1', [object, revision]);
}

export async function recordErasure(
  connection: pg.PoolClient,
  repository: number,
  run: string,
  { key, kind, at }: ObjectSection,
  revision: number,
  { by, reason, items, bytes }: Erasure,
): Promise<void> {
  await connection.query(
    `INSERT INTO erasures (repository, key, revision, kind, run, erased_at, erased_by, reason, items, bytes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
    [repository, key, revision, kind, run, at, by, reason, items, bytes],
  );
}

const RUNS_A_PAGE = 200;

/** The text of findings that has none, as `applyEnd` writes it. */
const NO_FINDINGS = '{"alerts":[],"failures":[],"lost":[],%"skipped":[]%';

/** Takes the findings of objects that were erased out of all runs. */
export async function eraseFindings(
  connection: pg.PoolClient,
  repository: number,
  objects: readonly NamedObject[],
): Promise<void> {
  if (objects.length === 0) return;
  const erased = await erasedObjects(connection, repository, objects);
  for (let after = 0; ; ) {
    const page = await rows<{ id: number; findings: string }>(
      connection,
      `SELECT id, findings FROM runs WHERE repository = $1 AND id > $2 AND findings NOT LIKE $3 ORDER BY id LIMIT ${RUNS_A_PAGE}`,
      [repository, after, NO_FINDINGS],
    );
    for (const { id, findings } of page) {
      // Written by `applyEnd` alone, members in order: what is left of them is in the same one.
      const rest = JSON.stringify(withoutObjects(JSON.parse(findings), erased));
      if (rest !== findings) await connection.query('UPDATE runs SET findings = $2 WHERE id = $1', [id, rest]);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < RUNS_A_PAGE) return;
    after = last.id;
  }
}

async function erasedObjects(
  connection: Connection,
  repository: number,
  objects: readonly NamedObject[],
): Promise<ErasedObjects> {
  const names = new Set(objects.map(({ name }) => name));
  const others = await rows<{ key: string; name: string }>(
    connection,
    `SELECT o.key, o.name FROM objects o WHERE o.repository = $1 AND ${IS_THERE}`,
    [repository],
  );
  const otherKeys = new Set(others.map(({ key }) => key));
  for (const name of ['', ...others.map((other) => other.name)]) names.delete(name);
  const keys = new Set(objects.map(({ key }) => key));
  const called = new Set(objects.flatMap(({ object_id, address }) => [object_id, address ?? '']).map(lower));
  called.delete('');
  return {
    hasKey: (key) => keys.has(key),
    isOther: (key) => otherKeys.has(key),
    isCalled: (text) => called.has(text),
    isNamed: (name) => names.has(name),
  };
}

const lower = (text: string) => text.toLowerCase();

/** All erasures, the latest first. */
export function listErasures(connection: Connection, repository: number): Promise<ErasureRecord[]> {
  return rows<ErasureRecord>(
    connection,
    `SELECT key, revision, kind, run, erased_at AS at, erased_by AS by, reason, items, bytes FROM erasures
     WHERE repository = $1 ORDER BY erased_at DESC, key`,
    [repository],
  );
}

export async function storeErasedPacks(
  connection: pg.PoolClient,
  repository: number,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  await connection.query(
    `INSERT INTO erased_packs (repository, name) SELECT $1, decode(name, 'hex') FROM unnest($2::text[]) AS pack (name)
     ON CONFLICT DO NOTHING`,
    [repository, names],
  );
}

/** Packs that may have chunks of erased objects. */
export async function erasedPacks(connection: Connection, repository: number): Promise<Set<string>> {
  const found = await rows<{ name: string }>(
    connection,
    `SELECT encode(e.name, 'hex') AS name FROM erased_packs e
     JOIN packs p ON p.repository = e.repository AND p.name = e.name AND NOT p.is_retired WHERE e.repository = $1`,
    [repository],
  );
  return new Set(found.map(({ name }) => name));
}

/** The item versions of objects, and their bytes. */
export async function countVersions(
  connection: Connection,
  repository: number,
  keys: readonly string[],
): Promise<Map<string, VersionCount>> {
  const found = await rows<VersionCount & { key: string }>(
    connection,
    `SELECT o.key, count(v.object) AS items, coalesce(sum(v.size), 0) AS bytes
     FROM objects o LEFT JOIN item_versions v ON v.object = o.id
     WHERE o.repository = $1 AND o.key = ANY ($2::text[]) GROUP BY o.key`,
    [repository, keys],
  );
  return new Map(found.map(({ key, ...count }) => [key, count]));
}

/** Whether journals may still say what was erased: no run came to its end that read all of them, and took it out. */
export async function isErasureUnfinished(connection: Connection, repository: number): Promise<boolean> {
  const found = await row<{ due: boolean }>(
    connection,
    `SELECT EXISTS (SELECT FROM erasures e WHERE e.repository = $1 AND NOT EXISTS (
       SELECT FROM runs r WHERE r.repository = $1 AND r.kind = 'erase' AND r.outcome = 'Success' AND r.run <> e.run
         AND r.started_at >= e.erased_at)) AS due`,
    [repository],
  );
  return found?.due ?? false;
}
