import { sql } from 'drizzle-orm';
import { IS_LIVING, type StoredUser, storedUser, USER_COLUMNS, USERS, type UserRow } from '../directory/users.ts';
import { type Connection, type Pool, preparedRow } from '../foundation/database.ts';
import { unauthenticated } from '../foundation/errors.ts';
import type { Actor, Session } from '../foundation/http/context.ts';
import { Scope } from '../foundation/scope.ts';
import { hashOfToken, newToken } from '../foundation/secrets.ts';
import { insert, remove, update } from '../foundation/table-writes.ts';
import { mustEnrol } from './second-factors/sign-in-rules.ts';
import { sessions } from './tables.ts';

/** A session lives this long after its last use. */
export const SESSION_MS = 12 * 60 * 60 * 1_000;
/** However often it is used, a session ends this long after the sign-in. */
export const SESSION_MAX_MS = 7 * 24 * 60 * 60 * 1_000;
/** It is prolonged at most this often: reading must not write every time. */
const PROLONG_MS = 5 * 60 * 1_000;

const EXPIRED = 'Your session has expired. Please log in again to continue.';

/** Opens a session, for nothing but a second factor where one has to be added; gives the token, which is stored only as its hash. */
export async function openSession(
  connection: Connection,
  user: { providerId: number; id: string },
  now: Date,
  address: string,
): Promise<string> {
  const token = newToken();
  const { providerId, id: userId } = user;
  const tokenHash = hashOfToken(token);
  const session = { tokenHash, providerId, userId, createdAt: now, expiresAt: after(now), address };
  await insert(connection, sessions, { ...session, mustEnrol: await mustEnrol(connection, user) });
  return token;
}

/**
 * Who a token belongs to. Throws a 401 whose message contains "expired" for a session that ran out, was signed out or
 * belongs to a user that is disabled or removed: sessions end at once, everywhere. Prolongs the session, up to its last day.
 */
export async function actorOf(pool: Pool, token: string, now: Date): Promise<Actor> {
  const session = await sessionOf(pool, token, now);
  const prolonged = Math.min(now.getTime() + SESSION_MS, session.lastAt.getTime());
  if (session.endsAt.getTime() < prolonged - PROLONG_MS) await prolong(pool, session.actor.sessionHash, prolonged);
  return session.actor;
}

/** The session of a token, which it does not prolong. Throws as `actorOf` does. */
export async function sessionOf(pool: Pool, token: string, now: Date): Promise<Session & { lastAt: Date }> {
  const sessionHash = hashOfToken(token);
  const found = await findUserBySession(pool, sessionHash);
  if (found === null) throw unauthenticated(EXPIRED);
  const lastAt = Date.parse(found.createdAt) + SESSION_MAX_MS;
  const endsAt = Math.min(Date.parse(found.expiresAt), lastAt);
  if (endsAt <= now.getTime()) throw unauthenticated(EXPIRED);
  return {
    actor: { ...actorFrom(found.user, found.isToEnrol), sessionHash },
    endsAt: new Date(endsAt),
    lastAt: new Date(lastAt),
  };
}

/** The living user whose session has this token's hash, when that was opened and when it runs out: one query, as every request asks it. */
async function findUserBySession(
  connection: Connection,
  tokenHash: Buffer,
): Promise<{ user: StoredUser; createdAt: string; expiresAt: string; isToEnrol: boolean } | null> {
  const found = await preparedRow<UserRow & { createdAt: string; expiresAt: string; isToEnrol: boolean }>(
    connection,
    'user by session',
    sql`select s.created_at as "createdAt", s.expires_at as "expiresAt", s.must_enrol as "isToEnrol", ${USER_COLUMNS} from sessions s
        join ${USERS} u on u.provider_id = s.provider_id and u.id = s.user_id where s.token_hash = ${tokenHash} and ${IS_LIVING}`,
  );
  if (found === null) return null;
  const { createdAt, expiresAt, isToEnrol, ...user } = found;
  return { user: storedUser(user), createdAt, expiresAt, isToEnrol };
}

function actorFrom(user: StoredUser, isToEnrol: boolean): Omit<Actor, 'sessionHash'> {
  return {
    userId: user.id,
    username: user.username,
    roles: user.roles,
    mustChangePassword: user.mustChangePassword,
    mustEnrol: isToEnrol,
    scope: new Scope(user.providerId, user.companyIds),
  };
}

async function prolong(pool: Pool, sessionHash: Buffer, expiresAtMs: number): Promise<void> {
  await update(pool, sessions, { expiresAt: new Date(expiresAtMs) }, { tokenHash: sessionHash });
}

/** Lets the sessions of a user do everything who has added the second factor that was required. */
export async function openEnrolled(connection: Connection, user: { providerId: number; id: string }): Promise<void> {
  await update(connection, sessions, { mustEnrol: false }, { providerId: user.providerId, userId: user.id });
}

/** Ends a session at once, with the streams that were opened with it. */
export async function endSession(connection: Connection, sessionHash: Buffer): Promise<void> {
  await remove(connection, sessions, { tokenHash: sessionHash });
}

/** Deletes sessions that ran out. */
export async function removeExpiredSessions(connection: Connection, now: Date): Promise<void> {
  await remove(connection, sessions, sql`${sessions.expiresAt} < ${now}`);
}

function after(now: Date): Date {
  return new Date(now.getTime() + SESSION_MS);
}
