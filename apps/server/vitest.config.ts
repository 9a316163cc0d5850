import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Vitest's one second is too short for a program or a database on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
