import { sql } from 'drizzle-orm';
import { USERS } from '../directory/users.ts';
import { type Connection, row } from '../foundation/database.ts';
import type { CookieSettings } from '../foundation/http/cookies.ts';
import { hashOfToken, newToken } from '../foundation/secrets.ts';
import { insert, remove, update } from '../foundation/table-writes.ts';
import { signInDevices } from './tables.ts';

/** A browser that is not used to sign in for this long is forgotten; browsers delete cookies then, too. */
const UNUSED_MS = 400 * 24 * 60 * 60 * 1_000;
/** For how long a browser is remembered in which no second factor is asked for. */
const TRUSTED_MS = 30 * 24 * 60 * 60 * 1_000;
/** What signs in without cookies, as scripts do, is a new device each time. */
const DEVICES_OF_USER_MAX = 50;

/** The cookie by which a browser is known again: sent to the sign-in alone. */
export const DEVICE_COOKIE: CookieSettings = {
  name: 'keepwatch-device',
  path: '/api/auth/login',
  maxAgeSeconds: UNUSED_MS / 1_000,
};

/** The hash of a device's token, if the user of that name has signed in from it before. */
export async function knownDevice(
  connection: Connection,
  providerId: number,
  username: string,
  token: string | null,
): Promise<Buffer | null> {
  if (token === null) return null;
  const tokenHash = hashOfToken(token);
  const known = await row(
    connection,
    sql`select from sign_in_devices d join ${USERS} u on u.provider_id = d.provider_id and u.id = d.user_id
        where d.provider_id = ${providerId} and d.token_hash = ${tokenHash} and lower(u.username) = lower(${username})`,
  );
  return known === null ? null : tokenHash;
}

/**
 * Remembers that a user has signed in from a device; gives the token for the device to store, which is stored only as its hash. A browser keeps the
 * token that it has of this user. To another user it gets a new one, by which its other users are known from now on, too: else a token that
 * an attacker put into a browser would be known as that of the next user who signs in there. `trustedUntil`: no second factor is asked for until then; `null` leaves that as it is.
 */
export async function rememberDevice(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
  { token, trustedUntil }: { token: string | null; trustedUntil: Date | null },
  now: Date,
): Promise<string> {
  const remembered = await tokenFor(connection, { providerId, id }, token);
  const device = {
    providerId,
    userId: id,
    tokenHash: hashOfToken(remembered),
    createdAt: now,
    lastAt: now,
    trustedUntil,
  };
  await insert(
    connection,
    signInDevices,
    device,
    sql`on conflict (provider_id, token_hash, user_id) do update set last_at = excluded.last_at,
          trusted_until = coalesce(excluded.trusted_until, sign_in_devices.trusted_until)`,
  );
  await remove(
    connection,
    signInDevices,
    sql`provider_id = ${providerId} and user_id = ${id} and token_hash in (
          select token_hash from sign_in_devices where provider_id = ${providerId} and user_id = ${id}
          order by last_at desc offset ${DEVICES_OF_USER_MAX})`,
  );
  return remembered;
}

/** Until when no second factor is asked for in a browser whose user wants that. */
export function trustUntil(now: Date): Date {
  return new Date(now.getTime() + TRUSTED_MS);
}

/** Whether the user has said of this browser that no second factor is to be asked for in it. */
export async function isTrusted(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
  token: string | null,
  now: Date,
): Promise<boolean> {
  if (token === null) return false;
  const found = await row(
    connection,
    sql`select from sign_in_devices where provider_id = ${providerId} and user_id = ${id} and token_hash = ${hashOfToken(token)}
          and trusted_until > ${now}`,
  );
  return found !== null;
}

/** The token of a device itself if it has signed in this user before, else a new one. */
async function tokenFor(
  connection: Connection,
  { providerId, id: userId }: { providerId: number; id: string },
  token: string | null,
): Promise<string> {
  if (token === null) return newToken();
  const device = { providerId, tokenHash: hashOfToken(token) };
  const own = await row(
    connection,
    sql`select from sign_in_devices where provider_id = ${providerId} and token_hash = ${device.tokenHash} and user_id = ${userId}`,
  );
  if (own !== null) return token;
  const next = newToken();
  await update(connection, signInDevices, { tokenHash: hashOfToken(next) }, device);
  return next;
}

/** Deletes devices that were not used for a long time. */
export async function removeUnusedDevices(connection: Connection, now: Date): Promise<void> {
  await remove(connection, signInDevices, sql`${signInDevices.lastAt} < ${new Date(now.getTime() - UNUSED_MS)}`);
}
