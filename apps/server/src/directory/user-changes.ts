import type { Role } from '@keepwatch/contract/abilities';
import { rolesGivenBy } from '@keepwatch/contract/directory/given-roles';
import { ROLE_TEXTS } from '@keepwatch/contract/directory/role-texts';
import type { createUser as createCall, editUser as editCall, ListedUser } from '@keepwatch/contract/directory/users';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { lockProvider } from '../branding/brands.ts';
import { type Connection, row } from '../foundation/database.ts';
import { conflict, forbidden, invalid, Refusal } from '../foundation/errors.ts';
import { isWhoAsks } from '../foundation/http/access.ts';
import type { Actor } from '../foundation/http/context.ts';
import type { Scope } from '../foundation/scope.ts';
import { insert, remove, update } from '../foundation/table-writes.ts';
import { endLinks } from './account-links.ts';
import { findUsers } from './listed-users.ts';
import { requirePasswordHere } from './outside-users.ts';
import { userCompanies, users } from './tables.ts';
import { announceAccount, createUser, IS_LIVING, isFreeName, NO_PASSWORD } from './users.ts';

/**
 * Begins a change of users: of one provider one after the other, so that two cannot get one name, and two administrators cannot remove each other. Needs a
 * transaction. @throws Refusal 403 for a caller whose account was changed meanwhile
 */
async function lockUsers(connection: Connection, { scope, userId, roles }: Actor): Promise<void> {
  const { providerId } = scope;
  await lockProvider(connection, providerId);
  const same = await row(
    connection,
    sql`select from users u where u.provider_id = ${providerId} and u.id = ${userId} and ${IS_LIVING} and u.roles @> ${sql.param(roles)}::text[]`,
  );
  if (same === null) throw forbidden();
}

/** Reads a user within the caller's reach; `null` for another one. */
export async function findListedUser(connection: Connection, scope: Scope, id: string): Promise<ListedUser | null> {
  const { data } = await findUsers(connection, scope, { ids: [id], limit: 1, offset: 0 });
  return data[0] ?? null;
}

