import type pg from 'pg';
import type { Expiry } from '../../model/expiry.ts';
import type { ChunkEntry, StoredPack } from '../../repository/commit.ts';
import type { ChunkUser, ReadList } from '../catalog.ts';
import { chunkId, chunkUuid } from './apply/apply-packs.ts';
import { chunksOf, versionsOfObject } from './chunk-use.ts';
import { listPacks } from './chunks.ts';
import { copyRows } from './copy-rows.ts';
import { listObjects, objectNumber } from './objects.ts';
import { objectExpiry, retainedRevisions } from './retention/expiry.ts';
import { type Connection, rows } from './sessions/connection.ts';

/** Versions whose contents use any of the chunks. */
export async function* versionsUsing(
  connection: Connection,
  repository: number,
  chunks: readonly string[],
  readList: ReadList | undefined,
): AsyncGenerator<ChunkUser> {
  const asked = new Set(chunks);
  for await (const { object, versions } of allVersions(connection, repository, null)) {
    for (const version of versions) {
      const chunks = (await chunksOf(version.contents, readList)).intersection(asked);
      if (chunks.size > 0) yield { object, version, chunks: [...chunks] };
    }
  }
}

/** Versions whose contents use a chunk that no pack has. */
export async function* versionsLackingChunks(
  connection: Connection,
  repository: number,
  readList: ReadList | undefined,
): AsyncGenerator<ChunkUser> {
  for await (const { object, versions } of allVersions(connection, repository, null)) {
    const used: Set<string>[] = [];
    for (const { contents } of versions) used.push(await chunksOf(contents, readList));
    const lacking = await chunksWithoutPack(connection, repository, new Set(used.flatMap((chunks) => [...chunks])));
    for (const [index, version] of versions.entries()) {
      const chunks = used[index]?.intersection(lacking) ?? new Set();
      if (chunks.size > 0) yield { object, version, chunks: [...chunks] };
    }
  }
}

async function chunksWithoutPack(
  connection: Connection,
  repository: number,
  chunks: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  if (chunks.size === 0) return chunks;
  const lacking = await rows<{ chunk: string }>(
    connection,
    `SELECT asked.chunk FROM unnest($2::uuid[]) AS asked (chunk)
     WHERE NOT EXISTS (SELECT FROM chunks k WHERE k.repository = $1 AND k.chunk = asked.chunk)`,
    [repository, [...chunks].map(chunkUuid)],
  );
  return new Set(lacking.map(({ chunk }) => chunkId(chunk)));
}

async function* allVersions(connection: Connection, repository: number, expiry: Expiry | null) {
  const retained =
    expiry === null ? new Map<number, number>() : await retainedRevisions(connection, repository, expiry);
  const instantOf = expiry === null ? () => null : await objectExpiry(connection, repository, expiry);
  for await (const object of listObjects(connection, repository)) {
    const number = await objectNumber(connection, repository, object.key);
    if (number === null) continue;
    for await (const versions of versionsOfObject(connection, number, instantOf(number), retained.get(number) ?? null))
      yield { object, versions };
  }
}

export interface PackUsage {
  pack: StoredPack;
  usedBytes: number;
  usedChunks: readonly string[];
}

/**
 * For every pack what versions use of it that stay when what ended before the instant is gone, with those of each object's newest restore
 * point. The ids of used chunks are collected in a temporary table, however many there are.
 * @param connection held until the last pack was given
 */
export async function* packUsage(
  pool: pg.Pool,
  connection: pg.PoolClient,
  repository: number,
  expiry: Expiry,
  readList: ReadList | undefined,
): AsyncGenerator<PackUsage> {
  try {
    await connection.query('CREATE TEMPORARY TABLE used (chunk uuid)');
    await copyRows(connection, 'used', usedChunks(pool, repository, expiry, readList));
    await connection.query('CREATE INDEX ON used (chunk)');
    await connection.query('ANALYZE used');
    for await (const { number, ...pack } of listPacks(connection, repository)) {
      yield { pack, ...(await usageOf(connection, repository, number, pack)) };
    }
  } finally {
    await connection.query('DROP TABLE IF EXISTS used');
  }
}

async function* usedChunks(pool: pg.Pool, repository: number, expiry: Expiry, readList: ReadList | undefined) {
  for await (const { versions } of allVersions(pool, repository, expiry)) {
    const used = new Set<string>();
    for (const { contents } of versions) for (const chunk of await chunksOf(contents, readList)) used.add(chunk);
    for (const chunk of used) yield [chunkUuid(chunk)];
  }
}

/** Whether a row of `chunks` is of a chunk that cannot be read there. */
function isDamaged(row: 'k' | 'f'): string {
  return `EXISTS (SELECT FROM damaged_chunks d JOIN packs p ON p.repository = d.repository AND p.name = d.pack
    WHERE d.repository = $1 AND d.chunk = ${row}.chunk AND p.id = ${row}.pack)`;
}

async function usageOf(
  connection: pg.PoolClient,
  repository: number,
  number: number,
  pack: StoredPack,
): Promise<Omit<PackUsage, 'pack'>> {
  const used = await rows<{ chunk: string }>(
    connection,
    `SELECT k.chunk FROM chunks k
     WHERE k.pack = $2 AND EXISTS (SELECT FROM used u WHERE u.chunk = k.chunk)
       AND NOT EXISTS (SELECT FROM chunks f WHERE f.repository = $1 AND f.chunk = k.chunk AND f.pack <> $2
         AND (${isDamaged('f')}, k.pack) < (${isDamaged('k')}, f.pack))
     ORDER BY k.pack_offset, k.group_start`,
    [repository, number],
  );
  const usedChunks = used.map(({ chunk }) => chunkId(chunk));
  const bytesOf = storedShares(pack);
  return { usedBytes: usedChunks.reduce((sum, id) => sum + (bytesOf.get(id) ?? 0), 0), usedChunks };
}

/** Stored bytes of each chunk of a pack; of one in a group its share of the group's, by its plain bytes. */
function storedShares({ chunks }: StoredPack): ReadonlyMap<string, number> {
  const plainBytes = new Map<number, number>();
  for (const one of chunks) plainBytes.set(one.offset, (plainBytes.get(one.offset) ?? 0) + one.plainBytes);
  const share = (one: ChunkEntry) => one.plainBytes / Math.max(1, plainBytes.get(one.offset) ?? 0);
  return new Map(chunks.map((one) => [one.id, Math.round(one.storedBytes * share(one))]));
}
