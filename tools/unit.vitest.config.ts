import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { ROOT } from './source-files.ts';
import { SANDBOX_TESTS, UNIT_TESTS } from './test-files.ts';

const WEB = join(ROOT, 'apps/web');

/** Tests that need neither a database nor a browser nor another program. */
export default defineConfig({
  root: ROOT,
  test: {
    projects: [
      {
        test: {
          name: 'node',
          root: ROOT,
          include: UNIT_TESTS,
          exclude: [...configDefaults.exclude, ...SANDBOX_TESTS],
          // One process for all files of a worker: starting one for each takes longer than most tests.
          isolate: false,
          maxWorkers: 2,
          // Some start a program, and a busy machine takes longer for it than Vitest's five seconds, or one for a poll.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        extends: join(WEB, 'vite.config.ts'),
        test: { name: 'web', root: WEB, maxWorkers: 2, exclude: [...configDefaults.exclude, '**/*.test.tsx'] },
      },
    ],
  },
});
