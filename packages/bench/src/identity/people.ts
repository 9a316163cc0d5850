import { signIn } from '@keepwatch/contract/identity/sessions';
import { addressOf } from '@keepwatch/contract/wire/client';
import { createUser } from '@keepwatch/server/directory/users';
import type { Pool } from '@keepwatch/server/foundation/database';
import { hashOfPassword } from '@keepwatch/server/foundation/secrets';
import type { PortalConnection, WireRequest } from '../monitoring/portal-connection.ts';

export const PASSWORD = 'correct horse battery staple';

/** A user, in an office of their own: wrong passwords are counted by the network. */
export interface Person {
  username: string;
  address: string;
}

/** Operators of the first provider with one password. @returns them, and the hash that is stored of it */
export async function makePeople(pool: Pool, count: number): Promise<{ people: Person[]; passwordHash: string }> {
  const passwordHash = await hashOfPassword(PASSWORD);
  const people = Array.from({ length: count }, (_, at) => ({ username: `person-${at}`, address: `100.64.${at}.1` }));
  for (const { username } of people) {
    const user = { providerId: 1, username, name: username, email: `${username}@example.test`, passwordHash };
    await createUser(pool, { ...user, roles: ['operator'] });
  }
  return { people, passwordHash };
}

/** Signs a person in. @throws when that is refused */
export async function enter(connection: PortalConnection, person: Person): Promise<void> {
  const status = await connection.send(wireSignIn(person));
  if (status !== 200) throw new Error(`The sign-in of ${person.username} was answered with ${status}.`);
}

function wireSignIn({ username, address }: Person): WireRequest {
  const body = JSON.stringify({ username, password: PASSWORD });
  const head = [
    `POST ${addressOf(signIn, {})} HTTP/1.1`,
    'host: localhost',
    `x-forwarded-for: ${address}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}
