import { isRole, type Role } from '@keepwatch/contract/abilities';
import type { ProviderClock } from '@keepwatch/contract/backup-days/backup-clock';
import type { ConsoleKind } from '@keepwatch/contract/directory/console-kinds';
import type { Preferences } from '@keepwatch/contract/identity/preferences';
import type { Theme, User } from '@keepwatch/contract/identity/sessions';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../audit/target-name.ts';
import { backupClockOf, type ClockRow, providerClock } from '../backup-days/stored-clocks.ts';
import { accountKindsOf } from '../connections/user-accounts.ts';
import { type Connection, execute, row, rows } from '../foundation/database.ts';
import { publish } from '../foundation/events.ts';
import { newId } from '../foundation/secrets.ts';
import { insert, remove, update } from '../foundation/table-writes.ts';
import { accountLinks, userCompanies, users } from './tables.ts';

/** The users, for queries by something else that is theirs: a session, a device. */
export const USERS = users;

/** A user as stored, with the companies the user is limited to (`null`: all of the provider's). */
export interface StoredUser {
  providerId: number;
  id: string;
  username: string;
  email: string;
  name: string;
  passwordHash: string;
  /** The id of the account in the directory of the provider; `null`: it is the portal's own. */
  directoryAccount: string | null;
  /** When its password there was set, as far as is known here: ISO. */
  directoryPasswordSetAt: string | null;
  mustChangePassword: boolean;
  roles: readonly Role[];
  companyIds: string[] | null;
  theme: Theme;
  mobilePhone: string | null;
  officePhone: string | null;
  landingPage: string | null;
  /** By what the provider counts days: read with the user, as every request needs one and many the other. */
  backupClock: ProviderClock;
}

export const DEFAULT_THEME: Theme = { mode: 'auto', sidebarMini: false, sidebarColor: 'blue' };

/** A user as read from the database, for `storedUser`. */
export interface UserRow {
  providerId: number;
  id: string;
  username: string;
  email: string;
  name: string;
  passwordHash: string;
  directoryAccount: string | null;
  directoryPasswordSetAt: string | null;
  mustChangePassword: boolean;
  roles: string[];
  isLimited: boolean;
  companyIds: string[];
  theme: Partial<Theme>;
  mobilePhone: string | null;
  officePhone: string | null;
  landingPage: string | null;
  backupClock: ClockRow;
}

/** What is stored instead of a hash for a user who has no password yet. No password is equal to it. */
export const NO_PASSWORD = 'none';
/** The same for a user who signs in elsewhere, and never has one: it would be a way in that nothing there ends. */
export const SIGNS_IN_ELSEWHERE = 'elsewhere';

/** Whether a password may be compared with what is stored. */
export function hasPassword({ passwordHash }: Pick<StoredUser, 'passwordHash'>): boolean {
  return passwordHash !== NO_PASSWORD && passwordHash !== SIGNS_IN_ELSEWHERE;
}

/** The user (alias `u`) may sign in. */
export const IS_LIVING = sql`u.deleted_at is null and u.disabled_at is null`;

/** Names a user in the users logs. */
export const nameOfUser: NameOfTarget = (scope, id) =>
  sql`select t.name from users t where t.provider_id = ${scope.providerId} and t.id = ${id}`;

/** The users of some ids that were not removed, with their names: a JSON list in their order. */
export function namesOfUsers(providerId: SQL, ids: SQL): SQL {
  return sql`(select coalesce(json_agg(json_build_object('id', n.id, 'name', n.name, 'username', n.username) order by lower(n.name), n.id), '[]')
    from users n where n.provider_id = ${providerId} and n.id = any(${ids}) and n.deleted_at is null)`;
}

/** Whether a user (alias `u`) is limited to companies, were all of them removed. */
export const USER_IS_LIMITED = sql`(u.sub_provider_id is not null
  or exists (select from user_companies l where l.provider_id = u.provider_id and l.user_id = u.id))`;

/** The ids of the companies that limit a user (alias `u`), the user's own and those of its sub-provider, without removed ones. */
export const USER_COMPANY_IDS = sql`array(select c.id from user_companies l join companies c on c.provider_id = l.provider_id and c.id = l.company_id
      where l.provider_id = u.provider_id and l.user_id = u.id and c.deleted_at is null
    union select c.id from companies c where c.provider_id = u.provider_id and c.sub_provider_id = u.sub_provider_id and c.deleted_at is null)`;

/** Whether a user (alias `u`) sees only some companies. A reseller without companies reaches none, not all. */
export const SEES_SOME_COMPANIES = sql`(${USER_IS_LIMITED} or 'sub-sp' = any(u.roles))`;

