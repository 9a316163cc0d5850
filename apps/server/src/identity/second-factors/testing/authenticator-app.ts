import { beginAuthenticator, confirmAuthenticator } from '@keepwatch/contract/identity/second-factors';
import { signIn } from '@keepwatch/contract/identity/sessions';
import { type Caller, PASSWORD, type TestPortal } from '../../../testing/test-portal.ts';
import { oneTimeCodeOf, stepAt } from '../one-time-codes.ts';

/** What an app shows that has read this key. */
export function codeAt(key: string, now: Date): string {
  const bits = [...key].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return oneTimeCodeOf(Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))), stepAt(now));
}

/** Adds an authenticator app to a user, as the user does. */
export async function addAuthenticator(
  person: Caller,
  now: Date,
  password = PASSWORD,
): Promise<{ key: string; recoveryCodes: readonly string[] }> {
  const params = { id: person.userId };
  const { data } = await person.call(beginAuthenticator, { params, body: { password } });
  const code = codeAt(data.key, now);
  const confirmed = await person.call(confirmAuthenticator, { params, body: { code } });
  return { key: data.key, recoveryCodes: confirmed.data.recoveryCodes ?? [] };
}

/** What the sign-in answers to the password of a user. */
export function signInTo(portal: TestPortal, { username }: Caller, password = PASSWORD) {
  return portal.anonymous.call(signIn, { body: { username, password } });
}
