import { openPool } from '../foundation/database.ts';
import { migrateDatabase } from '../foundation/migrations.ts';
import { readSecret, secretBox } from '../foundation/secrets.ts';
import { readSettings, type Settings } from '../foundation/settings.ts';
import { checkSecret, forgetSecrets, OtherSecret } from './secret-check.ts';

/**
 * The launcher's first step: brings the database at DATABASE_URL to this version's schema, and compares the key of this
 * machine with the one of the stored secrets.
 */
const settings = readSettings(process.env);
try {
  await migrateDatabase(settings.DATABASE_URL);
  await compareSecret(settings);
} catch (error) {
  if (!(error instanceof OtherSecret)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function compareSecret({ KEEPWATCH_SECRET, DATA_DIR, DATABASE_URL, FORGET_STORED_SECRETS }: Settings) {
  const box = secretBox(await readSecret(KEEPWATCH_SECRET, DATA_DIR));
  const pool = openPool(DATABASE_URL, { connectionsMax: 1, statementTimeoutMs: 0, name: 'keepwatch secret check' });
  try {
    if (FORGET_STORED_SECRETS) await forgetSecrets(pool);
    await checkSecret(pool, box, KEEPWATCH_SECRET === '' ? `the one in ${DATA_DIR}/secret` : 'KEEPWATCH_SECRET');
  } finally {
    await pool.end();
  }
}
