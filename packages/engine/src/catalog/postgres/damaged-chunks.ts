import type pg from 'pg';
import type { PackDamage } from '../../repository/commit.ts';
import { chunkUuid } from './apply-packs.ts';

/** Whether a chunk, `k` in the pack `p`, cannot be read there. */
export const IS_DAMAGED = `EXISTS (SELECT FROM damaged_chunks d
  WHERE d.repository = k.repository AND d.chunk = k.chunk AND d.pack = p.name)`;

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
