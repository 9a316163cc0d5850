import { createDatabase, type DatabaseInCluster } from '@keepwatch/embedded-database/testing/test-cluster';
import { inject } from 'vitest';
import { TEMPLATE } from './global-setup.ts';

export type TestDatabase = DatabaseInCluster;

/** A database of its own with an empty catalog. Making the catalog of each of them would take longer than many tests. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  createDatabase(inject('engineClusterUrl'), { template: TEMPLATE });

/** One in which no catalog was made yet. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createDatabase(inject('engineClusterUrl'));
