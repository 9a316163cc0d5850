import type pg from 'pg';
import type { PackDamage } from '../../repository/commit.ts';
import { chunkId, chunkUuid } from './apply/apply-packs.ts';
import { type Connection, rows } from './sessions/connection.ts';

/** What a verify found of packs takes the place of what was found before. */
export async function storeDamage(
  connection: pg.PoolClient,
  repository: number,
  damage: readonly PackDamage[],
): Promise<void> {
  for (const { pack, chunks } of damage) {
    await connection.query("DELETE FROM damaged_chunks WHERE repository = $1 AND pack = decode($2, 'hex')", [
      repository,
      pack,
    ]);
    await connection.query(
      `INSERT INTO damaged_chunks (repository, pack, chunk) SELECT $1, decode($2, 'hex'), chunk FROM unnest($3::uuid[]) AS chunk
       ON CONFLICT DO NOTHING`,
      [repository, pack, chunks.map(chunkUuid)],
    );
  }
}

/** By the name of the pack, the chunks that cannot be read in it. */
export async function damagedChunks(connection: Connection, repository: number): Promise<Map<string, string[]>> {
  const found = await rows<{ pack: string; chunk: string }>(
    connection,
    "SELECT encode(pack, 'hex') AS pack, chunk FROM damaged_chunks WHERE repository = $1 ORDER BY pack, chunk",
    [repository],
  );
  const damaged = new Map<string, string[]>();
  for (const { pack, chunk } of found) {
    const chunks = damaged.get(pack) ?? [];
    chunks.push(chunkId(chunk));
    damaged.set(pack, chunks);
  }
  return damaged;
}
