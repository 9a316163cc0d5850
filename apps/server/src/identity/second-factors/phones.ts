import type { SecondFactors } from '@keepwatch/contract/identity/second-factors';
import { sql } from 'drizzle-orm';
import { type Connection, row } from '../../foundation/database.ts';
import { insert, remove, update } from '../../foundation/table-writes.ts';
import { phones } from '../tables.ts';
import type { UserKey } from './user-key.ts';

/** The number to which codes for a user are sent; `null`: the user has none. */
export async function numberOf(connection: Connection, { providerId, id }: UserKey): Promise<string | null> {
  const phone = await row<{ number: string }>(
    connection,
    sql`select number from phones where provider_id = ${providerId} and user_id = ${id}`,
  );
  return phone?.number ?? null;
}

/** The phone of a user, its number shown in part. */
export async function findPhone(connection: Connection, { providerId, id }: UserKey): Promise<SecondFactors['phone']> {
  const phone = await row<NonNullable<SecondFactors['phone']>>(
    connection,
    sql`select number, created_at as "createdAt", last_used_at as "lastUsedAt" from phones
        where provider_id = ${providerId} and user_id = ${id}`,
  );
  return phone === null ? null : { ...phone, number: masked(phone.number) };
}

/** A number of which only its owner recognises what is left: the last two digits. */
export function masked(number: string): string {
  return `${'•'.repeat(Math.max(0, number.length - 3))}${number.slice(-2)}`;
}

/** Stores the number that a code has confirmed, in the place of an earlier one. */
export async function storePhone(
  connection: Connection,
  { providerId, id: userId }: UserKey,
  number: string,
  now: Date,
): Promise<void> {
  await insert(
    connection,
    phones,
    { providerId, userId, number, createdAt: now },
    sql`on conflict (provider_id, user_id) do update set number = excluded.number, created_at = excluded.created_at, last_used_at = null`,
  );
}

export async function markPhoneUsed(
  connection: Connection,
  { providerId, id: userId }: UserKey,
  now: Date,
): Promise<void> {
  await update(connection, phones, { lastUsedAt: now }, { providerId, userId });
}

/** Removes the phone of a user, and gives whether there was one. */
export async function removePhoneOf(connection: Connection, { providerId, id: userId }: UserKey): Promise<boolean> {
  return (await remove(connection, phones, { providerId, userId })) === 1;
}
