import { defineConfig } from 'vitest/config';
import { ROOT } from './source-files.ts';

/** Tests that need neither a database nor a browser. */
export default defineConfig({
  root: ROOT,
  test: {
    include: [
      'tools/**/*.test.ts',
      'packages/contract/src/**/*.test.ts',
      'packages/bench/src/**/*.test.ts',
      'bootstrap/**/*.test.js',
    ],
    maxWorkers: 2,
  },
});
