import { systemClock } from '../foundation/clock.ts';
import { openPool, type Pool } from '../foundation/database.ts';
import { openSecretSource } from '../foundation/installation-secret.ts';
import { migrateDatabase } from '../foundation/migrations.ts';
import { secretBox } from '../foundation/secrets.ts';
import { readSettings, type Settings } from '../foundation/settings.ts';
import { replaceUnknownZones } from '../ingest/unknown-zones.ts';
import { checkSecret, forgetSecrets, OtherSecret } from './secret-check.ts';

/**
 * The launcher's first step: brings the database at DATABASE_URL to this version's schema, compares the key of this
 * machine with the one of the stored secrets, and has UTC count where a time zone is no longer known.
 */
const settings = readSettings(process.env);
try {
  await migrateDatabase(settings.DATABASE_URL);
  await prepare(settings);
} catch (error) {
  if (!(error instanceof OtherSecret)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function prepare(settings: Settings) {
  const { DATABASE_URL } = settings;
  const pool = openPool(DATABASE_URL, { connectionsMax: 1, statementTimeoutMs: 0, name: 'keepwatch preparation' });
  try {
    await compareSecret(pool, settings);
    await replaceUnknownZones(pool, systemClock.now());
  } finally {
    await pool.end();
  }
}

async function compareSecret(pool: Pool, settings: Settings) {
  const { DATA_DIR, FORGET_STORED_SECRETS } = settings;
  const source = await openSecretSource(settings);
  if (FORGET_STORED_SECRETS) await forgetSecrets(pool);
  const origin = source.origin === 'file' ? `the one in ${DATA_DIR}/secret` : 'KEEPWATCH_SECRET';
  await checkSecret(pool, secretBox(source.read), origin, systemClock.now());
}
