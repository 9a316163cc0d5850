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
  if (damage.length === 0) return;
  const found = new Map(damage.map(({ pack, chunks }) => [pack, chunks]));
  await connection.query(
    `DELETE FROM damaged_chunks d USING unnest($2::text[]) AS found (pack)
     WHERE d.repository = $1 AND d.pack = decode(found.pack, 'hex')`,
    [repository, [...found.keys()]],
  );
  await connection.query(
    `INSERT INTO damaged_chunks (repository, pack, chunk)
     SELECT $1, decode(d.pack, 'hex'), d.chunk FROM unnest($2::text[], $3::uuid[]) AS d (pack, chunk) ON CONFLICT DO NOTHING`,
    [
      repository,
      [...found].flatMap(([pack, chunks]) => chunks.map(() => pack)),
      [...found.values()].flatMap((chunks) => chunks.map(chunkUuid)),
    ],
  );
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
