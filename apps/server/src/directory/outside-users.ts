import type { Role } from '@keepwatch/contract/abilities';
import { userName } from '@keepwatch/contract/identity/user-name';
import { emailAddress } from '@keepwatch/contract/wire/fields';
import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Connection, row } from '../foundation/database.ts';
import { conflict } from '../foundation/errors.ts';
import { insert, remove, update } from '../foundation/table-writes.ts';
import { userCompanies, users } from './tables.ts';
import { announceAccount, createUser, isFreeName, SIGNS_IN_ELSEWHERE } from './users.ts';

interface UserKey {
  providerId: number;
  id: string;
}

/** A user as another system describes one. */
export interface OutsideUser {
  name: string | null;
  /** `null`: none that was verified. */
  email: string | null;
  roles: readonly Role[];
  /** What the user is limited to; `null`: all companies of the provider. */
  companyIds: readonly string[] | null;
}

/**
 * Adds a user who signs in elsewhere, and gives the id. The name is the first of `names` that a user can have and that is free; the last one is
 * made to be free.
 */
export async function addOutsideUser(
  connection: Connection,
  providerId: number,
  names: readonly (string | null)[],
  { name, email, roles, companyIds }: OutsideUser,
): Promise<string> {
  const username = await freeName(connection, providerId, names);
  const account = { username, name: name ?? username, email: addressOf(email) ?? '', roles };
  const reach = companyIds === null ? {} : { companyIds: requireSome(companyIds) };
  return createUser(connection, { providerId, ...account, ...reach, passwordHash: SIGNS_IN_ELSEWHERE });
}

/** Gives a user the roles, companies and name that the other system says. Gives what they were, `null` where nothing of what the user may do has changed. */
export async function followOutsideUser(
  connection: Connection,
  key: UserKey,
  { name, email, roles, companyIds }: OutsideUser,
): Promise<Pick<OutsideUser, 'roles' | 'companyIds'> | null> {
  const before = await row<{ roles: Role[]; companyIds: string[] }>(
    connection,
    sql`select u.roles, array(select l.company_id from user_companies l where l.provider_id = u.provider_id and l.user_id = u.id) as "companyIds"
        from users u where u.provider_id = ${key.providerId} and u.id = ${key.id}`,
  );
  if (before === null) throw new Error(`The user ${key.id} is not there.`);
  const address = addressOf(email);
  await update(
    connection,
    users,
    { roles: [...roles], ...(name === null ? {} : { name }), ...(address === null ? {} : { email: address }) },
    key,
  );
  const isReachNew = !isSame(before.companyIds, companyIds ?? []);
  if (isReachNew) await changeReach(connection, key, companyIds);
  if (!isReachNew && isSame(before.roles, roles)) return null;
  await announceAccount(connection, key);
  return { roles: before.roles, companyIds: before.companyIds.length === 0 ? null : before.companyIds };
}

async function changeReach(
  connection: Connection,
  { providerId, id: userId }: UserKey,
  companyIds: readonly string[] | null,
): Promise<void> {
  await remove(connection, userCompanies, { providerId, userId });
  if (companyIds === null) return;
  for (const companyId of requireSome(companyIds))
    await insert(connection, userCompanies, { providerId, userId, companyId });
}

/** Throws 409 for a user who signs in elsewhere: a password would be a second way in, which nothing there ends. */
export async function requireOwnPassword(connection: Connection, { providerId, id }: UserKey): Promise<void> {
  const elsewhere = await row<{ name: string }>(
    connection,
    sql`select u.name from users u where u.provider_id = ${providerId} and u.id = ${id} and u.password_hash = ${SIGNS_IN_ELSEWHERE}`,
  );
  if (elsewhere !== null)
    throw conflict(
      `${elsewhere.name} logs in through an identity provider and has no password here. It is changed there.`,
    );
}

/** The same for an account of a directory, too: no password of theirs is here. */
export async function requirePasswordHere(connection: Connection, user: UserKey): Promise<void> {
  const inDirectory = await row<{ name: string }>(
    connection,
    sql`select u.name from users u where u.provider_id = ${user.providerId} and u.id = ${user.id} and u.directory_account is not null`,
  );
  if (inDirectory !== null)
    throw conflict(`${inDirectory.name} signs in with the directory. The password is set there.`);
  await requireOwnPassword(connection, user);
}

async function freeName(
  connection: Connection,
  providerId: number,
  names: readonly (string | null)[],
): Promise<string> {
  for (const name of names) {
    const known = z.safeParse(userName, name);
    if (known.success && (await isFreeName(connection, providerId, known.data))) return known.data;
  }
  throw new Error('None of the names of a new user is free.');
}

const addressOf = (email: string | null) => z.safeParse(emailAddress, email).data ?? null;

/** An empty list would be a user without limits. */
function requireSome(companyIds: readonly string[]): readonly string[] {
  if (companyIds.length === 0) throw new Error('A limit to companies names none.');
  return companyIds;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return new Set(one).size === new Set(other).size && one.every((value) => other.includes(value));
}
