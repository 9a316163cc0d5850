import { findUserByName, hasPassword, type StoredUser } from '../directory/users.ts';
import type { Pool } from '../foundation/database.ts';
import { Refusal } from '../foundation/errors.ts';
import { hashOfPassword, isPassword } from '../foundation/secrets.ts';
import { countAttempt, uncountAttempt } from './sign-in-attempts.ts';
import { knownDevice } from './sign-in-devices.ts';

/** Compared with when there is no such user, or one without a password yet, so that the answer takes as long either way. */
const UNKNOWN_USER = hashOfPassword('no user has this password');

/** What a user signs in with, and from where. */
export interface Credentials {
  providerId: number;
  username: string;
  password: string;
  address: string;
  deviceToken: string | null;
}

/**
 * The user whose name and password these are.
 * Throws 401 when they are not, and 429 after too many wrong passwords; neither says whether the name exists.
 */
export async function verifyPassword(pool: Pool, given: Credentials, now: Date): Promise<StoredUser> {
  const { providerId, username, password, address, deviceToken } = given;
  const device = await knownDevice(pool, providerId, username, deviceToken);
  const attempt = { providerId, username, address, knownDevice: device };
  // Counted before the password is looked at: a hundred guesses sent at once are a hundred attempts.
  await countAttempt(pool, attempt, now);
  const user = await findUserByName(pool, providerId, username);
  const stored = user === null || !hasPassword(user) ? await UNKNOWN_USER : user.passwordHash;
  const matches = await isPassword(password, stored);
  if (user === null || !matches) throw new Refusal(401, 'WRONG_CREDENTIALS', 'Wrong user name or password.');
  await uncountAttempt(pool, attempt);
  return user;
}
