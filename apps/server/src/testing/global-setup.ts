import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '../foundation/migrations.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster's maintenance database. */
    clusterUrl: string;
  }
}

/** The template that every test file clones. */
export const TEMPLATE = 'keepwatch_template';

/** One real PostgreSQL for the whole run, with a migrated template database in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'keepwatch-test-'));
  // As root the database runs under another account, which has to get in.
  await chmod(folder, 0o711);
  const database = await startEmbeddedDatabase({ dataDir: folder, durable: false, log: () => {} });
  await onDatabase(database.url, `CREATE DATABASE ${TEMPLATE}`);
  await migrateDatabase(withDatabase(database.url, TEMPLATE));
  project.provide('clusterUrl', database.url);
  return async () => {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** The address of another database of the same cluster. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

async function onDatabase(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
