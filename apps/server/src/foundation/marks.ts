import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { type Connection, row } from './database.ts';
import type { SecretBox } from './secrets.ts';
import { insert } from './table-writes.ts';
import { markKey } from './tables.ts';

/**
 * 32 bytes that look random, the same for the same text, and that cannot be worked out from outside. They stay the same when the key of the stored
 * secrets is rotated: the first key of which one was made is stored.
 */
export async function markOf(
  connection: Connection,
  secrets: SecretBox,
  text: string,
  context: string,
): Promise<Buffer> {
  const key = (await findKey(connection)) ?? (await storeKey(connection, secrets.markKey()));
  return createHmac('sha256', key).update(`${context}\n${text}`).digest();
}

async function findKey(connection: Connection): Promise<Buffer | null> {
  return (await row<{ key: Buffer }>(connection, sql`select key from mark_key`))?.key ?? null;
}

/** Of two at once, the key of the first one counts. */
async function storeKey(connection: Connection, key: Buffer): Promise<Buffer> {
  await insert(connection, markKey, { key }, sql`on conflict (is_only) do nothing`);
  return (await findKey(connection)) ?? key;
}
