import { sql } from 'drizzle-orm';
import { type Pool, rows } from '../foundation/database.ts';
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
  const found = await rows<{ passwordHash: string }>(
    database,
    sql`select distinct password_hash as "passwordHash" from users
        where username = any(${sql.param(names)}::text[]) and deleted_at is null and disabled_at is null`,
  );
  for (const { passwordHash } of found) if (await isPassword(DEMONSTRATION.password, passwordHash)) return true;
  return false;
}
