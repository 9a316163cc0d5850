import type { ChunkEntry, ChunkPlace, StoredPack } from '../../repository/commit.ts';
import type { NewestPack } from '../catalog.ts';
import { chunkId, chunkUuid } from './apply/apply-packs.ts';
import { type Connection, rows } from './sessions/connection.ts';

interface PlaceRow {
  chunk: string;
  pack: string;
  pack_offset: number;
  stored_bytes: number;
  plain_bytes: number;
  is_compressed: boolean;
  group_start: number | null;
  is_damaged: boolean;
}

/** All places of the chunks that are known, by id. */
export async function locateChunks(
  connection: Connection,
  repository: number,
  ids: readonly string[],
): Promise<Map<string, ChunkPlace[]>> {
  const found = await rows<PlaceRow>(
    connection,
    `SELECT k.chunk, encode(p.name, 'hex') AS pack, k.pack_offset, k.stored_bytes, k.plain_bytes, k.is_compressed, k.group_start,
       d.chunk IS NOT NULL AS is_damaged
     FROM unnest($2::uuid[]) AS asked (chunk)
     JOIN chunks k ON k.repository = $1 AND k.chunk = asked.chunk JOIN packs p ON p.id = k.pack
     LEFT JOIN damaged_chunks d ON d.repository = k.repository AND d.chunk = k.chunk AND d.pack = p.name
     ORDER BY is_damaged, k.pack`,
    [repository, [...new Set(ids)].map(chunkUuid)],
  );
  const places = new Map<string, ChunkPlace[]>();
  for (const { chunk, pack, is_damaged, ...place } of found) {
    const id = chunkId(chunk);
    const known = places.get(id) ?? [];
    known.push({ pack, ...chunkPlace(place), ...(is_damaged ? { isDamaged: true } : {}) });
    places.set(id, known);
  }
  return places;
}

function chunkPlace(found: Omit<PlaceRow, 'chunk' | 'pack' | 'is_damaged'>): Omit<ChunkEntry, 'id'> {
  return {
    offset: found.pack_offset,
    storedBytes: found.stored_bytes,
    plainBytes: found.plain_bytes,
    isCompressed: found.is_compressed,
    ...(found.group_start === null ? {} : { groupStart: found.group_start }),
  };
}

/** Those of the given packs that were ever stored or retired. */
export async function knownPacks(
  connection: Connection,
  repository: number,
  names: readonly string[],
): Promise<Map<string, { isRetired: boolean }>> {
  const found = await rows<{ name: string; is_retired: boolean }>(
    connection,
    `SELECT encode(p.name, 'hex') AS name, p.is_retired FROM unnest($2::text[]) AS asked (name)
     JOIN packs p ON p.repository = $1 AND p.name = decode(asked.name, 'hex')`,
    [repository, names],
  );
  return new Map(found.map(({ name, is_retired }) => [name, { isRetired: is_retired }]));
}

export interface NumberedPack extends StoredPack {
  number: number;
}

/** Packs are read this many at a time, with all their chunks. */
const PACKS_A_PAGE = 100;

/** All packs in use with their chunks, in the order in which they became known. */
export async function* listPacks(connection: Connection, repository: number): AsyncGenerator<NumberedPack> {
  for (let after = 0; ; ) {
    const packs = await rows<{ id: number; name: string; size: number }>(
      connection,
      `SELECT id, encode(name, 'hex') AS name, size FROM packs
       WHERE repository = $1 AND id > $2 AND NOT is_retired ORDER BY id LIMIT ${PACKS_A_PAGE}`,
      [repository, after],
    );
    const last = packs.at(-1);
    if (last === undefined) return;
    const chunks = await chunksOf(
      connection,
      packs.map(({ id }) => id),
    );
    for (const { id, name, size } of packs) yield { number: id, name, sizeBytes: size, chunks: chunks.get(id) ?? [] };
    after = last.id;
  }
}

/** The packs in use that became known last, the last one first; without those in which nothing can be read. */
export function newestPacks(connection: Connection, repository: number, limit: number): Promise<NewestPack[]> {
  return rows<NewestPack>(
    connection,
    `SELECT encode(p.name, 'hex') AS name, p.id <= r.packs_compared AS "isCompared"
     FROM packs p JOIN repositories r ON r.id = p.repository
     WHERE r.id = $1 AND NOT p.is_retired AND EXISTS (
       SELECT FROM chunks k WHERE k.pack = p.id AND NOT EXISTS (
         SELECT FROM damaged_chunks d WHERE d.repository = $1 AND d.pack = p.name AND d.chunk = k.chunk))
     ORDER BY p.id DESC LIMIT $2`,
    [repository, limit],
  );
}

export async function setPacksCompared(connection: Connection, repository: number, to: string): Promise<void> {
  await connection.query(
    `UPDATE repositories r SET packs_compared = p.id FROM packs p
     WHERE r.id = $1 AND p.repository = $1 AND p.name = decode($2, 'hex')`,
    [repository, to],
  );
}

async function chunksOf(connection: Connection, packs: readonly number[]): Promise<Map<number, ChunkEntry[]>> {
  const found = await rows<Omit<PlaceRow, 'pack' | 'is_damaged'> & { pack: number }>(
    connection,
    `SELECT chunk, pack, pack_offset, stored_bytes, plain_bytes, is_compressed, group_start FROM chunks
     WHERE pack = ANY ($1::integer[]) ORDER BY pack, pack_offset, group_start`,
    [packs],
  );
  const entries = new Map<number, ChunkEntry[]>();
  for (const { chunk, pack, ...place } of found) {
    const known = entries.get(pack) ?? [];
    known.push({ id: chunkId(chunk), ...chunkPlace(place) });
    entries.set(pack, known);
  }
  return entries;
}
