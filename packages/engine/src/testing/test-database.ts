import { createDatabase, type DatabaseInCluster } from '@keepwatch/embedded-database/testing/test-cluster';
import { inject } from 'vitest';

export type TestDatabase = DatabaseInCluster;

/** An empty database of its own. */
export const createTestDatabase = (): Promise<TestDatabase> => createDatabase(inject('engineClusterUrl'));
