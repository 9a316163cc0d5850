import { sql } from 'drizzle-orm';
import { type Connection, row } from '../foundation/database.ts';
import { sealedColumn } from '../foundation/sealed-column.ts';
import type { SecretBox } from '../foundation/secrets.ts';
import { update } from '../foundation/table-writes.ts';
import { providers } from './tables.ts';

/** Binds a secret to its brand: that of another one does not open. */
const contextOf = (brandId: number) => `chat/${brandId}`;

export const SEALED_CHAT_SECRETS = sealedColumn(providers, 'chatSecret', ['id'], ({ id }) => contextOf(id));

/** Stores the secret with which the chat of a brand checks who its users are; `null` removes it. */
export async function storeChatSecret(
  connection: Connection,
  box: SecretBox,
  brandId: number,
  secret: string | null,
): Promise<void> {
  const sealed = secret === null ? null : box.seal(secret, contextOf(brandId));
  await update(connection, providers, { chatSecret: sealed }, { id: brandId });
}

/** The secret of a brand. `null` where it has none, or one that was sealed with a key that is lost. */
export async function findChatSecret(connection: Connection, box: SecretBox, brandId: number): Promise<string | null> {
  const found = await row<{ sealed: Buffer | null }>(
    connection,
    sql`select chat_secret as sealed from providers where id = ${brandId}`,
  );
  if (found === null || found.sealed === null) return null;
  try {
    return box.open(found.sealed, contextOf(brandId));
  } catch {
    return null;
  }
}
