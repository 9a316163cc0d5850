import { sql } from 'drizzle-orm';
import { findUserByName, type StoredUser } from '../directory/users.ts';
import { type Connection, execute, type Pool, row } from '../foundation/database.ts';
import { Refusal } from '../foundation/errors.ts';
import { hashOfPassword, isPassword } from '../foundation/secrets.ts';

/** Wrong passwords of one name before it has to wait, and how long. */
const TRIES_MAX = 8;
const WAIT_MS = 10 * 60 * 1_000;

/** Compared with when there is no such user, so that the answer takes as long either way. */
const NOBODY = hashOfPassword('nobody has this password');

/**
 * The user whose name and password these are.
 * Throws 401 when they are not, and 429 after too many wrong tries; neither tells whether the name exists.
 */
export async function verifyPassword(
  pool: Pool,
  providerId: number,
  given: { username: string; password: string },
  now: Date,
): Promise<StoredUser> {
  // Counted before the password is looked at: a hundred guesses sent at once are a hundred tries.
  await countTry(pool, providerId, given.username, now);
  const user = await findUserByName(pool, providerId, given.username);
  const matches = await isPassword(given.password, user?.passwordHash ?? (await NOBODY));
  if (user === null || !matches) throw new Refusal(401, 'WRONG_CREDENTIALS', 'Wrong user name or password.');
  await execute(
    pool,
    sql`delete from sign_in_tries where provider_id = ${providerId} and username = lower(${given.username})`,
  );
  return user;
}

/** Throws 429 from the ninth try in a row on, until ten minutes after the last one that was looked at. */
async function countTry(pool: Pool, providerId: number, username: string, now: Date): Promise<void> {
  const isOver = sql`sign_in_tries.last_at < ${new Date(now.getTime() - WAIT_MS)}`;
  const tries = await row<{ count: number; lastAt: string }>(
    pool,
    sql`insert into sign_in_tries (provider_id, username, count, last_at) values (${providerId}, lower(${username}), 1, ${now})
        on conflict (provider_id, username) do update set count = case when ${isOver} then 1 else sign_in_tries.count + 1 end,
          last_at = case when ${isOver} or sign_in_tries.count < ${TRIES_MAX} then excluded.last_at else sign_in_tries.last_at end
        returning count, last_at as "lastAt"`,
  );
  if (tries === null || tries.count <= TRIES_MAX) return;
  const waitMs = Date.parse(tries.lastAt) + WAIT_MS - now.getTime();
  throw new Refusal(429, 'TOO_MANY_TRIES', 'Too many wrong passwords. Wait ten minutes and try again.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}

/** Forgets tries that count no more. */
export async function removeOldTries(connection: Connection, now: Date): Promise<void> {
  await execute(connection, sql`delete from sign_in_tries where last_at < ${new Date(now.getTime() - WAIT_MS)}`);
}
