import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { EngineError } from '../../model/engine-error.ts';
import { row, transaction } from './sessions/connection.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
/** An arbitrary number, used for nothing else: two programs that start at once migrate one after the other. */
const LOCK = 7_305_241;

/**
 * Brings the schema `engine` to this version's: applies the numbered files that were not applied yet, in one transaction.
 * @throws `newer-repository` when a later version of Keepwatch was here
 */
export async function migrateSchema(pool: pg.Pool): Promise<void> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  await transaction(pool, async (connection) => {
    await connection.query('SET LOCAL client_min_messages = warning');
    await connection.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await connection.query('CREATE SCHEMA IF NOT EXISTS engine');
    await connection.query(
      'CREATE TABLE IF NOT EXISTS engine.schema_versions (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const known = await row<{ version: number }>(
      connection,
      'SELECT coalesce(max(version), 0) AS version FROM engine.schema_versions',
    );
    await applyAll(connection, files, known?.version ?? 0);
  });
}

async function applyAll(connection: pg.PoolClient, files: readonly string[], from: number): Promise<void> {
  if (from > files.length) {
    throw new EngineError(
      'newer-repository',
      `The catalog in this database has schema ${from}; this version of Keepwatch knows ${files.length}. Use a newer version.`,
    );
  }
  await connection.query('SET LOCAL search_path = engine, pg_catalog');
  for (const [at, name] of files.entries()) {
    if (at < from) continue;
    await connection.query(await readFile(new URL(name, FOLDER), 'utf8'));
    await connection.query('INSERT INTO schema_versions (version) VALUES ($1)', [at + 1]);
  }
}
