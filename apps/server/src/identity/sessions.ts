import { sql } from 'drizzle-orm';
import {
  announceAccount,
  IS_LIVING,
  lockAccount,
  type StoredUser,
  storedUser,
  USER_COLUMNS,
  USERS,
  type UserRow,
} from '../directory/users.ts';
import { type Connection, type Pool, preparedRow, row } from '../foundation/database.ts';
import { unauthenticated } from '../foundation/errors.ts';
import type { Actor, Person, Session } from '../foundation/http/context.ts';
import { Scope } from '../foundation/scope.ts';
import { hashOfToken, newToken } from '../foundation/secrets.ts';
import { insert, remove, update } from '../foundation/table-writes.ts';
import { deviceName } from './device-name.ts';
import { mustEnrol } from './second-factors/sign-in-rules.ts';
import { sessions, signInChallenges, signInDevices } from './tables.ts';

/** A session lives this long after its last use. */
export const SESSION_MS = 12 * 60 * 60 * 1_000;
/** However often it is used, a session ends this long after the sign-in. */
export const SESSION_MAX_MS = 7 * 24 * 60 * 60 * 1_000;
/** It is prolonged at most this often: reading must not write every time. */
const PROLONG_MS = 5 * 60 * 1_000;

const EXPIRED = 'Your session has expired. Please log in again to continue.';

/**
 * Opens a session, for nothing but a second factor where one has to be added; gives the token, which is stored only as its hash. With a
 * parent, that of an administrator who acts as the user, it is over when the parent is as it is now: its use prolongs neither.
 */
export async function openSession(
  connection: Connection,
  user: { providerId: number; id: string },
  now: Date,
  address: string,
  { userAgent, parentHash, isToEnrol }: { userAgent?: string | null; parentHash?: Buffer; isToEnrol?: boolean } = {},
): Promise<string> {
  const token = newToken();
  const { providerId, id: userId } = user;
  await insert(connection, sessions, {
    tokenHash: hashOfToken(token),
    providerId,
    userId,
    createdAt: now,
    lastAt: now,
    expiresAt:
      parentHash === undefined
        ? after(now)
        : sql`(select p.expires_at from sessions p where p.token_hash = ${parentHash})`,
    address,
    device: deviceName(userAgent ?? null),
    parentHash,
    // An administrator who acts as the user adds none in that user's place.
    mustEnrol: parentHash === undefined && (isToEnrol ?? (await mustEnrol(connection, user))),
  });
  return token;
}

/**
 * Who a token belongs to. Throws a 401 whose message contains "expired" for a session that ran out, was signed out or
 * belongs to a user that is disabled or removed: sessions end at once, everywhere. Prolongs the session, up to its last day.
 */
export async function actorOf(pool: Pool, token: string, now: Date): Promise<Actor> {
  const session = await sessionOf(pool, token, now);
  if (session.usedAt.getTime() < now.getTime() - PROLONG_MS) await prolong(pool, session, now);
  return session.actor;
}

/** A session with its last moment, however often it is used, and when it was last used, to a few minutes. */
interface FoundSession extends Session {
  lastAt: Date;
  usedAt: Date;
}

/** The session of a token, which it does not prolong. Throws as `actorOf` does. */
export async function sessionOf(pool: Pool, token: string, now: Date): Promise<FoundSession> {
  const sessionHash = hashOfToken(token);
  const found = await findUserBySession(pool, sessionHash);
  if (found === null) throw unauthenticated(EXPIRED);
  const { impersonator } = found;
  const expiresAt = Date.parse(found.expiresAt);
  const lastAt = impersonator === null ? Date.parse(found.createdAt) + SESSION_MAX_MS : expiresAt;
  const endsAt = Math.min(expiresAt, lastAt);
  if (endsAt <= now.getTime()) throw unauthenticated(EXPIRED);
  const actor = { ...actorFrom(found.user), mustEnrol: found.isToEnrol, sessionHash, impersonator };
  // Whose password another person set chooses a new one; an administrator who acts as that user does not.
  if (impersonator !== null) actor.mustChangePassword = false;
  return { actor, endsAt: new Date(endsAt), lastAt: new Date(lastAt), usedAt: new Date(found.usedAt) };
}

interface SessionRow {
  createdAt: string;
  expiresAt: string;
  usedAt: string;
  isToEnrol: boolean;
  impersonatorId: string | null;
  impersonatorName: string | null;
}

/** The living user of a session, and who acts as that user. */
interface StoredSession extends Pick<SessionRow, 'createdAt' | 'expiresAt' | 'usedAt' | 'isToEnrol'> {
  user: StoredUser;
  impersonator: Person | null;
}

