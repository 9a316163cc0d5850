import { type SQL, sql } from 'drizzle-orm';
import { announceAccount } from '../../directory/users.ts';
import { type Connection, row, rows } from '../../foundation/database.ts';
import { insert, update } from '../../foundation/table-writes.ts';
import { sessions, signInRules } from '../tables.ts';
import { findSecondFactors, isProtected } from './second-factors.ts';
import type { UserKey } from './user-key.ts';

/** Whether a provider requires a second factor of all its users. */
export async function requiresSecondFactor(connection: Connection, providerId: number): Promise<boolean> {
  const rules = await row<{ isRequired: boolean }>(
    connection,
    sql`select ${requiresSecondFactorOf(sql`${providerId}`)} as "isRequired"`,
  );
  return rules?.isRequired === true;
}

/** The same as part of a query that has the provider: each call with a key asks it. */
export function requiresSecondFactorOf(providerId: SQL): SQL {
  return sql`exists (select from sign_in_rules r where r.provider_id = ${providerId} and r.requires_second_factor)`;
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
  if (!isRequired) await openAll(connection, providerId);
}

/** Lets all sessions do everything that waited for a second factor. */
async function openAll(connection: Connection, providerId: number): Promise<void> {
  const waiting = await rows<{ id: string }>(
    connection,
    sql`select distinct s.user_id as id from sessions s where s.provider_id = ${providerId} and s.must_enrol`,
  );
  await update(connection, sessions, { mustEnrol: false }, { providerId });
  for (const { id } of waiting) await announceAccount(connection, { providerId, id });
}

/** Whether the user has to add a second factor before anything else opens. */
export async function mustEnrol(connection: Connection, user: UserKey): Promise<boolean> {
  if (!(await requiresSecondFactor(connection, user.providerId))) return false;
  return !isProtected(await findSecondFactors(connection, user));
}
