import { sql } from 'drizzle-orm';
import { type Connection, row } from '../foundation/database.ts';
import { hashOfToken, newToken } from '../foundation/secrets.ts';
import { insert, remove } from '../foundation/table-writes.ts';
import { accountLinks } from './tables.ts';
import { IS_LIVING } from './users.ts';

const HOUR_MS = 60 * 60 * 1_000;
/** An invitation waits in a mailbox over a weekend; a forgotten password is set at once. */
export const LIFETIME_MS = { invitation: 7 * 24 * HOUR_MS, password: HOUR_MS } as const;
export type LinkKind = keyof typeof LIFETIME_MS;

interface UserKey {
  providerId: number;
  id: string;
}

/** A link as it is handed over, once: only the hash of its token is stored. */
export interface NewLink {
  token: string;
  expiresAt: Date;
}

/** A link that opens, and whose it is. */
export interface OpenLink extends UserKey {
  username: string;
  isInvitation: boolean;
}

/** Makes a link with which a user sets a password. Earlier ones stay: the mail and the page of an administrator each have their own. */
export async function makeLink(
  connection: Connection,
  { providerId, id: userId }: UserKey,
  kind: LinkKind,
  now: Date,
): Promise<NewLink> {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + LIFETIME_MS[kind]);
  const link = { providerId, tokenHash: hashOfToken(token), userId, isInvitation: kind === 'invitation', expiresAt };
  await insert(connection, accountLinks, link);
  return { token, expiresAt };
}

/** Finds the link of a token among those of a provider; `null` for one that is spent, too old, or of a user who may not sign in. */
export function findLink(
  connection: Connection,
  providerId: number,
  token: string,
  now: Date,
  lock: 'for update' | '' = '',
): Promise<OpenLink | null> {
  return row<OpenLink>(
    connection,
    sql`select u.provider_id as "providerId", u.id, u.username, l.is_invitation as "isInvitation"
        from account_links l join users u on u.provider_id = l.provider_id and u.id = l.user_id
        where l.provider_id = ${providerId} and l.token_hash = ${hashOfToken(token)} and l.expires_at > ${now} and ${IS_LIVING} ${sql.raw(lock)}`,
  );
}

/** Ends a link that did not reach its user. */
export async function endLink(connection: Connection, providerId: number, { token }: NewLink): Promise<void> {
  await remove(connection, accountLinks, { providerId, tokenHash: hashOfToken(token) });
}

/** Ends all links of a user. */
export async function endLinks(connection: Connection, { providerId, id: userId }: UserKey): Promise<void> {
  await remove(connection, accountLinks, { providerId, userId });
}

/** Deletes links that are too old. */
export async function removeExpiredLinks(connection: Connection, now: Date): Promise<void> {
  await remove(connection, accountLinks, sql`${accountLinks.expiresAt} <= ${now}`);
}

/** The address that a link opens. @param portal the address of the portal, as its users type it */
export function linkAddress(portal: string, { token }: NewLink): string {
  return new URL(`/reset-password-db?hash=${token}`, portal).href;
}
