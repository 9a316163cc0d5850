import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { sealSettings } from '../connections/connection-settings.ts';
import { execute, row } from '../foundation/database.ts';
import { secretBox } from '../foundation/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { checkSecret } from './secret-check.ts';

const FIRST = 'the key of the first machine';
const OTHER = 'the key of another machine';
const REFUSED =
  /^The secrets in the database were sealed with another key than [^\n]*KEEPWATCH_SECRET[^\n]*FORGET_STORED_SECRETS[^\n]*\n$/;

let database: TestDatabase;
let dataDir: string;

/** Each start of the program in these tests is a process, and a busy machine takes seconds for it. */
const LIMIT_MS = 120_000;

beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'keepwatch-secret-'));
  return async () => {
    await rm(dataDir, { recursive: true });
    await database.drop();
  };
}, LIMIT_MS);

/** The launcher's first step on a machine, as a process of its own. */
async function firstStep(environment: Record<string, string>): Promise<{ code: number; stderr: string }> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.url, DATA_DIR: dataDir, ...environment };
  const run = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'migrate.ts')], { env });
  return run.then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }) => ({ code, stderr }),
  );
}

async function addSource(key: string): Promise<void> {
  const source = { providerId: 1, id: randomUUID() };
  const fields = [{ name: 'apiKey', label: 'API key', hint: '', kind: 'secret', isRequired: true }] as const;
  const { secrets } = sealSettings(secretBox(key), source, fields, { apiKey: 'x' });
  await execute(
    database.pool,
    sql`insert into connections (provider_id, id, port, kind, name, secrets) values (1, ${source.id}, 'backup-source', 'vac', 'console', ${secrets})`,
  );
}

test(
  'a machine with the same key starts, one with another is refused in one line',
  async () => {
    expect(await firstStep({ KEEPWATCH_SECRET: FIRST })).toEqual({ code: 0, stderr: '' });
    expect(await firstStep({ KEEPWATCH_SECRET: FIRST })).toEqual({ code: 0, stderr: '' });
    const refused = await firstStep({ KEEPWATCH_SECRET: OTHER });
    expect(refused).toEqual({ code: 1, stderr: expect.stringMatching(REFUSED) });
    expect(refused.stderr).not.toContain(OTHER);
    const withoutKey = await firstStep({});
    expect(withoutKey).toEqual({ code: 1, stderr: expect.stringContaining(`the one in ${dataDir}/secret`) });
  },
  LIMIT_MS,
);

test('of two machines with different keys that start at once, one is refused', async () => {
  for (let round = 0; round < 20; round += 1) {
    await execute(database.pool, sql`delete from secret_check`);
    const now = new Date();
    const starts = [FIRST, OTHER].map((key) => checkSecret(database.pool, secretBox(key), 'KEEPWATCH_SECRET', now));
    const outcomes = (await Promise.allSettled(starts)).map(({ status }) => status);
    expect(outcomes.sort()).toEqual(['fulfilled', 'rejected']);
  }
});

test(
  'secrets that an earlier version sealed say which key it was',
  async () => {
    await execute(
      database.pool,
      sql`insert into providers (id, name, domain) values (1, 'One', 'one.test') on conflict do nothing`,
    );
    await addSource(FIRST);
    expect(await firstStep({ KEEPWATCH_SECRET: OTHER })).toEqual({ code: 1, stderr: expect.stringMatching(REFUSED) });
    expect(await row(database.pool, sql`select from secret_check`)).toBeNull();
    expect(await firstStep({ KEEPWATCH_SECRET: FIRST })).toEqual({ code: 0, stderr: '' });
  },
  LIMIT_MS,
);

test(
  'who has lost the key can start once without the stored secrets',
  async () => {
    await execute(
      database.pool,
      sql`insert into providers (id, name, domain) values (1, 'One', 'one.test') on conflict do nothing`,
    );
    await addSource(FIRST);
    await firstStep({ KEEPWATCH_SECRET: FIRST });
    expect((await firstStep({ KEEPWATCH_SECRET: OTHER, FORGET_STORED_SECRETS: 'true' })).code).toBe(0);
    expect(await row(database.pool, sql`select secrets from connections`)).toEqual({ secrets: null });
    expect((await firstStep({ KEEPWATCH_SECRET: OTHER })).code).toBe(0);
    expect((await firstStep({ KEEPWATCH_SECRET: FIRST })).code).toBe(1);
  },
  LIMIT_MS,
);
