import { listPasswordHashes } from '../directory/users.ts';
import type { Pool } from '../foundation/database.ts';
import { publicSetting } from '../foundation/local-address.ts';
import { isPassword } from '../foundation/secrets.ts';
import { type Settings, WrongSettings } from '../foundation/settings.ts';
import { DEMONSTRATION } from './demonstration.ts';

type Reach = Pick<Settings, 'HOST' | 'PUBLIC_URL' | 'DEMONSTRATION_IN_PUBLIC'>;

/**
 * Refuses to open a database with the demonstration's accounts to others: everyone can read their password. Such a database is left by
 * `npm start`, and `npm run serve` finds it in the same folder. Throws `WrongSettings` with one line that says what to do.
 */
export async function refusePublicDemonstration(database: Pool, settings: Reach): Promise<void> {
  const setting = settings.DEMONSTRATION_IN_PUBLIC ? null : publicSetting(settings);
  if (setting === null || !(await hasDemonstrationAccounts(database))) return;
  throw new WrongSettings(
    `The database has accounts of the demonstration, whose password everyone can read, and ${setting}, so others could sign in with them. ` +
      'Use another DATA_DIR or DATABASE_URL, or set DEMONSTRATION_IN_PUBLIC=true.',
  );
}

/** All accounts that one start creates have the same hash: few are left to compare. */
async function hasDemonstrationAccounts(database: Pool): Promise<boolean> {
  const names = DEMONSTRATION.accounts.map(({ username }) => username);
  for (const hash of await listPasswordHashes(database, names))
    if (await isPassword(DEMONSTRATION.password, hash)) return true;
  return false;
}
