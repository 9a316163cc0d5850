import type pg from 'pg';
import { withoutObject } from '../../model/without-object.ts';
import type { Erasure, ObjectSection } from '../../repository/commit.ts';
import type { ErasureRecord, ErasureUse, ReadList } from '../catalog.ts';
import { chunksOf, versionsOfObject } from './chunk-use.ts';
import { locateChunks } from './chunks.ts';
import { type Connection, row, rows } from './connection.ts';
import { objectNumber } from './objects.ts';

const CHUNKS_A_QUESTION = 5_000;

/** What must be read of the row before the section of the erasure takes its names away. */
interface Named {
  name: string;
  address: string | null;
  object_id: string;
}

export async function namesOf(connection: Connection, repository: number, key: string): Promise<readonly string[]> {
  const found = await row<Named>(
    connection,
    'SELECT name, address, object_id FROM objects WHERE repository = $1 AND key = $2',
    [repository, key],
  );
  return found === null ? [] : [found.name, found.address, found.object_id].filter((name) => name !== null);
}

/** Takes all of an object out of the catalog; its row stays, so that its revisions go on counting. */
export async function eraseObject(
  connection: pg.PoolClient,
  repository: number,
  { id: object, revision }: { id: number; revision: number },
  names: readonly string[],
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
  await eraseFindings(connection, repository, names);
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

async function eraseFindings(connection: pg.PoolClient, repository: number, names: readonly string[]): Promise<void> {
  const texts = names.filter((name) => name !== '').map((name) => JSON.stringify(name).slice(1, -1));
  const found = await rows<{ id: number; findings: string }>(
    connection,
    `SELECT id, findings FROM runs WHERE repository = $1 AND findings IS NOT NULL
       AND EXISTS (SELECT FROM unnest($2::text[]) AS name WHERE strpos(findings, name) > 0)`,
    [repository, texts],
  );
  for (const { id, findings } of found) {
    // Written by `applyEnd` alone, members in order: what is left of them is in the same one.
    const rest = JSON.stringify(withoutObject(JSON.parse(findings), names));
    if (rest !== findings) await connection.query('UPDATE runs SET findings = $2 WHERE id = $1', [id, rest]);
  }
}

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

/** What an erasure of objects takes: versions of items, their bytes, and the packs that contain them. */
export async function* erasureUse(
  connection: Connection,
  repository: number,
  keys: readonly string[],
  readList: ReadList | undefined,
): AsyncGenerator<ErasureUse> {
  const use: ErasureUse = { objects: new Map(), packs: new Set() };
  for (const key of keys) {
    const object = await objectNumber(connection, repository, key);
    if (object === null) continue;
    const sum = { items: 0, bytes: 0 };
    for await (const versions of versionsOfObject(connection, object, null)) {
      const chunks = new Set<string>();
      for (const { contents, sizeBytes } of versions) {
        sum.items += 1;
        sum.bytes += sizeBytes;
        for (const chunk of await chunksOf(contents, readList)) chunks.add(chunk);
      }
      for (const pack of await packsOf(connection, repository, [...chunks])) use.packs.add(pack);
    }
    use.objects.set(key, sum);
  }
  yield use;
}

async function packsOf(connection: Connection, repository: number, chunks: readonly string[]): Promise<Set<string>> {
  const packs = new Set<string>();
  for (let from = 0; from < chunks.length; from += CHUNKS_A_QUESTION) {
    const places = await locateChunks(connection, repository, chunks.slice(from, from + CHUNKS_A_QUESTION));
    for (const found of places.values()) for (const { pack } of found) packs.add(pack);
  }
  return packs;
}

/** Whether the journals still say what was erased: the run that takes it out of them did not come to its end. */
export async function isErasureUnfinished(connection: Connection, repository: number): Promise<boolean> {
  const found = await row<{ due: boolean }>(
    connection,
    `SELECT EXISTS (SELECT FROM erasures e WHERE e.repository = $1 AND NOT EXISTS (
       SELECT FROM runs r WHERE r.repository = $1 AND r.kind = 'erase' AND r.outcome IS NOT NULL AND r.run <> e.run
         AND r.started_at >= e.erased_at)) AS due`,
    [repository],
  );
  return found?.due ?? false;
}
