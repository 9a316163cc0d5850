import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphReply } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { type JsonObject, objectOf, objectsOf, textOf, textsOf } from '../wire/json.ts';
import { entityReply } from '../wire/representation.ts';
import { type DriveItem, itemNotFound } from './items/drive-item.ts';
import { type ItemCall, identityOf, itemOf } from './items/item-call.ts';
import type { Grantee, Permission } from './permission.ts';
import { type EffectivePermission, permissionEntity, permissionsOf } from './permission-entity.ts';

const how = { context: 'Collection(permission)' };
const single = { context: 'permission/$entity' };

export function listPermissions(at: ItemCall): GraphReply {
  const item = itemOf(at);
  return collectionReply(
    at.call,
    permissionsOf(item).map((found) => permissionEntity(found, at.drive, item)),
    how,
  );
}

export function getPermission(at: ItemCall): GraphReply {
  return reply(at, permissionOf(at));
}

/** Shares with people or groups; each of them gets a separate permission. */
export function invite(at: ItemCall): GraphReply {
  const { call } = at;
  const item = itemOf(at);
  const body = objectOf(call.body);
  const roles = rolesOf(body);
  const recipients = objectsOf(body['recipients']).map((recipient) => granteeOf(call, recipient));
  if (recipients.length === 0) throw new GraphError(400, 'invalidRequest', 'At least one recipient is needed.');
  if (body['retainInheritedPermissions'] === false && item.inheritsPermissions) stopInheriting(item, at);
  const added = recipients.map((grantedTo): Permission => {
    const permission = newPermission(at, { roles, grantedTo }, body);
    item.permissions = [...item.permissions.filter(({ id }) => id !== permission.id), permission];
    return permission;
  });
  touch(at, item);
  return collectionReply(
    call,
    added.map((permission) => permissionEntity({ permission, holder: item }, at.drive, item)),
    how,
  );
}

/** Grants an item to the one person, group or application that `grantedToV2` names. */
export function createPermission(at: ItemCall): GraphReply {
  const { call } = at;
  const item = itemOf(at);
  const body = objectOf(call.body);
  const granted = objectOf(body['grantedToV2'] ?? body['grantedTo']);
  const { id } = objectOf(granted['user'] ?? granted['group']);
  if (typeof id !== 'string')
    throw new GraphError(400, 'invalidRequest', 'grantedToV2 must name a user or a group by id.');
  const grantedTo = granteeOf(call, { objectId: id });
  const permission = newPermission(at, { roles: rolesOf(body), grantedTo }, body);
  item.permissions = [...item.permissions.filter((other) => other.id !== permission.id), permission];
  touch(at, item);
  return reply(at, { permission, holder: item }, 201);
}

/** Makes a sharing link, or gives the one of the same type and scope that is there (200 instead of 201). */
export function createLink(at: ItemCall): GraphReply {
  const { call, drive } = at;
  const item = itemOf(at);
  const body = objectOf(call.body);
  const [type, scope] = [textOf(body['type']) ?? 'view', textOf(body['scope']) ?? 'organization'];
  if (!['view', 'edit', 'embed', 'review', 'blocksDownload'].includes(type)) {
    throw new GraphError(400, 'invalidRequest', `The link type '${type}' is unknown.`);
  }
  const known = item.permissions.find(({ link }) => link?.type === type && link.scope === scope);
  if (known) return reply(at, { permission: known, holder: item });
  const id = call.tenant.newId();
  const origin = new URL(drive.facts.webUrl).origin;
  const link = { type, scope, webUrl: `${origin}/:u:/g/${id.replaceAll('-', '')}`, preventsDownload: false };
  const permission = newPermission(at, { roles: [type === 'edit' ? 'write' : 'read'], link, id }, body);
  item.permissions.push(permission);
  touch(at, item);
  return reply(at, { permission, holder: item }, 201);
}

export function updatePermission(at: ItemCall): GraphReply {
  const found = ownPermission(at);
  const body = objectOf(at.call.body);
  if ('roles' in body) found.permission.roles = rolesOf(body);
  const expiration = textOf(body['expirationDateTime']);
  if (expiration !== undefined) found.permission.expirationDateTime = expiration;
  touch(at, found.holder);
  return reply(at, found);
}

