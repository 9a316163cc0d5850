import { systemClock } from '../foundation/clock.ts';
import { openPool } from '../foundation/database.ts';
import { openSecretSource } from '../foundation/installation-secret.ts';
import { migrateDatabase } from '../foundation/migrations.ts';
import { secretBox } from '../foundation/secrets.ts';
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

async function compareSecret(settings: Settings) {
  const { DATA_DIR, DATABASE_URL, FORGET_STORED_SECRETS } = settings;
  const source = await openSecretSource(settings);
  const pool = openPool(DATABASE_URL, { connectionsMax: 1, statementTimeoutMs: 0, name: 'keepwatch secret check' });
  try {
    if (FORGET_STORED_SECRETS) await forgetSecrets(pool);
    const origin = source.origin === 'file' ? `the one in ${DATA_DIR}/secret` : 'KEEPWATCH_SECRET';
    await checkSecret(pool, secretBox(source.read), origin, systemClock.now());
  } finally {
    await pool.end();
  }
}
