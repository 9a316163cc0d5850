import type { Role } from '@keepwatch/contract/abilities';
import { rolesGivenBy } from '@keepwatch/contract/directory/given-roles';
import { ROLE_TEXTS } from '@keepwatch/contract/directory/role-texts';
import type { createUser as createCall, editUser as editCall, ListedUser } from '@keepwatch/contract/directory/users';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { PROVIDERS } from '../branding/brands.ts';
import { type Connection, execute, row } from '../foundation/database.ts';
import { conflict, invalid, Refusal } from '../foundation/errors.ts';
import type { Actor } from '../foundation/http/context.ts';
import type { Scope } from '../foundation/scope.ts';
import { hashOfPassword } from '../foundation/secrets.ts';
import { insert, remove, update } from '../foundation/table-writes.ts';
import { endLinks } from './account-links.ts';
import { findUsers } from './listed-users.ts';
import { userCompanies, users } from './tables.ts';
import { createUser, NO_PASSWORD } from './users.ts';

/** Changes of users of a provider are made one after the other, so that two cannot get one name. Needs a transaction. */
async function lockUsers(connection: Connection, { providerId }: Scope): Promise<void> {
  await execute(connection, sql`select from ${PROVIDERS} where id = ${providerId} for no key update`);
}

/** Reads a user within the caller's reach; `null` for another one. */
export async function findListedUser(connection: Connection, scope: Scope, id: string): Promise<ListedUser | null> {
  const { data } = await findUsers(connection, scope, { ids: [id], limit: 1, offset: 0 });
  return data[0] ?? null;
}

/** Adds a user without a password. @throws Refusal 403 for a role or companies that the caller may not give; 409 for a name in use */
export async function addUser(
  connection: Connection,
  { roles: own, scope }: Actor,
  { companyIds, ...given }: CallInput<typeof createCall>['body'],
): Promise<ListedUser> {
  await lockUsers(connection, scope);
  requireGivable(own, given.roles);
  await requireReach(connection, scope, companyIds);
  await requireFreeName(connection, scope, given.username);
  const { providerId } = scope;
  const id = await createUser(connection, {
    providerId,
    ...given,
    passwordHash: NO_PASSWORD,
    companyIds: companyIds ?? [],
  });
  return requireListed(connection, scope, id);
}

/**
 * Changes a user; `null` if the scope has none of that id.
 * @throws Refusal 403 for a role or companies that the caller may not give or take; 409 for what would lock the caller out
 */
export async function changeUser(
  connection: Connection,
  { roles: own, scope, userId }: Actor,
  id: string,
  { companyIds, isDisabled, ...given }: CallInput<typeof editCall>['body'],
  now: Date,
): Promise<{ before: ListedUser; after: ListedUser } | null> {
  await lockUsers(connection, scope);
  const before = await findListedUser(connection, scope, id);
  if (before === null) return null;
  const held = before.acl.map(({ role }) => role);
  requireGivable(own, differing(held, given.roles));
  requireAdministered(own, before);
  await requireReach(connection, scope, companyIds);
  if (before._id === userId && (isDisabled || differing(held, given.roles).length > 0 || !hasReach(before, companyIds)))
    throw conflict('You cannot change your own roles and companies or disable yourself. Ask another administrator.');
  const key = { providerId: scope.providerId, id };
  const wasDisabled = before.state === 'disabled';
  const switched = wasDisabled === isDisabled ? {} : { disabledAt: isDisabled ? now : null };
  await update(connection, users, { ...given, ...switched }, key);
  await remove(connection, userCompanies, { providerId: key.providerId, userId: id });
  for (const companyId of companyIds ?? []) await insert(connection, userCompanies, { ...key, userId: id, companyId });
  return { before, after: await requireListed(connection, scope, id) };
}

