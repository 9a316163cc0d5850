import { defineConfig } from 'vitest/config';
import { longestFirst } from '../../tools/longest-first.ts';

/** By far the longest, in their order. */
const LONGEST = [
  'src/cli/command-line.server.test.ts',
  'src/cli/restore.server.test.ts',
  'src/restore/mailbox-round-trip.server.test.ts',
  'src/cli/bad-input.server.test.ts',
  'src/cli/interrupted.server.test.ts',
  'src/restore/restored-again.server.test.ts',
  'src/restore/drive-round-trip.server.test.ts',
  'src/cli/permissions.server.test.ts',
  'src/restore/restore.server.test.ts',
  'src/backup/killed.server.test.ts',
];

/** Tests of the engine that need a PostgreSQL or whole programs: `x.server.test.ts`. All others run with the unit tests. */
export default defineConfig({
  test: {
    include: ['src/**/*.server.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // Vitest's one second is too short for a program or a database on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 3,
    sequence: { sequencer: longestFirst(import.meta.dirname, LONGEST) },
  },
});
