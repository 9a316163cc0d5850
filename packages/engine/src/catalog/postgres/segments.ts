import type pg from 'pg';
import { type Connection, row, rows, transaction } from './sessions/connection.ts';

/** The names of segments whose runs are all known. */
export async function knownSegments(connection: Connection, repository: number): Promise<Set<string>> {
  const known = await rows<{ name: string }>(connection, 'SELECT name FROM segments WHERE repository = $1', [
    repository,
  ]);
  return new Set(known.map(({ name }) => name));
}

/**
 * Notes that the commits of runs are in a segment.
 * @param runs the sequence of the last commit that the segment has of each
 * @returns `false` where not all of them were applied: then nothing is noted
 */
export function addSegment(
  pool: pg.Pool,
  repository: number,
  name: string,
  runs: ReadonlyMap<string, number>,
): Promise<boolean> {
  return transaction(pool, async (connection) => {
    const given = [[...runs.keys()], [...runs.values()]];
    const found = await row<{ count: number }>(
      connection,
      `SELECT count(*) AS count FROM runs r JOIN unnest($2::text[], $3::integer[]) AS s (run, sequence) ON r.run = s.run
       WHERE r.repository = $1 AND r.last_sequence >= s.sequence AND NOT r.is_open`,
      [repository, ...given],
    );
    if (found?.count !== runs.size) return false;
    const added = await row<{ id: number }>(
      connection,
      `INSERT INTO segments (repository, name) VALUES ($1, $2)
       ON CONFLICT (repository, name) DO UPDATE SET name = excluded.name RETURNING id`,
      [repository, name],
    );
    await connection.query(
      `UPDATE runs SET segment = $2 FROM unnest($3::text[], $4::integer[]) AS s (run, sequence)
       WHERE runs.repository = $1 AND runs.run = s.run AND runs.last_sequence = s.sequence`,
      [repository, added?.id, ...given],
    );
    return true;
  });
}

/** Forgets segments that are not there any more: their runs are looked for as before. */
export function dropSegments(pool: pg.Pool, repository: number, names: readonly string[]): Promise<void> {
  return transaction(pool, async (connection) => {
    await connection.query(
      `UPDATE runs SET segment = NULL FROM segments s
       WHERE s.repository = $1 AND s.name = ANY ($2) AND runs.segment = s.id`,
      [repository, names],
    );
    await connection.query('DELETE FROM segments WHERE repository = $1 AND name = ANY ($2)', [repository, names]);
  });
}

/** Those of some runs that are in segments, each with the name of its own. */
export async function segmentsOf(
  connection: Connection,
  repository: number,
  runs: readonly string[],
): Promise<Map<string, string>> {
  const found = await rows<{ run: string; name: string }>(
    connection,
    `SELECT r.run, s.name FROM runs r JOIN segments s ON s.id = r.segment
     WHERE r.repository = $1 AND r.run = ANY ($2)`,
    [repository, runs],
  );
  return new Map(found.map(({ run, name }) => [run, name]));
}

/** How many runs have ended of themselves, began more than a day ago, and are in no segment. */
export async function countUnsegmented(connection: Connection, repository: number): Promise<number> {
  const found = await row<{ count: number }>(
    connection,
    `SELECT count(*) AS count FROM runs
     WHERE repository = $1 AND segment IS NULL AND NOT is_open AND closed_by IS NULL
       AND started_at < now() - interval '1 day'`,
    [repository],
  );
  return found?.count ?? 0;
}

/** Those of some runs that have ended of themselves, with their last commit, and are in no segment. */
export async function unsegmented(
  connection: Connection,
  repository: number,
  runs: readonly string[],
): Promise<Map<string, number>> {
  const found = await rows<{ run: string; last_sequence: number }>(
    connection,
    `SELECT run, last_sequence FROM runs
     WHERE repository = $1 AND run = ANY ($2) AND segment IS NULL AND NOT is_open AND closed_by IS NULL`,
    [repository, runs],
  );
  return new Map(found.map(({ run, last_sequence }) => [run, last_sequence]));
}
