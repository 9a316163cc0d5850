import { configDefaults, defineConfig } from 'vitest/config';
import { ROOT } from './source-files.ts';
import { ENGINE_TESTS, SANDBOX_TESTS } from './test-files.ts';

/** Tests of packages that talk to a whole sandbox, or start one as a program. A slow machine takes its time for both. */
export default defineConfig({
  root: ROOT,
  test: {
    include: SANDBOX_TESTS,
    exclude: [...configDefaults.exclude, ...ENGINE_TESTS],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
  },
});
