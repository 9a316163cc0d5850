import { startTestCluster } from '@keepwatch/embedded-database/testing/test-cluster';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster's maintenance database. */
    engineClusterUrl: string;
  }
}

/** One real PostgreSQL for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  project.provide('engineClusterUrl', cluster.url);
  return cluster.stop;
}
