import { sql } from 'drizzle-orm';
import { type Connection, row } from '../../foundation/database.ts';
import { insert, update } from '../../foundation/table-writes.ts';
import { sessions, signInRules } from '../tables.ts';
import { findSecondFactors, isProtected } from './second-factors.ts';
import type { UserKey } from './user-key.ts';

/** Whether a provider requires a second factor of all its users. */
export async function requiresSecondFactor(connection: Connection, providerId: number): Promise<boolean> {
  const rules = await row<{ isRequired: boolean }>(
    connection,
    sql`select requires_second_factor as "isRequired" from sign_in_rules where provider_id = ${providerId}`,
  );
  return rules?.isRequired === true;
}

export async function requireSecondFactor(
  connection: Connection,
  providerId: number,
  isRequired: boolean,
): Promise<void> {
  const rules = { providerId, requiresSecondFactor: isRequired };
  await insert(
    connection,
    signInRules,
    rules,
    sql`on conflict (provider_id) do update set requires_second_factor = excluded.requires_second_factor`,
  );
  if (!isRequired) await update(connection, sessions, { mustEnrol: false }, { providerId });
}

/** Whether the user has to add a second factor before anything else opens. */
export async function mustEnrol(connection: Connection, user: UserKey): Promise<boolean> {
  if (!(await requiresSecondFactor(connection, user.providerId))) return false;
  return !isProtected(await findSecondFactors(connection, user));
}