/** Whether a user (alias `u`) may see a company. */
export const maySee = (companyId: string): SQL =>
  sql`(not ${SEES_SOME_COMPANIES} or ${companyId}::uuid = any(${USER_COMPANY_IDS}))`;

/** The columns of a `UserRow`; alias `u`. */
export const USER_COLUMNS = sql`u.provider_id as "providerId", u.id, u.username, u.email, u.name, u.password_hash as "passwordHash", u.directory_account as "directoryAccount",
  u.directory_password_set_at as "directoryPasswordSetAt", u.must_change_password as "mustChangePassword", u.roles, u.theme, u.mobile_phone as "mobilePhone",
  u.office_phone as "officePhone", u.landing_page as "landingPage", ${USER_IS_LIMITED} as "isLimited", ${USER_COMPANY_IDS} as "companyIds",
  ${backupClockOf(sql`u.provider_id`)} as "backupClock"`;

/**
 * What a name to sign in with may have. The database takes other letters for plain ones where it ignores case (`İ` is its `i`), and other
 * languages do so differently: one account would answer to several names, and what is made of the name alone would not.
 */
const PLAIN_NAME = /^[\x20-\x7e]*$/;

/** A name as it is compared: upper and lower case are the same. `null`: no account has such a name. */
export function comparedName(username: string): string | null {
  return PLAIN_NAME.test(username) ? username.toLowerCase() : null;
}

/** The living user of that name in that provider; sign-in only. Upper and lower case are the same name. */
export async function findUserByName(
  connection: Connection,
  providerId: number,
  username: string,
): Promise<StoredUser | null> {
  if (comparedName(username) === null) return null;
  return findUser(connection, sql`u.provider_id = ${providerId} and lower(u.username) = lower(${username})`);
}

/** The living user with that id in that provider. */
export function findUserById(connection: Connection, providerId: number, id: string): Promise<StoredUser | null> {
  return findUser(connection, sql`u.provider_id = ${providerId} and u.id = ${id}`);
}

/** The living user of an account in the provider's directory. */
export function findUserByAccount(
  connection: Connection,
  providerId: number,
  account: string,
): Promise<StoredUser | null> {
  return findUser(connection, sql`u.provider_id = ${providerId} and u.directory_account = ${account}`);
}

async function findUser(connection: Connection, condition: ReturnType<typeof sql>): Promise<StoredUser | null> {
  const found = await row<UserRow>(
    connection,
    sql`select ${USER_COLUMNS} from users u where ${condition} and ${IS_LIVING}`,
  );
  return found === null ? null : storedUser(found);
}

/** The user of a row, with the companies that limit it. */
export function storedUser({ isLimited, companyIds, theme, roles, backupClock, ...rest }: UserRow): StoredUser {
  // A reseller without companies reaches none, not all; so does a user whose only company was removed.
  return {
    ...rest,
    roles: roles.filter(isRole),
    companyIds: isLimited || roles.includes('sub-sp') ? companyIds : null,
    theme: { ...DEFAULT_THEME, ...theme },
    backupClock: providerClock(backupClock),
  };
}

/** What leaves of a user. */
export function presentUser(
  user: StoredUser,
  { preferences, consoles }: ShownBesides,
  needed: Pick<User, 'secondFactorNeeded' | 'forceSecurityQuestions'>,
): User {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    name: user.name,
    acl: user.roles.map((role) => ({ role })),
    serviceProviderId: user.providerId,
    backupClock: user.backupClock,
    companyIds: user.companyIds,
    mobilePhone: user.mobilePhone,
    officePhone: user.officePhone,
    landingApp: user.landingPage === null ? null : { page: user.landingPage },
    passwordReset: user.mustChangePassword,
    sso: {
      vac: consoles.includes('vac'),
      vcd: consoles.includes('vcd'),
      zerto: consoles.includes('zerto'),
    },
    theme: user.theme,
    preferences,
    ackO365TermsOfUse: preferences['o365.terms-of-use'] === true,
    authType: user.directoryAccount === null ? 'db' : 'ad',
    ...needed,
    hasPassword: user.passwordHash !== SIGNS_IN_ELSEWHERE,
  };
}

/**
 * Keeps a user's password as it is until the end of the transaction. Gives whether it is still the one that was read with the user, and the user may
 * still sign in: what was proved with it counts for nothing once it was changed.
 */
export async function holdPassword(
  connection: Connection,
  user: Pick<StoredUser, 'providerId' | 'id' | 'passwordHash' | 'directoryPasswordSetAt'>,
): Promise<boolean> {
  const same = await row(
    connection,
    sql`select from users u where u.provider_id = ${user.providerId} and u.id = ${user.id} and u.password_hash = ${user.passwordHash}
          and u.directory_password_set_at is not distinct from ${user.directoryPasswordSetAt} and ${IS_LIVING} for share`,
  );
  return same !== null;
}

