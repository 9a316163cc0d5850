import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { type Connection, row } from '../../foundation/database.ts';
import { hashOfToken } from '../../foundation/secrets.ts';
import { insert, remove, update } from '../../foundation/table-writes.ts';
import { recoveryCodes } from '../tables.ts';
import { base32 } from './one-time-codes.ts';
import type { UserKey } from './user-key.ts';

const CODES = 10;
/** 80 random bits: none can be guessed, so that a fast hash is enough. */
const CODE_BYTES = 10;

/** Makes ten recovery codes and gives them, once. Earlier ones no longer count. */
export async function renewRecoveryCodes(connection: Connection, user: UserKey): Promise<string[]> {
  const { providerId, id: userId } = user;
  await remove(connection, recoveryCodes, { providerId, userId });
  const codes = Array.from({ length: CODES }, newCode);
  for (const code of codes) await insert(connection, recoveryCodes, { providerId, userId, codeHash: hashOfCode(code) });
  return codes;
}

/** The same for a user who has none; `null` for another one. */
export async function firstRecoveryCodes(connection: Connection, user: UserKey): Promise<string[] | null> {
  const { providerId, id } = user;
  const known = await row(
    connection,
    sql`select from recovery_codes where provider_id = ${providerId} and user_id = ${id} and used_at is null limit 1`,
  );
  return known === null ? renewRecoveryCodes(connection, user) : null;
}

/** Whether the code is one of the user's that was not used yet. It does not count a second time. */
export async function useRecoveryCode(
  connection: Connection,
  { providerId, id }: UserKey,
  code: string,
  now: Date,
): Promise<boolean> {
  const unused = sql`provider_id = ${providerId} and user_id = ${id} and code_hash = ${hashOfCode(code)} and used_at is null`;
  return (await update(connection, recoveryCodes, { usedAt: now }, unused)) === 1;
}

/** Removes the codes of a user. */
export async function removeRecoveryCodes(connection: Connection, { providerId, id: userId }: UserKey): Promise<void> {
  await remove(connection, recoveryCodes, { providerId, userId });
}

/** In groups of four, as people copy them. */
function newCode(): string {
  return (base32(randomBytes(CODE_BYTES)).match(/.{4}/g) ?? []).join('-');
}

/** Of a code as it is typed: in small letters, without its dashes. */
function hashOfCode(code: string): Buffer {
  return hashOfToken(code.toUpperCase().replace(/[^A-Z2-7]/g, ''));
}
