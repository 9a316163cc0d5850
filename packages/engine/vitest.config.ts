import { defineConfig } from 'vitest/config';

/** Tests of the engine that need a PostgreSQL or whole programs: `x.server.test.ts`. All others run with the unit tests. */
export default defineConfig({
  test: {
    include: ['src/**/*.server.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // Vitest's one second is too short for a program or a database on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
