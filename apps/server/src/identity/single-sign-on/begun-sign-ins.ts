import { createHmac } from 'node:crypto';
import type { SignInRequest } from '@keepwatch/connectors/ports/identity-provider';
import { sql } from 'drizzle-orm';
import { type Connection, row } from '../../foundation/database.ts';
import type { CookieSettings } from '../../foundation/http/cookies.ts';
import { hashOfToken } from '../../foundation/secrets.ts';
import { insert, remove } from '../../foundation/table-writes.ts';
import { begunSignIns } from '../tables.ts';

const LIFETIME_MS = 10 * 60 * 1_000;

/** The cookie that binds a sign-in to the browser that began it. */
export const SIGN_IN_COOKIE: CookieSettings = {
  name: 'keepwatch-sign-in',
  path: '/',
  maxAgeSeconds: LIFETIME_MS / 1_000,
  isOfHost: true,
};

/** A sign-in as the browser knows it: the token of its cookie, and the state in its address. */
export interface BrowserSignIn {
  browser: string;
  state: string;
}

/** What belongs to a sign-in. Nonce and verifier are made from what the browser alone has, so that the portal stores neither. */
export function signInRequest({ browser, state }: BrowserSignIn, redirectAddress: string): SignInRequest {
  const derived = (what: string) => createHmac('sha256', browser).update(`${what} ${state}`).digest('base64url');
  return { redirectAddress, state, nonce: derived('nonce'), codeVerifier: derived('code verifier') };
}

/** Remembers that a sign-in was begun. */
export async function storeBegun(
  connection: Connection,
  { providerId, id: connectionId }: { providerId: number; id: string },
  { browser, state }: BrowserSignIn,
  now: Date,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const hashes = { stateHash: hashOfToken(state), browserHash: hashOfToken(browser) };
  await insert(connection, begunSignIns, { providerId, connectionId, ...hashes, expiresAt });
}

/** Spends what was begun, and gives at which connection; `null` unless this browser began it at this provider a while ago. Of two that come at once, one. */
export async function spendBegun(
  connection: Connection,
  providerId: number,
  { browser, state }: BrowserSignIn,
  now: Date,
): Promise<string | null> {
  const spent = await row<{ connectionId: string }>(
    connection,
    sql`delete from begun_sign_ins where provider_id = ${providerId} and state_hash = ${hashOfToken(state)}
          and browser_hash = ${hashOfToken(browser)} and expires_at > ${now} returning connection_id as "connectionId"`,
  );
  return spent?.connectionId ?? null;
}

/** Deletes those that were begun and not ended. */
export async function removeExpiredSignIns(connection: Connection, now: Date): Promise<void> {
  await remove(connection, begunSignIns, sql`${begunSignIns.expiresAt} <= ${now}`);
}
