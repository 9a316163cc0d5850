import { defineConfig } from 'vitest/config';
import { ROOT } from './source-files.ts';
import { SANDBOX_TESTS } from './test-files.ts';

/** Tests of packages that talk to a whole sandbox, or start one as a program. A slow machine takes its time for both. */
export default defineConfig({
  root: ROOT,
  test: { include: SANDBOX_TESTS, testTimeout: 30_000, hookTimeout: 30_000, maxWorkers: 2 },
});