/** Of two changes of an account at once, of its password or second factors, the second one waits here, and then sees what the first one has left. */
export async function lockAccount(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
): Promise<void> {
  await row(
    connection,
    sql`select from users u where u.provider_id = ${providerId} and u.id = ${id} for no key update`,
  );
}

/** Announces to the open pages of a user that the account is no longer what they show. */
export function announceAccount(
  connection: Connection,
  { providerId, id: userId }: { providerId: number; id: string },
): Promise<void> {
  return publish(connection, { name: 'profile.changed', providerId, userId });
}

/** A user as the users logs name who did something before there was a session. */
export function whoOf({ providerId, id, username, companyIds }: StoredUser) {
  return { providerId, userId: id, username, companyIds };
}

/** Whether no user but `own` has a name. Upper and lower case are the same. Asked under `lockProvider`, so that two cannot get one name. */
export async function isFreeName(
  connection: Connection,
  providerId: number,
  username: string,
  own: string | null = null,
): Promise<boolean> {
  const other = await row(
    connection,
    sql`select from users u where u.provider_id = ${providerId} and u.deleted_at is null and lower(u.username) = lower(${username})
          and u.id is distinct from ${own}::uuid`,
  );
  return other === null;
}

export interface NewUser {
  providerId: number;
  username: string;
  email: string;
  name: string;
  passwordHash: string;
  directoryAccount?: string;
  directoryPasswordSetAt?: Date;
  roles: readonly Role[];
  companyIds?: readonly string[];
  subProviderId?: string;
}

/** Creates a user; gives the id. A name that is in use fails on the database's unique index. */
export async function createUser(connection: Connection, user: NewUser): Promise<string> {
  const id = newId();
  const { providerId, companyIds = [], ...account } = user;
  await insert(connection, users, { providerId, id, ...account });
  for (const companyId of companyIds) await insert(connection, userCompanies, { providerId, userId: id, companyId });
  return id;
}

/** Stores the password that a user chose: every session of the user ends, and no link works any more. */
export async function setOwnPassword(
  connection: Connection,
  key: { providerId: number; id: string },
  passwordHash: string,
): Promise<void> {
  const { providerId, id } = key;
  await update(connection, users, { passwordHash, mustChangePassword: false }, { providerId, id });
  await remove(connection, accountLinks, { providerId, userId: id });
}

/** What a user is shown of the own account that no other request needs: preferences, and the kinds of consoles with an account. */
export interface ShownBesides {
  preferences: Preferences;
  consoles: readonly ConsoleKind[];
}

export async function findShownBesides(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
): Promise<ShownBesides> {
  const found = await row<ShownBesides>(
    connection,
    sql`select (select coalesce(jsonb_object_agg(p.key, p.value), '{}') from preferences p
            where p.provider_id = u.provider_id and p.user_id = u.id) as preferences, ${accountKindsOf('u')} as consoles
        from users u where u.provider_id = ${providerId} and u.id = ${id}`,
  );
  return found ?? { preferences: {}, consoles: [] };
}

/** Stores what a user chose for looks and preferences; what is not given stays. */
export async function editPreferences(
  connection: Connection,
  user: { providerId: number; id: string },
  { theme = {}, preferences = {} }: { theme?: Partial<Theme> | undefined; preferences?: Preferences | undefined },
): Promise<void> {
  await update(connection, users, { theme: sql`theme || ${JSON.stringify(theme)}::jsonb` }, user);
  await execute(
    connection,
    sql`insert into preferences (provider_id, user_id, key, value)
        select ${user.providerId}, ${user.id}, key, value from jsonb_each(${JSON.stringify(preferences)}::jsonb)
        on conflict (provider_id, user_id, key) do update set value = excluded.value`,
  );
}

/** Whether there is any account yet. */
export async function hasUsers(connection: Connection): Promise<boolean> {
  const found = await row<{ exists: boolean }>(connection, sql`select exists (select from users) as exists`);
  return found?.exists === true;
}

/** The different password hashes of the living users of these names, in all providers. */
export async function listPasswordHashes(connection: Connection, names: readonly string[]): Promise<string[]> {
  const found = await rows<{ passwordHash: string }>(
    connection,
    sql`select distinct u.password_hash as "passwordHash" from users u
        where u.username = any(${sql.param(names)}::text[]) and ${IS_LIVING}`,
  );
  return found.map(({ passwordHash }) => passwordHash);
}