/** Removes a user and returns it; `null` if the scope has none of that id. @throws Refusal 403 as `changeUser`; 409 for the caller's own account */
export async function removeUser(
  connection: Connection,
  { roles: own, scope, userId }: Actor,
  id: string,
  now: Date,
): Promise<ListedUser | null> {
  await lockUsers(connection, scope);
  const user = await findListedUser(connection, scope, id);
  if (user === null) return null;
  requireAdministered(own, user);
  if (user._id === userId) throw conflict('You cannot delete your own account. Ask another administrator.');
  await update(connection, users, { deletedAt: now }, { providerId: scope.providerId, id });
  return user;
}

/** Sets the password of another user, who has to choose a new one at the next sign-in, and ends that user's links; `null` if the scope has none of that id. */
export async function setPasswordOf(
  connection: Connection,
  { roles: own, scope, userId }: Actor,
  id: string,
  password: string,
): Promise<ListedUser | null> {
  const user = await findListedUser(connection, scope, id);
  if (user === null) return null;
  requireAdministered(own, user);
  if (user._id === userId) throw conflict('Change your own password in your settings, with the current one.');
  const passwordHash = await hashOfPassword(password);
  await update(
    connection,
    users,
    { passwordHash, mustChangePassword: true },
    { providerId: scope.providerId, id: user._id },
  );
  await endLinks(connection, { providerId: scope.providerId, id: user._id });
  return user;
}

/** Throws 403 for a user who has a role that the caller could not give: a person who sets a password can sign in with it. */
export function requireAdministered(own: readonly Role[], { acl, name }: ListedUser): void {
  const beyond = beyondReach(
    own,
    acl.map(({ role }) => role),
  );
  if (beyond !== undefined)
    throw refusal(
      `${name} has the role "${ROLE_TEXTS[beyond]}", which you cannot give. Ask a user who administers that role.`,
    );
}

function requireGivable(own: readonly Role[], roles: readonly Role[]): void {
  const beyond = beyondReach(own, roles);
  if (beyond !== undefined)
    throw refusal(`You cannot give or take the role "${ROLE_TEXTS[beyond]}". Ask a user who administers that role.`);
}

function beyondReach(own: readonly Role[], roles: readonly Role[]): Role | undefined {
  const givable = rolesGivenBy(own);
  return roles.find((role) => !givable.includes(role));
}

const refusal = (message: string) => new Refusal(403, 'FORBIDDEN', message);

/** The roles that only one of two lists has. */
function differing(one: readonly Role[], other: readonly Role[]): Role[] {
  return [...one.filter((role) => !other.includes(role)), ...other.filter((role) => !one.includes(role))];
}

function hasReach({ companies }: ListedUser, companyIds: readonly string[] | null): boolean {
  if (companies === null || companyIds === null) return companies === companyIds;
  const reach = new Set(companyIds.map((id) => id.toLowerCase()));
  return reach.size === companies.length && companies.every(({ _id }) => reach.has(_id));
}

/** Throws 403 for all companies where the caller has some, and 422 for a company that is not within the caller's reach. */
async function requireReach(connection: Connection, scope: Scope, companyIds: readonly string[] | null): Promise<void> {
  if (companyIds === null) {
    if (scope.companyIds !== null) throw refusal('Choose companies: you cannot give more companies than you have.');
    return;
  }
  const known = await row<{ count: number }>(
    connection,
    sql`select count(*)::int as count from companies c
        where ${scope.companies('c')} and c.id = any(${sql.param(companyIds)}::uuid[]) and c.deleted_at is null`,
  );
  if (known?.count !== new Set(companyIds.map((id) => id.toLowerCase())).size)
    throw invalid([{ path: 'body.companyIds', message: 'names a company that was not found' }]);
}

async function requireFreeName(connection: Connection, { providerId }: Scope, username: string): Promise<void> {
  const known = await row(
    connection,
    sql`select from users u where u.provider_id = ${providerId} and lower(u.username) = lower(${username}) and u.deleted_at is null`,
  );
  if (known !== null) throw conflict('The username already exists.');
}

async function requireListed(connection: Connection, scope: Scope, id: string): Promise<ListedUser> {
  const user = await findListedUser(connection, scope, id);
  if (user === null) throw new Error(`The user ${id} is not there after the change.`);
  return user;
}
