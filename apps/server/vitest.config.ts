import { defineConfig } from 'vitest/config';
import { longestFirst } from '../../tools/longest-first.ts';

/** By far the longest, in their order. */
const LONGEST = [
  'src/program/deployment.test.ts',
  'src/program/stop-of-the-outer-process.test.ts',
  'src/program/backup-and-restore.test.ts',
  'src/testing/hostile-load.test.ts',
  'src/identity/user-directory/active-directory.test.ts',
  'src/program/database-dies.test.ts',
  'src/program/acknowledged-reports.test.ts',
  'src/program/secret-check.test.ts',
  'src/foundation/http/live-events.test.ts',
  'src/testing/malformed-inputs.test.ts',
  'src/testing/tenant-boundary.test.ts',
  'src/ingest/ingest-runs.property.test.ts',
];

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    // A busy machine makes programs and databases ten times slower. Only a test that hangs takes longer for it.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Some processes for all files: what they import, which is the whole server, is made ready once, not for each of them.
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: longestFirst(import.meta.dirname, LONGEST) },
  },
});