export function deletePermission(at: ItemCall): GraphReply {
  const { permission, holder } = ownPermission(at);
  holder.permissions = holder.permissions.filter((other) => other !== permission);
  touch(at, holder);
  return { status: 204 };
}

function permissionOf(at: ItemCall): EffectivePermission {
  const id = at.call.params['permission'];
  const found = permissionsOf(itemOf(at)).find(({ permission }) => permission.id === id);
  if (!found) throw itemNotFound();
  return found;
}

/** What is inherited is changed where it is set. */
function ownPermission(at: ItemCall): EffectivePermission {
  const found = permissionOf(at);
  if (found.holder !== itemOf(at)) {
    throw new GraphError(400, 'invalidRequest', 'An inherited permission can only be changed where it is set.');
  }
  return found;
}

function reply(at: ItemCall, found: EffectivePermission, status = 200): GraphReply {
  return entityReply(at.call, permissionEntity(found, at.drive, itemOf(at)), single, status);
}

function rolesOf(body: JsonObject): string[] {
  const roles = textsOf(body['roles']) ?? [];
  if (roles.length > 0 && roles.every((role) => ['read', 'write', 'owner'].includes(role))) return roles;
  throw new GraphError(400, 'invalidRequest', 'The roles must be some of read, write, owner.');
}

/** Whom a `driveRecipient` names; an address that no user of the tenant has is a guest's. */
function granteeOf({ tenant }: GraphCall, recipient: JsonObject): Grantee {
  const { people } = tenant.drives;
  const key = textOf(recipient['objectId']) ?? textOf(recipient['email']) ?? textOf(recipient['alias']);
  if (key === undefined) throw new GraphError(400, 'invalidRequest', 'A recipient needs objectId, email or alias.');
  const group = people.group(key);
  if (group) return { kind: 'group', id: group.id, displayName: group.displayName };
  const user = people.user(key);
  const login = user?.userPrincipalName ?? `${key.replace('@', '_')}#ext#@${tenant.domain}`;
  if (!user && !key.includes('@')) throw new GraphError(400, 'invalidRequest', `The recipient '${key}' is unknown.`);
  const loginName = `i:0#.f|membership|${login}`;
  return { kind: 'user', id: user?.id ?? tenant.newId(), displayName: user?.displayName ?? key, loginName };
}

/** A person's permission has the login name in Base64 as its id, so that the same person does not have two. */
function newPermission(
  { call }: ItemCall,
  { id, roles, grantedTo, link }: { id?: string; roles: string[]; grantedTo?: Grantee; link?: Permission['link'] },
  body: JsonObject,
): Permission {
  const login = grantedTo && (grantedTo.loginName ?? grantedTo.id);
  const expirationDateTime = textOf(body['expirationDateTime']);
  const isGuest = grantedTo?.loginName?.includes('#ext#') === true;
  return {
    id: id ?? Buffer.from(login ?? call.tenant.newId()).toString('base64url'),
    roles,
    ...(grantedTo && { grantedTo }),
    ...(link && { link }),
    ...(isGuest && {
      invitation: { email: grantedTo.displayName, invitedBy: identityOf(call), signInRequired: true },
    }),
    recipients: link ? objectsOf(body['recipients']).map((recipient) => granteeOf(call, recipient)) : [],
    ...(expirationDateTime !== undefined && { expirationDateTime }),
    hasPassword: textOf(body['password']) !== undefined,
  };
}

/** Stops inheritance: of the inherited permissions, the item retains those of owners as its own. */
function stopInheriting(item: DriveItem, at: ItemCall): void {
  const inherited = permissionsOf(item).filter(
    ({ holder, permission }) => holder !== item && permission.roles.includes('owner'),
  );
  item.permissions = [...item.permissions, ...inherited.map(({ permission }) => ({ ...permission }))];
  item.inheritsPermissions = false;
  touch(at, item);
}

/** A new permission shows in delta queries, but is no edit of the item: author and time stay. */
function touch({ drive }: ItemCall, item: DriveItem): void {
  drive.changes.record(item.id);
}
