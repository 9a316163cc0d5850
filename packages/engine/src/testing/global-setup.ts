import { createDatabase, startTestCluster } from '@keepwatch/embedded-database/testing/test-cluster';
import type { TestProject } from 'vitest/node';
import { openCatalog } from '../catalog/postgres/open-catalog.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster's maintenance database. */
    engineClusterUrl: string;
  }
}

/** The template that the database of a test is a copy of. */
export const TEMPLATE = 'engine_template';

/** One real PostgreSQL for the whole run, with an empty catalog in a template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  const { url } = await createDatabase(cluster.url, { name: TEMPLATE });
  await (await openCatalog(url)).close();
  project.provide('engineClusterUrl', cluster.url);
  return cluster.stop;
}