/** Reads the session of a token's hash: one query, as every request asks it. */
async function findUserBySession(connection: Connection, tokenHash: Buffer): Promise<StoredSession | null> {
  const found = await preparedRow<UserRow & SessionRow>(
    connection,
    'user by session',
    sql`select s.created_at as "createdAt", s.expires_at as "expiresAt", s.last_at as "usedAt", s.must_enrol as "isToEnrol",
          a.id as "impersonatorId", a.username as "impersonatorName", ${USER_COLUMNS}
        from sessions s join ${USERS} u on u.provider_id = s.provider_id and u.id = s.user_id
          left join sessions p on p.token_hash = s.parent_hash
          left join ${USERS} a on a.provider_id = p.provider_id and a.id = p.user_id
        where s.token_hash = ${tokenHash} and ${IS_LIVING}`,
  );
  if (found === null) return null;
  const {
    createdAt,
    expiresAt,
    usedAt,
    isToEnrol,
    impersonatorId: userId,
    impersonatorName: username,
    ...user
  } = found;
  const impersonator = userId === null || username === null ? null : { userId, username };
  return { user: storedUser(user), createdAt, expiresAt, usedAt, isToEnrol, impersonator };
}

/** Who a user is as a caller, without what depends on how the call is made. */
export function actorFrom(user: StoredUser): Omit<Actor, 'sessionHash' | 'impersonator'> {
  return {
    userId: user.id,
    username: user.username,
    roles: user.roles,
    mustChangePassword: user.mustChangePassword,
    mustEnrol: false,
    scope: new Scope(user.providerId, user.companyIds),
    backupClock: user.backupClock,
    key: null,
  };
}

async function prolong(pool: Pool, { actor, lastAt }: FoundSession, now: Date): Promise<void> {
  const expiresAt = new Date(Math.min(after(now).getTime(), lastAt.getTime()));
  await update(pool, sessions, { expiresAt, lastAt: now }, { tokenHash: actor.sessionHash });
}

/**
 * Keeps the caller's session until the end of the transaction. Throws 401 where it has ended: checking the current password takes a moment, in which
 * another person may have set a new one. The account is locked first, as by who sets a password.
 */
export async function holdSession(connection: Connection, actor: Actor): Promise<void> {
  await lockAccount(connection, { providerId: actor.scope.providerId, id: actor.userId });
  await requireSession(connection, actor);
}

/** Keeps the caller's session until the end of the transaction, in which another one comes of it. Throws 401 where it has ended. */
export async function requireSession(
  connection: Connection,
  { sessionHash }: Pick<Actor, 'sessionHash'>,
): Promise<void> {
  const held = await row(connection, sql`select from sessions where token_hash = ${sessionHash} for key share`);
  if (held === null) throw unauthenticated(EXPIRED);
}

/** When the session was opened. */
export async function beganAt(connection: Connection, tokenHash: Buffer): Promise<Date | null> {
  const found = await row<{ createdAt: string }>(
    connection,
    sql`select created_at as "createdAt" from sessions where token_hash = ${tokenHash}`,
  );
  return found === null ? null : new Date(found.createdAt);
}

/**
 * Lets the session do everything in which a user has added the second factor that was required (`null`: it was added at the sign-in), and ends
 * all others that waited for it: of those nothing but the password is known, and they may be another person's.
 */
export async function openEnrolled(
  connection: Connection,
  user: { providerId: number; id: string },
  sessionHash: Buffer | null,
): Promise<void> {
  if (sessionHash !== null) await update(connection, sessions, { mustEnrol: false }, { tokenHash: sessionHash });
  await remove(connection, sessions, { providerId: user.providerId, userId: user.id, mustEnrol: true });
  await announceAccount(connection, user);
}

/** Ends a session at once, with the streams that were opened with it. */
export async function endSession(connection: Connection, sessionHash: Buffer): Promise<void> {
  await remove(connection, sessions, { tokenHash: sessionHash });
}

/** Ends all sessions of a user whose password is another one now, and forgets the browsers that were known by the old one. */
export async function endSessionsOf(
  connection: Connection,
  { providerId, id: userId }: { providerId: number; id: string },
): Promise<void> {
  for (const table of [sessions, signInDevices, signInChallenges])
    await remove(connection, table, { providerId, userId });
}

/** Deletes sessions that ran out. */
export async function removeExpiredSessions(connection: Connection, now: Date): Promise<void> {
  await remove(connection, sessions, sql`${sessions.expiresAt} < ${now}`);
}

function after(now: Date): Date {
  return new Date(now.getTime() + SESSION_MS);
}
