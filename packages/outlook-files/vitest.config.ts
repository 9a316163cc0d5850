import { defineConfig } from 'vitest/config';
import { longestFirst } from '../../tools/longest-first.ts';

/** By far the longest, in their order. */
const LONGEST = ['src/pst-large.test.ts', 'checker/check.test.ts', 'src/any-message.test.ts'];

export default defineConfig({
  test: {
    include: ['{src,checker}/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: longestFirst(import.meta.dirname, LONGEST) },
  },
});
