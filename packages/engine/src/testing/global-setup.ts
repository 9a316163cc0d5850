import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster's maintenance database. */
    engineClusterUrl: string;
  }
}

/** One real PostgreSQL for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'keepwatch-engine-test-'));
  // As root the database runs under another account, which has to get in.
  await chmod(folder, 0o711);
  const database = await startEmbeddedDatabase({ dataDir: folder, durable: false, log: () => {} });
  project.provide('engineClusterUrl', database.url);
  return async () => {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
