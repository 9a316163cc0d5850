import { sql } from 'drizzle-orm';
import { record } from '../audit/audit.ts';
import { createUser, hasUsers } from '../directory/users.ts';
import { type Connection, row, transaction } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import type { Audited, PublicContext } from '../foundation/http/context.ts';
import { hashOfPassword, hashOfToken, newToken } from '../foundation/secrets.ts';
import { insert, remove } from '../foundation/table-writes.ts';
import { setupLinks } from './tables.ts';

/** Brand of a new installation; the first account belongs to it. */
const FIRST_PROVIDER = 1;

/** A one-time link's token while the installation has no account; `null` afterwards. An earlier link stops working. */
export async function newSetupToken(connection: Connection): Promise<string | null> {
  if (await hasUsers(connection)) return null;
  const token = newToken();
  await remove(connection, setupLinks, sql`true`);
  await insert(connection, setupLinks, { tokenHash: hashOfToken(token) });
  return token;
}

/** Throws 404 for a link that is spent or wrong. */
export async function requireSetupLink(connection: Connection, token: string): Promise<void> {
  const known = await row(connection, sql`select from setup_links where token_hash = ${hashOfToken(token)}`);
  if (known === null) throw notFound('link');
}

/** Creates the first account, with every role that administers, and spends the link. Throws 404 for a link that is spent or wrong. */
export async function createAccountWithLink(
  context: PublicContext & Audited,
  token: string,
  account: { username: string; name: string; email: string; password: string },
): Promise<void> {
  // Before a hash, which takes a processor for a moment: strangers reach this call.
  await requireSetupLink(context.database, token);
  const passwordHash = await hashOfPassword(account.password);
  await transaction(context.database, async (connection) => {
    const spent = await remove(connection, setupLinks, { tokenHash: hashOfToken(token) });
    if (spent === 0) throw notFound('link');
    const id = await createUser(connection, {
      providerId: FIRST_PROVIDER,
      ...account,
      passwordHash,
      roles: ['super-admin', 'admin', 'operator'],
    });
    const who = { providerId: FIRST_PROVIDER, userId: id, username: account.username };
    await record(connection, context, { action: context.audit, target: { kind: 'user', id }, who });
  });
}
