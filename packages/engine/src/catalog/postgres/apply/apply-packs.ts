import type pg from 'pg';
import { EngineError } from '../../../model/engine-error.ts';
import type { ChunkEntry, StoredPack } from '../../../repository/commit.ts';
import { type CopyValue, copyRows } from '../copy-rows.ts';
import { rows } from '../sessions/connection.ts';

/** Adds packs with the places of their chunks. One that is known already, or was retired meanwhile, stays as it is. */
export async function storePacks(
  connection: pg.PoolClient,
  repository: number,
  packs: readonly StoredPack[],
): Promise<void> {
  if (packs.length === 0) return;
  const added = await rows<{ id: number; name: string }>(
    connection,
    `INSERT INTO packs (repository, name, size)
     SELECT $1, decode(name, 'hex'), size FROM unnest($2::text[], $3::bigint[]) AS pack (name, size)
     ON CONFLICT (repository, name) DO NOTHING RETURNING id, encode(name, 'hex') AS name`,
    [repository, packs.map(({ name }) => name), packs.map(({ sizeBytes }) => sizeBytes)],
  );
  const ids = new Map(added.map(({ id, name }) => [name, id]));
  await copyRows(
    connection,
    'chunks (repository, chunk, pack, pack_offset, stored_bytes, plain_bytes, is_compressed, group_start)',
    chunkRows(repository, packs, ids),
  );
}

function* chunkRows(
  repository: number,
  packs: readonly StoredPack[],
  ids: Map<string, number>,
): Generator<readonly CopyValue[]> {
  for (const { name, chunks } of packs) {
    const pack = ids.get(name);
    // Should a commit name a pack twice, its chunks are added once.
    if (pack === undefined || !ids.delete(name)) continue;
    const single = new Map(chunks.map((chunk) => [chunk.id, chunk]));
    for (const chunk of single.values()) yield chunkRow(repository, pack, chunk);
  }
}

function chunkRow(repository: number, pack: number, chunk: ChunkEntry): readonly CopyValue[] {
  const { id, offset, storedBytes, plainBytes, isCompressed, groupStart = null } = chunk;
  return [repository, chunkUuid(id), pack, offset, storedBytes, plainBytes, isCompressed, groupStart];
}

/** Packs that a prune took out of use: nothing is found in them any more. Their names stay. */
export async function retirePacks(
  connection: pg.PoolClient,
  repository: number,
  names: readonly string[],
): Promise<void> {
  const retired = await rows<{ id: number }>(
    connection,
    `INSERT INTO packs (repository, name, size, is_retired)
     SELECT $1, decode(name, 'hex'), 0, true FROM unnest($2::text[]) AS pack (name)
     ON CONFLICT (repository, name) DO UPDATE SET is_retired = true RETURNING id`,
    [repository, [...new Set(names)]],
  );
  await connection.query('DELETE FROM chunks WHERE pack = ANY ($1::integer[])', [retired.map(({ id }) => id)]);
}

/** A chunk's id (16 bytes in base64url) as the UUID of the same bytes. @throws `damaged` for anything else */
export function chunkUuid(id: string): string {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.length === 16) return bytes.toString('hex');
  throw new EngineError('damaged', `'${id}' is not the id of a chunk: 16 bytes in base64url.`);
}

export function chunkId(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
}
