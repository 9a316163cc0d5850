import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { countSealed } from '../administration/secret-key/reseal-secrets.ts';
import { readMarks } from '../administration/secret-key/secret-marks.ts';
import { buildSealedConnection } from '../administration/secret-key/testing/sealed-values.ts';
import { SEALED_SETTINGS } from '../connections/connection-settings.ts';
import { execute } from '../foundation/database.ts';
import { type SecretBox, secretBox } from '../foundation/secrets.ts';
import { buildM365Repository, buildOwnOrganization } from '../testing/microsoft365-builders.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { seedProviders } from '../testing/test-portal.ts';
import { checkSecret } from './secret-check.ts';

const OLD = 'secret of the tests';
const NEW = 'the key after it';
const ONLY_OLD = secretBox(OLD);
const ONLY_NEW = secretBox(NEW);
const BOTH = secretBox(() => ({ current: NEW, previous: OLD }));
/** More than one batch. */
const CONNECTIONS = 110;
const PROCESS = join(import.meta.dirname, '../administration/secret-key/testing/reseal-process.ts');

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  await seedProviders(database.pool);
});
afterEach(() => database.drop());

const start = (box: SecretBox) => checkSecret(database.pool, box, 'KEEPWATCH_SECRET', new Date());

function startReseal(): ChildProcess {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: database.url,
    DATA_DIR: tmpdir(),
    KEEPWATCH_SECRET: NEW,
    KEEPWATCH_PREVIOUS_SECRET: OLD,
  };
  return spawn(process.execPath, [PROCESS], { env, stdio: ['ignore', 'inherit', 'inherit'] });
}

it('a rotation whose process is killed in the middle goes on with the next one, and loses nothing', async () => {
  await start(ONLY_OLD);
  await Promise.all(Array.from({ length: CONNECTIONS }, () => buildSealedConnection(database.pool, ONLY_OLD)));
  await buildM365Repository(database.pool, await buildOwnOrganization(database.pool));
  await start(BOTH);
  // It comes as far as the repositories.
  const lock = await database.pool.connect();
  await lock.query('begin; lock table m365_repositories in access exclusive mode');
  const killed = startReseal();
  const left = async () => (await SEALED_SETTINGS.count(database.pool, BOTH.keys())).previous;
  await expect.poll(left).toBe(0);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  await lock.query('rollback');
  lock.release();
  expect(await countSealed(database.pool, BOTH.keys())).toEqual({ all: CONNECTIONS + 1, previous: 1, lost: 0 });
  // Without the previous key the repository could not be opened: nothing starts.
  await expect(start(ONLY_NEW)).rejects.toThrow('A rotation has not ended');
  await start(BOTH);
  const [code] = await once(startReseal(), 'exit');
  expect(code).toBe(0);
  expect(await countSealed(database.pool, ONLY_NEW.keys())).toEqual({ all: CONNECTIONS + 1, previous: 0, lost: 0 });
  expect(await readMarks(database.pool)).toMatchObject({ next: null });
  await start(ONLY_NEW);
});

it('each start has the keys that are needed, and no third one', async () => {
  await start(ONLY_OLD);
  await start(BOTH);
  const third = secretBox('a third key');
  // What machines that seal with the new key store, one with the old key alone could not open.
  await expect(start(ONLY_OLD)).rejects.toThrow(
    /^The secrets in the database were sealed with another key than KEEPWATCH_SECRET\./,
  );
  for (const previous of [OLD, NEW])
    await expect(start(secretBox(() => ({ current: 'a third key', previous })))).rejects.toThrow('another key');
  await expect(start(third)).rejects.toThrow(third.keys().current);
  // Who goes back to the old one, has both, too.
  await start(secretBox(() => ({ current: OLD, previous: NEW })));
  await expect(start(BOTH)).resolves.toBeUndefined();
});

it('a text that does not name its key does so after the next start', async () => {
  await start(ONLY_OLD);
  await execute(database.pool, sql`update secret_check set sealed = '\\x01'::bytea || substring(sealed from 10)`);
  await start(ONLY_OLD);
  await expect(start(ONLY_NEW)).rejects.toThrow(ONLY_OLD.keys().current);
});
