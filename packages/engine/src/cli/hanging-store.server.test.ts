import { beforeAll, expect, test } from 'vitest';
import { listen } from '../testing/listen.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { CommandLine } from './testing/command-line.ts';

let commandLine: CommandLine;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  commandLine = await CommandLine.open({
    DATABASE_URL: database.url,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  return async () => {
    await commandLine.close();
    await database.drop();
  };
});

const LIMIT_MS = 3_000;

test.each(['verify', 'locks'])(
  '%s ends soon after Ctrl-C while its store never answers',
  async (command) => {
    const asked = Promise.withResolvers<void>();
    const endpoint = await listen(() => asked.resolve());
    const started = commandLine.start([command, '-r', `s3://bucket/prefix?endpoint=${endpoint}&path-style`, '--json']);
    await asked.promise;
    const stoppedMs = performance.now();
    started.signal('SIGINT');
    const { exitCode, lines } = await started.ended;
    expect(exitCode).toBe(130);
    expect(lines.at(-1)).toMatchObject({ type: 'end', exitCode: 130 });
    expect(performance.now() - stoppedMs).toBeLessThan(LIMIT_MS);
  },
  60_000,
);