/** Adds a user without a password. @throws Refusal 403 for a role or companies that the caller may not give; 409 for a name in use */
export async function addUser(
  connection: Connection,
  actor: Actor,
  { companyIds, ...given }: CallInput<typeof createCall>['body'],
): Promise<ListedUser> {
  const { roles: own, scope } = actor;
  await lockUsers(connection, actor);
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
 * Changes a user; `null` if the scope has none of that id. After a change of what the user may do, or of the address, links that were made before no
 * longer open.
 * @throws Refusal 403 for a role or companies that the caller may not give or take; 409 for what would lock the caller out, and for companies that come
 *   from a sub-provider
 */
export async function changeUser(
  connection: Connection,
  actor: Actor,
  id: string,
  { companyIds, isDisabled, ...given }: CallInput<typeof editCall>['body'],
  now: Date,
): Promise<{ before: ListedUser; after: ListedUser } | null> {
  const { scope } = actor;
  await lockUsers(connection, actor);
  const before = await findListedUser(connection, scope, id);
  if (before === null) return null;
  requireSameAccount(before, given);
  const isReachNew = companyIds !== undefined && !hasReach(before, companyIds);
  requireMayChange(actor, before, { roles: given.roles, email: given.email, isDisabled, isReachNew });
  const key = { providerId: scope.providerId, id };
  if (isReachNew) await changeReach(connection, scope, before, companyIds);
  const wasDisabled = before.state === 'disabled';
  const switched = wasDisabled === isDisabled ? {} : { disabledAt: isDisabled ? now : null };
  await update(connection, users, { ...given, ...switched }, key);
  const after = await requireListed(connection, scope, id);
  if (isReachNew || powersOf(before) !== powersOf(after)) await endLinks(connection, key);
  await announceAccount(connection, key);
  return { before, after };
}

function requireMayChange(
  actor: Actor,
  before: ListedUser,
  given: { roles: readonly Role[]; email: string; isDisabled: boolean; isReachNew: boolean },
): void {
  const { roles, email, isDisabled, isReachNew } = given;
  const changed = differing(
    before.acl.map(({ role }) => role),
    roles,
  );
  requireGivable(actor.roles, changed);
  requireAdministered(actor.roles, before);
  if (!isWhoAsks(actor, before._id)) return;
  if (email !== before.email)
    throw conflict('Change your own e-mail address in your settings, with the current password.');
  if (isDisabled || changed.length > 0 || isReachNew)
    throw conflict('You cannot change your own roles and companies or disable yourself. Ask another administrator.');
}

/** What a link to set a password opens, beside the companies. */
const powersOf = ({ acl, email, state }: ListedUser) =>
  JSON.stringify([acl.map(({ role }) => role).toSorted(), email, state]);

async function changeReach(
  connection: Connection,
  scope: Scope,
  { _id: userId, name }: ListedUser,
  companyIds: readonly string[] | null,
): Promise<void> {
  const { providerId } = scope;
  const ofSubProvider = await row(
    connection,
    sql`select from users u where u.provider_id = ${providerId} and u.id = ${userId} and u.sub_provider_id is not null`,
  );
  if (ofSubProvider !== null)
    throw conflict(`The companies of ${name} are those of a sub-provider. Change them there.`);
  await requireReach(connection, scope, companyIds);
  await remove(connection, userCompanies, { providerId, userId });
  for (const companyId of companyIds ?? []) await insert(connection, userCompanies, { providerId, userId, companyId });
}

/** Begins a change of one user whom the caller administers; `null` if the scope has none of that id. @throws Refusal 403 as `lockUsers` and `requireAdministered` */
export async function lockUser(connection: Connection, actor: Actor, id: string): Promise<ListedUser | null> {
  await lockUsers(connection, actor);
  const user = await findListedUser(connection, actor.scope, id);
  if (user !== null) requireAdministered(actor.roles, user);
  return user;
}

/** The same for what leads to another password, which users change for themselves with the current one. @throws Refusal 409 for the caller's own account */
export async function lockOtherUser(connection: Connection, actor: Actor, id: string): Promise<ListedUser | null> {
  const user = await lockUser(connection, actor, id);
  if (user !== null && isWhoAsks(actor, user._id))
    throw conflict('Change your own password in your settings, with the current one.');
  return user;
}

/** Removes a user and returns it; `null` if the scope has none of that id. @throws Refusal 403 as `changeUser`; 409 for the caller's own account */
export async function removeUser(
  connection: Connection,
  actor: Actor,
  id: string,
  now: Date,
): Promise<ListedUser | null> {
  const user = await lockUser(connection, actor, id);
  if (user === null) return null;
  if (isWhoAsks(actor, user._id)) throw conflict('You cannot delete your own account. Ask another administrator.');
  await update(connection, users, { deletedAt: now }, { providerId: actor.scope.providerId, id });
  return user;
}

/**
 * Stores the password of another user, who has to choose a new one at the next sign-in, and ends that user's links; `null` if the scope has none of that
 * id. @throws Refusal as `removeUser`
 */
export async function setPasswordOf(
  connection: Connection,
  actor: Actor,
  id: string,
  passwordHash: string,
): Promise<ListedUser | null> {
  const user = await lockOtherUser(connection, actor, id);
  if (user === null) return null;
  const key = { providerId: actor.scope.providerId, id: user._id };
  await requirePasswordHere(connection, key);
  await update(connection, users, { passwordHash, mustChangePassword: true }, key);
  await endLinks(connection, key);
  return user;
}

/** Throws 409 for other roles, another name or address of an account of a directory: its groups decide what it may do. */
function requireSameAccount(
  { authType, name, email, acl }: ListedUser,
  given: { name: string; email: string; roles: readonly Role[] },
): void {
  const own = acl.map(({ role }) => role);
  const isSame = given.name === name && given.email === email && differing(own, given.roles).length === 0;
  if (authType === 'ad' && !isSame)
    throw conflict(`Name, e-mail and roles of ${name} come from the directory and its groups. Change them there.`);
}

/** Throws 403 for a user who has a role that the caller could not give: a person who sets a password can sign in with it. */
function requireAdministered(own: readonly Role[], { acl, name }: ListedUser): void {
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
  if (!(await isFreeName(connection, providerId, username))) throw conflict('The username already exists.');
}

async function requireListed(connection: Connection, scope: Scope, id: string): Promise<ListedUser> {
  const user = await findListedUser(connection, scope, id);
  if (user === null) throw new Error(`The user ${id} is not there after the change.`);
  return user;
}
