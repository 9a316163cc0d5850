import type { Role } from '@keepwatch/contract/abilities';
import { sql } from 'drizzle-orm';
import { lockProvider } from '../branding/brands.ts';
import { type Connection, row } from '../foundation/database.ts';
import { conflict } from '../foundation/errors.ts';
import { update } from '../foundation/table-writes.ts';
import { endLinks } from './account-links.ts';
import { users } from './tables.ts';
import {
  announceAccount,
  createUser,
  findUserById,
  IS_LIVING,
  isFreeName,
  NO_PASSWORD,
  type StoredUser,
} from './users.ts';

/** What the directory of a provider says of an account. */
export interface DirectoryUser {
  /** Its id there. */
  account: string;
  username: string;
  name: string;
  /** Empty: it has none. */
  email: string;
  roles: readonly Role[];
  passwordSetAt: Date;
}

/** What the users logs show of it. */
type ShownOfUser = Omit<DirectoryUser, 'account' | 'passwordSetAt'>;

type Stored = ShownOfUser & { id: string; isClosed: boolean; passwordSetAt: string | null };

/** A user as it is after its directory was asked, and what was stored for it before. */
export interface StoredAccount {
  user: StoredUser;
  /** `null`: the user is new. */
  before: ShownOfUser | null;
  isChanged: boolean;
}

/**
 * Stores what a directory says of an account, by its id there: a user of the portal's own of the same name is another one. Needs a
 * transaction. `null` for one that was disabled or deleted in the portal, where its groups do not bring it back, and for a new one without a role, which is not stored. @throws Refusal 409 for a new account whose name is in use
 */
export async function storeAccount(
  connection: Connection,
  providerId: number,
  { account, passwordSetAt, ...given }: DirectoryUser,
): Promise<StoredAccount | null> {
  await lockProvider(connection, providerId);
  const stored = await findStored(connection, providerId, account);
  if (stored?.isClosed === true) return null;
  const isFree = await isFreeName(connection, providerId, given.username, stored?.id ?? null);
  if (stored === null) {
    if (given.roles.length === 0) return null;
    if (!isFree) throw conflict(`Another account of this portal is named ${given.username}. Ask your administrator.`);
    const inDirectory = { directoryAccount: account, directoryPasswordSetAt: passwordSetAt };
    const added = { providerId, ...inDirectory, passwordHash: NO_PASSWORD, ...given };
    return storedAs(connection, providerId, await createUser(connection, added), null, true);
  }
  const { id, isClosed: _, passwordSetAt: knownSetAt, ...before } = stored;
  if (isReplaced(knownSetAt, passwordSetAt)) await storePasswordInstant(connection, { providerId, id }, passwordSetAt);
  // Who was renamed to a name in use goes on under the old one.
  const after = isFree ? given : { ...given, username: before.username };
  const isChanged = textOf(before) !== textOf(after);
  if (isChanged) {
    await update(connection, users, after, { providerId, id });
    await endLinks(connection, { providerId, id });
    await announceAccount(connection, { providerId, id });
  }
  return storedAs(connection, providerId, id, before, isChanged);
}

async function storedAs(
  connection: Connection,
  providerId: number,
  id: string,
  before: StoredAccount['before'],
  isChanged: boolean,
): Promise<StoredAccount> {
  const user = await findUserById(connection, providerId, id);
  if (user === null) throw new Error(`The user ${id} is not there after the directory was asked.`);
  return { user, before, isChanged };
}

function findStored(connection: Connection, providerId: number, account: string): Promise<Stored | null> {
  return row<Stored>(
    connection,
    sql`select u.id, u.username, u.name, u.email, u.roles, not (${IS_LIVING}) as "isClosed", u.directory_password_set_at as "passwordSetAt" from users u
        where u.provider_id = ${providerId} and u.directory_account = ${account} order by u.deleted_at desc nulls first limit 1`,
  );
}

/**
 * Whether a directory has another password than it had. One of its controllers may not have heard of it yet, and reports the instant before; that
 * another password has to be chosen, which is no instant, is news from any of them.
 */
function isReplaced(known: string | null, reported: Date): boolean {
  if (known === null) return true;
  const [knownMs, reportedMs] = [Date.parse(known), reported.getTime()];
  return reportedMs > knownMs || (reportedMs === 0 && knownMs !== 0);
}

/** When the directory last set the password of an account, as far as is known; `null` also for an account that is no user yet. */
export async function passwordInstantOf(
  connection: Connection,
  providerId: number,
  account: string,
): Promise<string | null> {
  return (await findStored(connection, providerId, account))?.passwordSetAt ?? null;
}

/** Stores when a directory set the password of a user's account. What another one had opened ends with that: sessions, challenges, known browsers. */
export async function storePasswordInstant(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
  directoryPasswordSetAt: Date,
): Promise<void> {
  await update(connection, users, { directoryPasswordSetAt }, { providerId, id });
}

const textOf = ({ username, name, email, roles }: ShownOfUser) =>
  JSON.stringify([username, name, email, roles.toSorted()]);
