import type { AttemptCheck } from '@keepwatch/connectors/ports/user-directory';
import { findUserByName, hasPassword, type StoredUser } from '../directory/users.ts';
import type { Pool } from '../foundation/database.ts';
import { Refusal } from '../foundation/errors.ts';
import type { PublicContext } from '../foundation/http/context.ts';
import { hashOfPassword, isPassword } from '../foundation/secrets.ts';
import { countAtAccount, countAttempt, uncountAttempt } from './sign-in-attempts.ts';
import { DEVICE_COOKIE, knownDevice } from './sign-in-devices.ts';

/** Compared with when there is no such user, or one without a password here, so that the answer takes as long either way. */
const UNKNOWN_USER = hashOfPassword('no user has this password');

/** What a user signs in with, and from where. */
export interface Credentials {
  providerId: number;
  username: string;
  password: string;
  address: string;
  deviceToken: string | null;
}

/** A name and a password, with where they were entered. */
export function credentialsOf(
  { address, cookies }: Pick<PublicContext, 'address' | 'cookies'>,
  account: Pick<Credentials, 'providerId' | 'username' | 'password'>,
): Credentials {
  const { providerId, username, password } = account;
  return { providerId, username, password, address, deviceToken: cookies.token(DEVICE_COOKIE) };
}

/**
 * The user whose name and password these are.
 * Throws 401 when they are not, and 429 after too many wrong passwords; neither says whether the name exists.
 */
export function verifyPassword(pool: Pool, given: Credentials, now: Date): Promise<StoredUser> {
  return countedSignIn(pool, given, now, () => userByHash(pool, given));
}

/** What `prove` gives, which is not asked after too many attempts. Throws 429 then, and what `prove` throws. An account of a directory is counted as well, once it was found. */
export async function countedSignIn<T>(
  pool: Pool,
  { providerId, username, address, deviceToken }: Credentials,
  now: Date,
  prove: (isAllowed: AttemptCheck) => Promise<T>,
): Promise<T> {
  const device = await knownDevice(pool, providerId, username, deviceToken);
  const attempt = { providerId, username, address, knownDevice: device };
  // Counted before the password is looked at: a hundred guesses sent at once are a hundred attempts.
  await countAttempt(pool, attempt, now);
  const found: { account: string | null } = { account: null };
  const proved = await prove(({ id }) => {
    found.account = id;
    return countAtAccount(pool, attempt, id, now);
  });
  await uncountAttempt(pool, attempt, found.account);
  return proved;
}

async function userByHash(pool: Pool, { providerId, username, password }: Credentials): Promise<StoredUser> {
  const user = await findUserByName(pool, providerId, username);
  const isHere = user !== null && user.directoryAccount === null && hasPassword(user);
  const stored = isHere ? user.passwordHash : await UNKNOWN_USER;
  const matches = await isPassword(password, stored);
  if (!isHere || !matches) throw new Refusal(401, 'WRONG_CREDENTIALS', 'Wrong user name or password.');
  return user;
}
