import { createDatabase, startTestCluster } from '@keepwatch/embedded-database/testing/test-cluster';
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
  const cluster = await startTestCluster();
  const { url } = await createDatabase(cluster.url, { name: TEMPLATE });
  await migrateDatabase(url);
  project.provide('clusterUrl', cluster.url);
  return cluster.stop;
}
